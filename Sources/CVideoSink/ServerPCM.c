// Whether an ALSA PCM is a sound server's. ALSA's default often is, by /etc/alsa/conf.d: its name does not say so, and
// alsasink does not give its PCM away.
#include "CVideoSink.h"
#include <dlfcn.h>
#include <gst/gst.h>
#include <string.h>

// The deepest chain of PCMs that is followed.
#define MOST_PCMS 8

typedef struct Config Config;

// Functions of ALSA's library, which alsasink uses: Vitrine is not linked with it. They lock for themselves.
typedef struct {
    int (*update)(Config **top);
    void (*unref)(Config *top);
    int (*expand)(Config *top, const char *base, const char *name, Config **copy);
    int (*delete)(Config *copy);
    int (*search)(Config *config, const char *key, Config **part);
    int (*text)(const Config *config, const char **text);
} ALSA;

static gboolean load(ALSA *alsa)
{
    void *library = dlopen("libasound.so.2", RTLD_LAZY | RTLD_NODELETE);
    if (!library) return FALSE;
    const struct { const char *name; void *function; } all[] = {
        {"snd_config_update_ref", &alsa->update}, {"snd_config_unref", &alsa->unref},
        {"snd_config_search_definition", &alsa->expand}, {"snd_config_delete", &alsa->delete},
        {"snd_config_search", &alsa->search}, {"snd_config_get_string", &alsa->text},
    };
    gboolean is_complete = TRUE;
    for (gsize each = 0; each < G_N_ELEMENTS(all); each++) {
        void *found = dlsym(library, all[each].name);
        memcpy(all[each].function, &found, sizeof found);
        is_complete = is_complete && found;
    }
    dlclose(library);
    return is_complete;
}

static gboolean is_named_pipewire(const ALSA *alsa, Config *top, const char *name, guint depth);

// Whether a PCM, or the one behind it, is of PipeWire's type.
static gboolean is_pipewire(const ALSA *alsa, Config *top, Config *pcm, guint depth)
{
    if (depth == MOST_PCMS) return FALSE;
    const char *text = NULL;
    if (alsa->text(pcm, &text) >= 0) return is_named_pipewire(alsa, top, text, depth + 1);
    Config *part = NULL;
    if (alsa->search(pcm, "type", &part) >= 0 && alsa->text(part, &text) >= 0 && g_strcmp0(text, "pipewire") == 0) return TRUE;
    // Of the types "plug" and the like, and of "asym".
    const char *const behind[] = {"slave.pcm", "playback.pcm"};
    for (gsize each = 0; each < G_N_ELEMENTS(behind); each++)
        if (alsa->search(pcm, behind[each], &part) >= 0 && is_pipewire(alsa, top, part, depth + 1)) return TRUE;
    return FALSE;
}

static gboolean is_named_pipewire(const ALSA *alsa, Config *top, const char *name, guint depth)
{
    Config *pcm = NULL;
    if (alsa->expand(top, "pcm", name, &pcm) < 0) return FALSE;
    gboolean is = is_pipewire(alsa, top, pcm, depth);
    alsa->delete(pcm);
    return is;
}

bool vitrine_pcm_is_servers(const char *name)
{
    ALSA alsa;
    Config *top = NULL;
    if (!load(&alsa) || alsa.update(&top) < 0) return false;
    bool is = is_named_pipewire(&alsa, top, name, 0);
    alsa.unref(top);
    return is;
}
