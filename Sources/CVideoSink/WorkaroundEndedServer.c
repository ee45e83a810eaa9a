// Bug: once PipeWire has ended, its plugin for ALSA answers each call with EPIPE, as after an underrun. alsasink prepares
// the device again and retries, for ever and without a pause: the thread takes a whole processor, and never ends, so that
// the sink cannot be stopped. Not reported.
// Versions: measured with PipeWire 0.3.65 and GStreamer 1.22.0 (Debian 12). The loop of 1.26.2 (Debian 13) is the same.
// GStreamer's main branch leaves the loop when the sink is stopped (`stop_streaming_threads` of gstalsasink.c).
// May go when test_a_loudspeaker_on_the_network_is_chosen_while_a_film_plays of Tests/Rig/test_pipewire.py passes without it.
#include "CVideoSink.h"
#include <gst/gst.h>

// Qdata of a sink whose server has ended.
static GQuark ended_quark(void) { return g_quark_from_static_string("vitrine-server-ended"); }

// GStreamer calls it in the sink's thread with the warning of an underrun. The thread of a sink whose server has ended
// never leaves, and keeps the sink's lock, but none of GStreamer's log: its pipeline is abandoned in any case.
static void park(
    GstDebugCategory *category, GstDebugLevel level, const gchar *file, const gchar *function, gint line, GObject *object,
    GstDebugMessage *message, gpointer data)
{
    (void)category, (void)file, (void)line, (void)message, (void)data;
    if (level != GST_LEVEL_WARNING || g_strcmp0(function, "xrun_recovery") != 0 || !G_IS_OBJECT(object)) return;
    while (g_object_get_qdata(object, ended_quark())) g_usleep(G_MAXULONG);
}

void vitrine_server_end(GstElement *sink)
{
    static gsize is_watched;
    g_object_set_qdata(G_OBJECT(sink), ended_quark(), sink);
    if (g_once_init_enter(&is_watched)) {
        gst_debug_add_log_function(park, NULL, NULL);
        g_once_init_leave(&is_watched, 1);
    }
    GstDebugCategory *category = _gst_debug_get_category("alsa");
    // Below that, the warning is not made.
    if (category && gst_debug_category_get_threshold(category) < GST_LEVEL_WARNING)
        gst_debug_category_set_threshold(category, GST_LEVEL_WARNING);
}
