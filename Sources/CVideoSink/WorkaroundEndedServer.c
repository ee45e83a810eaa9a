// Bug: once PipeWire has ended, its plugin for ALSA answers each call with EPIPE, as after an underrun. alsasink prepares
// the device again and retries, for ever and without a pause: the thread takes a whole processor, and never ends, so that
// the sink cannot be stopped. Not reported.
// Versions: measured with PipeWire 0.3.65 and GStreamer 1.22.0 (Debian 12). The loop of 1.26.2 (Debian 13) is the same.
// GStreamer's main branch leaves the loop when the sink is stopped (`stop_streaming_threads` of gstalsasink.c).
// May go when test_a_loudspeaker_on_the_network_is_chosen_while_a_film_plays of Tests/Rig/test_pipewire.py passes without it.
#include "CVideoSink.h"
#include <dlfcn.h>
#include <gst/gst.h>
#include <string.h>

static gint ended; // atomic: the number of servers that have ended

// Qdata of a sink: the number of its server, from 1 on.
static GQuark server_quark(void) { return g_quark_from_static_string("vitrine-server"); }

// GStreamer calls it in the sink's thread with the warning of an underrun. The thread of a sink whose server has ended
// never leaves, and keeps the sink's lock, but none of GStreamer's log: its pipeline is abandoned in any case.
static void park(
    GstDebugCategory *category, GstDebugLevel level, const gchar *file, const gchar *function, gint line, GObject *object,
    GstDebugMessage *message, gpointer data)
{
    (void)category, (void)file, (void)line, (void)message, (void)data;
    if (level != GST_LEVEL_WARNING || g_strcmp0(function, "xrun_recovery") != 0 || !G_IS_OBJECT(object)) return;
    gint server = GPOINTER_TO_INT(g_object_get_qdata(object, server_quark()));
    while (server && server <= g_atomic_int_get(&ended)) g_usleep(G_MAXULONG);
}

// MARK: ALSA's configuration

// The deepest chain of PCMs that is followed.
#define MOST_PCMS 8

typedef struct Config Config;

// Functions of ALSA's library, which alsasink has loaded: Vitrine is not linked with it. They lock for themselves.
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
    void *library = dlopen("libasound.so.2", RTLD_LAZY | RTLD_NOLOAD);
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

// MARK: Interface

bool vitrine_pcm_is_servers(const char *name)
{
    ALSA alsa;
    Config *top = NULL;
    if (!load(&alsa) || alsa.update(&top) < 0) return false;
    bool is = is_named_pipewire(&alsa, top, name, 0);
    alsa.unref(top);
    return is;
}

void vitrine_server_feed(GstElement *sink)
{
    g_object_set_qdata(G_OBJECT(sink), server_quark(), GINT_TO_POINTER(g_atomic_int_get(&ended) + 1));
}

void vitrine_server_end(void)
{
    if (g_atomic_int_add(&ended, 1) == 0) gst_debug_add_log_function(park, NULL, NULL);
    GstDebugCategory *category = _gst_debug_get_category("alsa");
    // Below that, the warning is not made.
    if (category && gst_debug_category_get_threshold(category) < GST_LEVEL_WARNING)
        gst_debug_category_set_threshold(category, GST_LEVEL_WARNING);
}
