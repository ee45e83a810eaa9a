// Troubles that GStreamer has seldom, for test_states.py: loaded before it (LD_PRELOAD), in its place. Each is there as long
// as a file is, in the folder $TROUBLES.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <gst/gst.h>
#include <unistd.h>

static gboolean is_there(const char *trouble)
{
    char *path = g_build_filename(g_getenv("TROUBLES"), trouble, NULL);
    gboolean is = access(path, F_OK) == 0;
    g_free(path);
    return is;
}

static gpointer lose_clock(gpointer pipeline)
{
    while (!is_there("clock-lost")) g_usleep(20000);
    GstClock *clock = gst_pipeline_get_clock(GST_PIPELINE(pipeline));
    gst_element_post_message(pipeline, gst_message_new_clock_lost(GST_OBJECT(pipeline), clock));
    gst_object_unref(clock);
    gst_object_unref(pipeline);
    return NULL;
}

GstStateChangeReturn gst_element_set_state(GstElement *element, GstState state)
{
    static gsize is_watched;
    GstStateChangeReturn (*next)(GstElement *, GstState) = dlsym(RTLD_NEXT, "gst_element_set_state");
    // Not the bar's.
    if (state != GST_STATE_PLAYING || !g_str_equal(GST_OBJECT_NAME(element), "film-pipeline")) return next(element, state);
    if (is_there("refused")) return GST_STATE_CHANGE_FAILURE;
    GstStateChangeReturn result = next(element, state);
    if (g_once_init_enter(&is_watched)) {
        g_thread_unref(g_thread_new("troubles", lose_clock, gst_object_ref(element)));
        g_once_init_leave(&is_watched, 1);
    }
    return result;
}
