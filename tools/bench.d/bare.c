// The minimum that a board needs for the first frame: GStreamer's pipeline with the same elements as Vitrine's for a
// film, from the same unit. It notifies systemd once the frame is on the screen (the sink has prerolled it), and plays
// on.
//
//   bare FOLDER       the first film in it
#include <dirent.h>
#include <fcntl.h>
#include <gst/gst.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

static void notify_manager(const char *text)
{
    const char *path = getenv("NOTIFY_SOCKET");
    if (!path) return;
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (path[0] == '@') address.sun_path[0] = 0;
    int end = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    sendto(end, text, strlen(text), 0, (void *)&address, offsetof(struct sockaddr_un, sun_path) + strlen(path));
    close(end);
}

static int is_film(const struct dirent *entry)
{
    return strstr(entry->d_name, ".mp4") != NULL;
}

// Opens the card, and returns the size of the first connected connector's preferred mode; kmssink does not scale on
// virtio-gpu. It could open the card itself, but probes 16 cards for each driver that it knows.
static int open_card(int *width, int *height)
{
    int card = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
    drmModeRes *resources = card < 0 ? NULL : drmModeGetResources(card);
    for (int i = 0; resources && i < resources->count_connectors; i++) {
        drmModeConnector *connector = drmModeGetConnector(card, resources->connectors[i]);
        if (connector && connector->count_modes > 0) {
            *width = connector->modes[0].hdisplay;
            *height = connector->modes[0].vdisplay;
            i = resources->count_connectors;
        }
        drmModeFreeConnector(connector);
    }
    drmModeFreeResources(resources);
    return card;
}

static GstElement *screen;

static void link_film(GstElement *source, GstPad *pad, gpointer nothing)
{
    (void)source, (void)nothing;
    GstCaps *caps = gst_pad_get_current_caps(pad);
    gboolean is_video = caps && g_str_has_prefix(gst_structure_get_name(gst_caps_get_structure(caps, 0)), "video/");
    if (caps) gst_caps_unref(caps);
    if (!is_video) return;
    GstPad *into = gst_element_get_static_pad(screen, "sink");
    gst_pad_link(pad, into);
    gst_object_unref(into);
}

int main(int count, char **words)
{
    gst_init(NULL, NULL);
    struct dirent **films;
    if (count != 2 || scandir(words[1], &films, is_film, alphasort) < 1) {
        fprintf(stderr, "bare: no film\n");
        return 66;
    }
    int width = 1280, height = 720;
    int card = open_card(&width, &height);
    char *path = g_build_filename(words[1], films[0]->d_name, NULL), *uri = gst_filename_to_uri(path, NULL);
    char *text = g_strdup_printf(
        "queue ! videoconvertscale ! video/x-raw,width=%d,height=%d,pixel-aspect-ratio=1/1 ! "
        "kmssink fd=%d force-modesetting=true",
        width, height, card);
    GError *error = NULL;
    screen = gst_parse_bin_from_description(text, TRUE, &error);
    if (!screen) {
        fprintf(stderr, "bare: %s\n", error->message);
        return 70;
    }
    GstElement *pipeline = gst_pipeline_new(NULL), *source = gst_element_factory_make("uridecodebin", NULL);
    g_object_set(source, "uri", uri, NULL);
    g_signal_connect(source, "pad-added", G_CALLBACK(link_film), NULL);
    gst_bin_add_many(GST_BIN(pipeline), source, screen, NULL);
    gst_element_set_state(pipeline, GST_STATE_PAUSED);
    GstBus *bus = gst_element_get_bus(pipeline);
    for (;;) {
        GstMessage *message = gst_bus_timed_pop_filtered(
            bus, 5 * GST_SECOND, GST_MESSAGE_ASYNC_DONE | GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
        if (!message) {
            notify_manager("WATCHDOG=1");
            continue;
        }
        switch (GST_MESSAGE_TYPE(message)) {
        case GST_MESSAGE_ASYNC_DONE:
            notify_manager("READY=1");
            gst_element_set_state(pipeline, GST_STATE_PLAYING);
            break;
        case GST_MESSAGE_EOS:
            gst_element_seek_simple(pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, 0);
            break;
        default:
            gst_message_parse_error(message, &error, NULL);
            fprintf(stderr, "bare: %s\n", error->message);
            return 70;
        }
        gst_message_unref(message);
    }
}
