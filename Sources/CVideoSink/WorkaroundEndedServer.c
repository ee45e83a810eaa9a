// Bug: once PipeWire has ended, its plugin for ALSA answers each call with EPIPE, as after an underrun. alsasink prepares
// the device again and retries, for ever and without a pause: the thread takes a whole processor, and never ends, so that
// the sink cannot be stopped. Not reported.
// Versions: measured with PipeWire 0.3.65 and GStreamer 1.22.0 (Debian 12). The loop of 1.26.2 (Debian 13) is the same.
// GStreamer's main branch leaves the loop when the sink is stopped (`stop_streaming_threads` of gstalsasink.c).
// May go when test_a_loudspeaker_on_the_network_is_chosen_while_a_film_plays of Tests/Rig/test_pipewire.py passes without it.
#include "CVideoSink.h"
#include <gst/gst.h>

// Qdata of a sink whose server has ended: the time of that.
static GQuark ended_quark(void) { return g_quark_from_static_string("vitrine-server-ended"); }

// How long the sink's loop goes on, slowly. After each turn it releases the sink's lock for a moment. Then the film's other threads can
// leave the sink, all except the one that stops the loop's thread. Both threads, the sink and PipeWire's client are never freed.
#define LOOP_TIME (5 * G_TIME_SPAN_SECOND)
#define TURN_TIME (50 * G_TIME_SPAN_MILLISECOND)

static bool is_default_log;

// GStreamer calls it in the sink's thread with the warning of an underrun.
static void slow_down(
    GstDebugCategory *category, GstDebugLevel level, const gchar *file, const gchar *function, gint line, GObject *object,
    GstDebugMessage *message, gpointer data)
{
    gint64 *end = NULL;
    if (level == GST_LEVEL_WARNING && g_strcmp0(function, "xrun_recovery") == 0 && G_IS_OBJECT(object))
        end = g_object_get_qdata(object, ended_quark());
    // The warnings of the loop would fill the log.
    if (!end && is_default_log) gst_debug_log_default(category, level, file, function, line, object, message, data);
    while (end && g_get_monotonic_time() > *end + LOOP_TIME) g_usleep(G_MAXULONG);
    if (end) g_usleep(TURN_TIME);
}

void vitrine_server_end(GstElement *sink)
{
    static gsize is_watched;
    gint64 *end = g_new(gint64, 1);
    *end = g_get_monotonic_time();
    // The sink's thread may be reading an earlier one.
    if (!g_object_replace_qdata(G_OBJECT(sink), ended_quark(), NULL, end, g_free, NULL)) g_free(end);
    if (g_once_init_enter(&is_watched)) {
        // With that variable the log has a file, which is not known here.
        is_default_log = !g_getenv("GST_DEBUG_FILE") && gst_debug_remove_log_function(gst_debug_log_default) > 0;
        gst_debug_add_log_function(slow_down, NULL, NULL);
        g_once_init_leave(&is_watched, 1);
    }
    GstDebugCategory *category = _gst_debug_get_category("alsa");
    // Below that, the warning is not made.
    if (category && gst_debug_category_get_threshold(category) < GST_LEVEL_WARNING)
        gst_debug_category_set_threshold(category, GST_LEVEL_WARNING);
}
