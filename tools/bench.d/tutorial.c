// The peers that stand for how players scrub today: playbin into kmssink, with the seek policy of the iOS tutorials
// ("tutorial": at most one keyframe seek in 500 ms, the one in between remembered) or the next best ("newest": one
// keyframe seek in flight, the newest waiting, an exact seek at release).
//
//   tutorial tutorial|newest FILE WIDTHxHEIGHT|none
//
// WIDTHxHEIGHT is the frame's size on the display; with "none" there is no sound, and a sink that only keeps time.
// Standard input takes a line for each act of the finger: "down", "move PERCENT", "up PERCENT", "quit". Standard output
// gets "ready" after the first preroll, then "done keyframe" or "done exact" for every seek that has its frame.
#define _GNU_SOURCE
#include <gst/gst.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const gint64 throttle = 500 * GST_MSECOND;

static GstElement *pipeline;
static gint64 duration = -1;
static gboolean tutorial;

// The tutorial's scheduled seek, and when the last one went out.
static gint64 remembered = -1, lastSeek = -1;
// The queue's state.
static gboolean inFlight, inFlightExact, waiting, waitingExact;
static gint64 waitingTarget;
static gboolean resumeWhenDone;

static gint64 now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * GST_SECOND + time.tv_nsec;
}

static void seek(gint64 target, gboolean exact) {
    GstSeekFlags flags = GST_SEEK_FLAG_FLUSH | (exact ? GST_SEEK_FLAG_ACCURATE : GST_SEEK_FLAG_KEY_UNIT);
    inFlight = gst_element_seek_simple(pipeline, GST_FORMAT_TIME, flags, target);
    inFlightExact = exact;
}

static void seekThrottled(gint64 target) {
    if (lastSeek >= 0 && now() - lastSeek < throttle) {
        remembered = target;
        return;
    }
    remembered = -1;
    lastSeek = now();
    seek(target, FALSE);
}

static void seekNewest(gint64 target, gboolean exact) {
    if (inFlight) {
        waiting = TRUE;
        waitingTarget = target;
        waitingExact = exact;
    } else {
        seek(target, exact);
    }
}

// The pipeline's preroll is done: a frame stands on the screen.
static void seekDone(void) {
    if (duration < 0 && gst_element_query_duration(pipeline, GST_FORMAT_TIME, &duration)) puts("ready");
    if (inFlight) puts(inFlightExact ? "done exact" : "done keyframe");
    inFlight = FALSE;
    if (waiting) {
        waiting = FALSE;
        seek(waitingTarget, waitingExact);
    } else if (resumeWhenDone) {
        resumeWhenDone = FALSE;
        gst_element_set_state(pipeline, GST_STATE_PLAYING);
    }
}

static gboolean obey(const char *line) {
    double percent;
    if (!strncmp(line, "down", 4)) {
        gst_element_set_state(pipeline, GST_STATE_PAUSED);
    } else if (sscanf(line, "move %lf", &percent) == 1) {
        gint64 target = duration * percent / 100;
        if (tutorial) seekThrottled(target); else seekNewest(target, FALSE);
    } else if (sscanf(line, "up %lf", &percent) == 1) {
        if (tutorial) {
            gst_element_set_state(pipeline, GST_STATE_PLAYING);
        } else {
            resumeWhenDone = TRUE;
            seekNewest(duration * percent / 100, TRUE);
        }
    } else if (!strncmp(line, "quit", 4)) {
        return FALSE;
    }
    return TRUE;
}

int main(int argc, char **argv) {
    gst_init(&argc, &argv);
    setvbuf(stdout, NULL, _IOLBF, 0);
    int width, height;
    gboolean blind = argc == 4 && !strcmp(argv[3], "none");
    if (argc != 4 || (!blind && sscanf(argv[3], "%dx%d", &width, &height) != 2)) {
        fprintf(stderr, "usage: tutorial tutorial|newest FILE WIDTHxHEIGHT|none\n");
        return 64;
    }
    tutorial = !strcmp(argv[1], "tutorial");
    char *uri = gst_filename_to_uri(argv[2], NULL);
    char *description = blind ? g_strdup("fakesink sync=true")
        : g_strdup_printf("videoscale ! video/x-raw,width=%d,height=%d,pixel-aspect-ratio=1/1 ! "
            "kmssink driver-name=vkms can-scale=false skip-vsync=true", width, height);
    GError *error = NULL;
    GstElement *sink = gst_parse_bin_from_description(description, TRUE, &error);
    if (!sink) {
        fprintf(stderr, "tutorial: %s\n", error->message);
        return 70;
    }
    pipeline = gst_element_factory_make("playbin", NULL);
    g_object_set(pipeline, "uri", uri, "video-sink", sink, NULL);
    if (blind) gst_util_set_object_arg(G_OBJECT(pipeline), "flags", "video");
    // Set even for a silent run: playbin opens every sound system it knows in search of one.
    g_object_set(pipeline, "audio-sink", gst_element_factory_make(blind ? "fakesink" : "alsasink", NULL), NULL);
    gst_element_set_state(pipeline, GST_STATE_PLAYING);

    GstBus *bus = gst_element_get_bus(pipeline);
    GPollFD busFd;
    gst_bus_get_pollfd(bus, &busFd);
    char input[4096];
    size_t held = 0;
    for (;;) {
        int wait = -1;
        if (remembered >= 0) wait = MAX(0, (lastSeek + throttle - now()) / GST_MSECOND + 1);
        struct pollfd fds[] = {{STDIN_FILENO, POLLIN, 0}, {busFd.fd, POLLIN, 0}};
        poll(fds, 2, wait);
        if (fds[0].revents) {
            ssize_t got = read(STDIN_FILENO, input + held, sizeof input - 1 - held);
            if (got <= 0) break;
            held += got;
            input[held] = 0;
            gboolean quit = FALSE;
            char *line = input, *newline;
            while (!quit && (newline = strchr(line, '\n'))) {
                quit = !obey(line);
                line = newline + 1;
            }
            if (quit) break;
            held = input + held - line;
            memmove(input, line, held);
        }
        GstMessage *message;
        gboolean failed = FALSE;
        while ((message = gst_bus_pop(bus))) {
            switch (GST_MESSAGE_TYPE(message)) {
            case GST_MESSAGE_ASYNC_DONE:
                seekDone();
                break;
            case GST_MESSAGE_ERROR:
                gst_message_parse_error(message, &error, NULL);
                fprintf(stderr, "tutorial: %s: %s\n", GST_OBJECT_NAME(GST_MESSAGE_SRC(message)), error->message);
                failed = TRUE;
                break;
            default:
                break;
            }
            gst_message_unref(message);
        }
        if (failed) return 70;
        if (remembered >= 0 && now() - lastSeek >= throttle) seekThrottled(remembered);
    }
    gst_element_set_state(pipeline, GST_STATE_NULL);
    return 0;
}
