// Rare troubles of GStreamer and libav: this library is preloaded (LD_PRELOAD) and replaces their functions. Each
// trouble is active while a file of its name exists in the folder $TROUBLES.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <gst/gst.h>
#include <gst/video/gstvideodecoder.h>
#include <link.h>
#include <linux/videodev2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static gboolean is_there(const char *trouble)
{
    char *path = g_build_filename(g_getenv("TROUBLES"), trouble, NULL);
    gboolean is = access(path, F_OK) == 0;
    g_free(path);
    return is;
}

// Reports an event.
static void report(const char *event)
{
    char *path = g_build_filename(g_getenv("TROUBLES"), event, NULL);
    g_file_set_contents(path, "", 0, NULL);
    g_free(path);
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
    // Not the bar's pipeline.
    if (state != GST_STATE_PLAYING || !g_str_equal(GST_OBJECT_NAME(element), "film-pipeline")) return next(element, state);
    if (is_there("refused")) return GST_STATE_CHANGE_FAILURE;
    GstStateChangeReturn result = next(element, state);
    if (g_once_init_enter(&is_watched)) {
        g_thread_unref(g_thread_new("troubles", lose_clock, gst_object_ref(element)));
        g_once_init_leave(&is_watched, 1);
    }
    return result;
}

// "stuck": blocks the building of a film's pipeline, and reports "waits".
GstElement *gst_element_factory_make(const gchar *factory, const gchar *name)
{
    GstElement *(*next)(const gchar *, const gchar *) = dlsym(RTLD_NEXT, "gst_element_factory_make");
    while (g_str_equal(factory, "uridecodebin") && is_there("stuck")) {
        report("waits");
        g_usleep(20000);
    }
    return next(factory, name);
}

// "unreadable-sheets": as the file of a scrub sheet on a stick that was pulled out.
static bool is_of_sheet(int file)
{
    char name[32], path[4096];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    ssize_t length = readlink(name, path, sizeof path - 1);
    path[MAX(length, 0)] = '\0';
    return g_str_has_suffix(path, ".bif") || g_str_has_suffix(path, ".sheet");
}

ssize_t pread(int file, void *bytes, size_t count, off_t offset)
{
    ssize_t (*next)(int, void *, size_t, off_t) = dlsym(RTLD_NEXT, "pread");
    if (!is_of_sheet(file) || !is_there("unreadable-sheets")) return next(file, bytes, count, offset);
    errno = EIO;
    return -1;
}

// "bin-changes": always just when the queue of a server's bytes is searched for.
GstIterator *gst_bin_iterate_all_by_element_factory_name(GstBin *bin, const gchar *factory)
{
    GstIterator *(*next)(GstBin *, const gchar *) = dlsym(RTLD_NEXT, "gst_bin_iterate_all_by_element_factory_name");
    GstIterator *found = next(bin, factory);
    if (g_str_equal(factory, "queue2") && is_there("bin-changes")) {
        GstElement *other = gst_element_factory_make("identity", NULL);
        gst_bin_add(bin, other);
        gst_bin_remove(bin, other);
    }
    return found;
}

// "no-seeks": seeks are refused. "seeks-end": each one is answered with EOS at once.
gboolean gst_element_send_event(GstElement *element, GstEvent *event)
{
    gboolean (*next)(GstElement *, GstEvent *) = dlsym(RTLD_NEXT, "gst_element_send_event");
    if (GST_EVENT_TYPE(event) == GST_EVENT_SEEK && is_there("seeks-end")) {
        gdouble rate;
        GstFormat format;
        GstSeekFlags flags;
        gst_event_parse_seek(event, &rate, &format, &flags, NULL, NULL, NULL, NULL);
        GstEvent *other = gst_event_new_seek(rate, format, flags, GST_SEEK_TYPE_SET, 3600 * GST_SECOND, GST_SEEK_TYPE_SET, -1);
        gst_event_set_seqnum(other, gst_event_get_seqnum(event));
        gst_event_unref(event);
        return next(element, other);
    }
    if (GST_EVENT_TYPE(event) != GST_EVENT_SEEK || !is_there("no-seeks")) return next(element, event);
    gst_event_unref(event);
    return FALSE;
}

// "seeks-nothing": the film's demuxer answers a flushing seek only with the flush, not even with EOS. "late-segment":
// after a flushing seek it sends its first buffer before the segment. A pad's trouble is chosen when its flush stops.
static gboolean is_of_film(GstPad *pad)
{
    GstObject *object = gst_object_get_parent(GST_OBJECT(pad));
    const char *kind = object && GST_IS_ELEMENT(object)
        ? gst_element_class_get_metadata(GST_ELEMENT_GET_CLASS(object), GST_ELEMENT_METADATA_KLASS) : NULL;
    gboolean is = FALSE;
    if (kind && strstr(kind, "Demux")) {
        // The search for key frames has a demuxer of its own.
        GstObject *parent;
        while (object && (parent = gst_object_get_parent(object))) {
            gst_object_unref(object);
            object = parent;
        }
        is = g_str_equal(GST_OBJECT_NAME(object), "film-pipeline");
    }
    g_clear_pointer(&object, gst_object_unref);
    return is;
}

static void drop_event(gpointer event) { gst_event_unref(event); }

gboolean gst_pad_push_event(GstPad *pad, GstEvent *event)
{
    gboolean (*next)(GstPad *, GstEvent *) = dlsym(RTLD_NEXT, "gst_pad_push_event");
    if (!is_of_film(pad)) return next(pad, event);
    GstEventType type = GST_EVENT_TYPE(event);
    if (type == GST_EVENT_FLUSH_STOP) {
        g_object_set_data(G_OBJECT(pad), "says-nothing", GINT_TO_POINTER(is_there("seeks-nothing")));
        g_object_set_data(G_OBJECT(pad), "holds-segment", GINT_TO_POINTER(is_there("late-segment")));
        g_object_set_data(G_OBJECT(pad), "segment", NULL);
    } else if (type != GST_EVENT_FLUSH_START && g_object_get_data(G_OBJECT(pad), "says-nothing")) {
        gst_event_unref(event);
        return TRUE;
    } else if (type == GST_EVENT_SEGMENT && g_object_get_data(G_OBJECT(pad), "holds-segment")) {
        g_object_set_data(G_OBJECT(pad), "holds-segment", NULL);
        g_object_set_data_full(G_OBJECT(pad), "segment", event, drop_event);
        return TRUE;
    }
    return next(pad, event);
}

GstFlowReturn gst_pad_push(GstPad *pad, GstBuffer *buffer)
{
    GstFlowReturn (*next)(GstPad *, GstBuffer *) = dlsym(RTLD_NEXT, "gst_pad_push");
    if (g_object_get_data(G_OBJECT(pad), "says-nothing")) {
        report("said-nothing");
        gst_buffer_unref(buffer);
        return GST_FLOW_OK;
    }
    GstEvent *late = g_object_steal_data(G_OBJECT(pad), "segment");
    if (!late) return next(pad, buffer);
    report("segment-was-late");
    GstFlowReturn result = next(pad, buffer);
    gst_pad_push_event(pad, late);
    return result;
}

// "one-decoder": like hardware with a single decoder, whose second user waits until the first one releases it.
struct AVCodecContext {
    const void *class;
    int log_level_offset;
    int codec_type; // 0: video
};

static GMutex decoder;
static GCond decoder_free;
static struct AVCodecContext *decoder_user;

// The library must not be loaded here: the linker is locked.
static int find_libavcodec(struct dl_phdr_info *library, size_t size, void *path)
{
    if (!strstr(library->dlpi_name, "/libavcodec.so")) return 0;
    *(char **)path = g_strdup(library->dlpi_name);
    return 1;
}

// A plugin's library, which RTLD_NEXT does not find.
static void *of_libavcodec(const char *name)
{
    static gsize library;
    if (g_once_init_enter(&library)) {
        char *path = NULL;
        dl_iterate_phdr(find_libavcodec, &path);
        g_once_init_leave(&library, (gsize)dlopen(path, RTLD_LAZY | RTLD_NOLOAD));
        g_free(path);
    }
    return dlsym((void *)library, name);
}

int avcodec_send_packet(struct AVCodecContext *context, const void *packet)
{
    if (context->codec_type == 0) {
        g_mutex_lock(&decoder);
        while (decoder_user && decoder_user != context && is_there("one-decoder"))
            g_cond_wait_until(&decoder_free, &decoder, g_get_monotonic_time() + 50000);
        decoder_user = context;
        g_mutex_unlock(&decoder);
    }
    int (*next)(struct AVCodecContext *, const void *) = of_libavcodec("avcodec_send_packet");
    return next(context, packet);
}

static void give_back(struct AVCodecContext *context)
{
    g_mutex_lock(&decoder);
    if (decoder_user == context) decoder_user = NULL;
    g_cond_broadcast(&decoder_free);
    g_mutex_unlock(&decoder);
}

int avcodec_close(struct AVCodecContext *context)
{
    int (*next)(struct AVCodecContext *) = of_libavcodec("avcodec_close");
    int result = next(context);
    give_back(context);
    return result;
}

void avcodec_free_context(struct AVCodecContext **context)
{
    void (*next)(struct AVCodecContext **) = of_libavcodec("avcodec_free_context");
    struct AVCodecContext *before = *context;
    next(context);
    if (before) give_back(before);
}

// "hardware": a decoder of H.264 that claims to be hardware's, and has the highest rank: libav's under another name.
// While these files exist, it
// - "refuses": accepts no format, once the first frame gives it,
// - "breaks": fails with its 101st frame, and with each later one,
// - "breaks-in-seek": fails with the first frame after a flush,
// - "swallows": takes each frame, and gives out none,
// - "wedges": takes no frame after a flush, and does not return,
// - "wedges-in-flush": does not return from a flush's start, as a device whose thread does not end,
// - "wedges-in-play": the same with its 101st frame,
// - "wedges-at-once": the same with its first frame,
// - "wedges-in-opening": does not return from opening its device,
// - "falls": crashes the program at its 51st frame.
static GstVideoDecoderClass *decoder_base;
static gint decoder_frames;
static gboolean decoder_flushed;

static gboolean open_decoder(GstVideoDecoder *self)
{
    while (is_there("wedges-in-opening")) g_usleep(20000);
    return !decoder_base->open || decoder_base->open(self);
}

static gboolean decoder_event(GstVideoDecoder *self, GstEvent *event)
{
    gboolean flushes = GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_START, result = decoder_base->sink_event(self, event);
    if (!flushes || !is_there("wedges-in-flush")) return result;
    GST_PAD_STREAM_LOCK(self->srcpad);
    while (is_there("wedges-in-flush")) g_usleep(20000);
    GST_PAD_STREAM_UNLOCK(self->srcpad);
    return result;
}

static gboolean flush_decoder(GstVideoDecoder *self)
{
    decoder_flushed = TRUE;
    return !decoder_base->flush || decoder_base->flush(self);
}

static GstFlowReturn handle_frame(GstVideoDecoder *self, GstVideoCodecFrame *frame)
{
    gint number = g_atomic_int_add(&decoder_frames, 1);
    if (number >= 50 && is_there("falls")) abort();
    if (is_there("refuses")) return GST_FLOW_NOT_NEGOTIATED;
    while ((decoder_flushed && is_there("wedges")) || (number >= 100 && is_there("wedges-in-play")) || is_there("wedges-at-once"))
        g_usleep(20000);
    if ((number >= 100 && is_there("breaks")) || (decoder_flushed && is_there("breaks-in-seek"))) {
        report("broke");
        // In libgstvideo, which the program has.
        void (*drop)(GstVideoDecoder *, GstVideoCodecFrame *) = dlsym(RTLD_DEFAULT, "gst_video_decoder_release_frame");
        drop(self, frame);
        GST_ELEMENT_ERROR(self, STREAM, DECODE, ("the hardware is out of order"), ("Invalid argument (22)"));
        return GST_FLOW_ERROR;
    }
    if (is_there("swallows")) {
        // As v4l2videodec with a buffer that its device left empty.
        GstFlowReturn (*drop)(GstVideoDecoder *, GstVideoCodecFrame *) = dlsym(RTLD_DEFAULT, "gst_video_decoder_drop_frame");
        return drop(self, frame);
    }
    return decoder_base->handle_frame(self, frame);
}

static void decoder_class_init(gpointer klass, gpointer data)
{
    GstVideoDecoderClass *decoder_class = klass;
    decoder_base = g_type_class_peek_parent(klass);
    decoder_class->open = open_decoder;
    decoder_class->sink_event = decoder_event;
    decoder_class->flush = flush_decoder;
    decoder_class->handle_frame = handle_frame;
    gst_element_class_set_static_metadata(klass, "A decoder that fails", "Codec/Decoder/Video/Hardware", "libav in another name", "the tests");
}

static void register_decoder(void)
{
    GstElementFactory *factory = gst_element_factory_find("avdec_h264");
    GstPluginFeature *loaded = gst_plugin_feature_load(GST_PLUGIN_FEATURE(factory));
    GType base = gst_element_factory_get_element_type(GST_ELEMENT_FACTORY(loaded));
    // From libav's codec: its class starts with that.
    GQuark codec = g_quark_from_static_string("avdec-params");
    GTypeQuery query;
    g_type_query(base, &query);
    GTypeInfo info = { .class_size = query.class_size, .class_init = decoder_class_init, .instance_size = query.instance_size };
    GType type = g_type_register_static(base, "FailingDecoder", &info, 0);
    g_type_set_qdata(type, codec, g_type_get_qdata(base, codec));
    gst_element_register(NULL, "failingdec", GST_RANK_PRIMARY + 100, type);
    gst_object_unref(loaded);
    gst_object_unref(factory);
}

// "stateful": a decoder of H.264 like a Raspberry Pi 4's, a V4L2 device that keeps its own state, with the highest
// rank. The kernel has one of FWHT (vicodec), which no container supports: libav decodes the film, a probe behind it
// has vicodec encode each frame, one for one, and GStreamer's v4l2fwhtdec decodes that. GStreamer's own encoder
// requests too few bytes for most sizes (gstv4l2allocator.c, 1.22 and 1.26), and hangs after flushes.
typedef struct {
    int device;
    struct v4l2_format raw, coded;
    void *in, *out;
    size_t in_size, out_size;
    int width, height;
} Encoder;

static bool ask(int device, unsigned long request, void *argument)
{
    int result;
    do result = ioctl(device, request, argument);
    while (result < 0 && errno == EINTR);
    return result >= 0;
}

static int open_encoder(void)
{
    for (int number = 0; number < 32; number++) {
        char path[32];
        snprintf(path, sizeof path, "/dev/video%d", number);
        int device = open(path, O_RDWR | O_CLOEXEC);
        if (device < 0) continue;
        struct v4l2_fmtdesc format = { .type = V4L2_BUF_TYPE_VIDEO_CAPTURE };
        struct v4l2_fmtdesc raw = { .type = V4L2_BUF_TYPE_VIDEO_OUTPUT };
        if (ask(device, VIDIOC_ENUM_FMT, &format) && format.pixelformat == V4L2_PIX_FMT_FWHT && ask(device, VIDIOC_ENUM_FMT, &raw))
            return device;
        close(device);
    }
    return -1;
}

static void *map_buffer(int device, unsigned type, size_t *size)
{
    struct v4l2_requestbuffers wanted = { .count = 1, .type = type, .memory = V4L2_MEMORY_MMAP };
    struct v4l2_buffer buffer = { .index = 0, .type = type, .memory = V4L2_MEMORY_MMAP };
    if (!ask(device, VIDIOC_REQBUFS, &wanted) || !ask(device, VIDIOC_QUERYBUF, &buffer)) return NULL;
    *size = buffer.length;
    void *memory = mmap(NULL, buffer.length, PROT_READ | PROT_WRITE, MAP_SHARED, device, buffer.m.offset);
    return memory == MAP_FAILED ? NULL : memory;
}

static void end_encoder(gpointer data)
{
    Encoder *self = data;
    if (self->in) munmap(self->in, self->in_size);
    if (self->out) munmap(self->out, self->out_size);
    if (self->device >= 0) close(self->device);
    g_free(self);
}

// The coded stream contains the colours. If the film does not give them, they follow its size, as everywhere.
static void set_colours(struct v4l2_pix_format *pix, const char *colorimetry, int height)
{
    pix->priv = V4L2_PIX_FMT_PRIV_MAGIC;
    bool is_full = colorimetry && g_str_has_prefix(colorimetry, "1:");
    // "2:0:0:0" gives only the range.
    bool is_given = colorimetry && !g_str_has_prefix(colorimetry + 1, ":0:");
    bool is_709 = !is_given ? height >= 720 : g_str_equal(colorimetry, "bt709") || g_str_has_prefix(colorimetry + 1, ":3:");
    pix->colorspace = is_709 ? V4L2_COLORSPACE_REC709 : V4L2_COLORSPACE_SMPTE170M;
    pix->ycbcr_enc = is_709 ? V4L2_YCBCR_ENC_709 : V4L2_YCBCR_ENC_601;
    pix->xfer_func = V4L2_XFER_FUNC_709;
    pix->quantization = is_full ? V4L2_QUANTIZATION_FULL_RANGE : V4L2_QUANTIZATION_LIM_RANGE;
}

static Encoder *begin_encoder(int width, int height, const char *colorimetry)
{
    Encoder *self = g_new0(Encoder, 1);
    self->device = open_encoder();
    self->width = width;
    self->height = height;
    self->raw = (struct v4l2_format){ .type = V4L2_BUF_TYPE_VIDEO_OUTPUT };
    self->raw.fmt.pix.width = width;
    self->raw.fmt.pix.height = height;
    self->raw.fmt.pix.pixelformat = V4L2_PIX_FMT_YUV420;
    set_colours(&self->raw.fmt.pix, colorimetry, height);
    self->coded = (struct v4l2_format){ .type = V4L2_BUF_TYPE_VIDEO_CAPTURE };
    self->coded.fmt.pix.pixelformat = V4L2_PIX_FMT_FWHT;
    struct v4l2_selection seen = { .type = V4L2_BUF_TYPE_VIDEO_OUTPUT, .target = V4L2_SEL_TGT_CROP, .r = { 0, 0, width, height } };
    // Each frame is a key frame: a flushed decoder has forgotten the one before.
    struct v4l2_control alone = { .id = V4L2_CID_MPEG_VIDEO_GOP_SIZE, .value = 1 };
    int output = V4L2_BUF_TYPE_VIDEO_OUTPUT, capture = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (self->device < 0 || !ask(self->device, VIDIOC_S_FMT, &self->raw) || !ask(self->device, VIDIOC_S_SELECTION, &seen)
        || !ask(self->device, VIDIOC_S_CTRL, &alone)
        || !ask(self->device, VIDIOC_S_FMT, &self->coded) || !(self->in = map_buffer(self->device, output, &self->in_size))
        || !(self->out = map_buffer(self->device, capture, &self->out_size)) || !ask(self->device, VIDIOC_STREAMON, &output)
        || !ask(self->device, VIDIOC_STREAMON, &capture)) {
        perror("vicodec");
        end_encoder(self);
        return NULL;
    }
    return self;
}

static void copy_plane(guint8 *to, int pitch, const guint8 *from, int width, int height)
{
    for (int line = 0; line < height; line++) memcpy(to + line * pitch, from + line * GST_ROUND_UP_4(width), width);
}

static GstBuffer *encode(Encoder *self, GstBuffer *frame)
{
    GstMapInfo map;
    int pitch = self->raw.fmt.pix.bytesperline, lines = self->raw.fmt.pix.height, w = self->width, h = self->height;
    int luma = GST_ROUND_UP_4(w) * GST_ROUND_UP_2(h), chroma = GST_ROUND_UP_4(w / 2) * (h / 2);
    if (!gst_buffer_map(frame, &map, GST_MAP_READ)) return NULL;
    guint8 *to = self->in;
    copy_plane(to, pitch, map.data, w, h);
    for (int plane = 0; plane < 2; plane++)
        copy_plane(to + pitch * lines + plane * pitch / 2 * (lines / 2), pitch / 2, map.data + luma + plane * chroma, w / 2, h / 2);
    gst_buffer_unmap(frame, &map);
    struct v4l2_buffer in = { .type = V4L2_BUF_TYPE_VIDEO_OUTPUT, .memory = V4L2_MEMORY_MMAP,
                              .bytesused = self->raw.fmt.pix.sizeimage, .field = V4L2_FIELD_NONE };
    struct v4l2_buffer out = { .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP };
    if (!ask(self->device, VIDIOC_QBUF, &out) || !ask(self->device, VIDIOC_QBUF, &in) || !ask(self->device, VIDIOC_DQBUF, &out)
        || !ask(self->device, VIDIOC_DQBUF, &in)) {
        perror("vicodec");
        return NULL;
    }
    GstBuffer *coded = gst_buffer_new_memdup(self->out, out.bytesused);
    gst_buffer_copy_into(coded, frame, GST_BUFFER_COPY_FLAGS | GST_BUFFER_COPY_TIMESTAMPS, 0, -1);
    return coded;
}

static GstPadProbeReturn encode_probe(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
        Encoder *self = g_object_get_data(G_OBJECT(pad), "encoder");
        GstBuffer *frame = GST_PAD_PROBE_INFO_BUFFER(info), *coded = self ? encode(self, frame) : NULL;
        if (!coded) return GST_PAD_PROBE_DROP;
        gst_buffer_unref(frame);
        info->data = coded;
    } else if (info->type & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) {
        GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info);
        if (GST_EVENT_TYPE(event) != GST_EVENT_CAPS) return GST_PAD_PROBE_OK;
        GstCaps *caps;
        gst_event_parse_caps(event, &caps);
        GstCaps *coded = gst_caps_copy(caps);
        GstStructure *reported = gst_caps_get_structure(coded, 0);
        int width = 0, height = 0;
        gst_structure_get_int(reported, "width", &width);
        gst_structure_get_int(reported, "height", &height);
        if (!gst_structure_has_name(reported, "video/x-fwht")) {
            g_object_set_data_full(G_OBJECT(pad), "encoder", begin_encoder(width, height, gst_structure_get_string(reported, "colorimetry")),
                                   end_encoder);
            gst_structure_set_name(reported, "video/x-fwht");
            gst_structure_remove_field(reported, "format");
        }
        info->data = gst_event_new_caps(coded);
        gst_caps_unref(coded);
        gst_event_unref(event);
    } else {
        GstQuery *query = GST_PAD_PROBE_INFO_QUERY(info);
        if (GST_QUERY_TYPE(query) == GST_QUERY_ALLOCATION) return GST_PAD_PROBE_DROP;
        if (GST_QUERY_TYPE(query) == GST_QUERY_ACCEPT_CAPS) gst_query_set_accept_caps_result(query, TRUE);
        else if (GST_QUERY_TYPE(query) == GST_QUERY_CAPS) {
            GstCaps *taken = gst_caps_from_string("video/x-raw,format=I420"), *filter;
            gst_query_parse_caps(query, &filter);
            GstCaps *both = filter ? gst_caps_intersect(filter, taken) : gst_caps_ref(taken);
            gst_query_set_caps_result(query, both);
            gst_caps_unref(both);
            gst_caps_unref(taken);
        } else return GST_PAD_PROBE_OK;
        return GST_PAD_PROBE_HANDLED;
    }
    return GST_PAD_PROBE_OK;
}

static void stateful_init(GTypeInstance *instance, gpointer klass)
{
    GstElement *first = gst_element_factory_make("avdec_h264", NULL), *second = gst_element_factory_make("v4l2fwhtdec", NULL);
    if (!first || !second) return;
    gst_bin_add_many(GST_BIN(instance), first, second, NULL);
    GstPad *from = gst_element_get_static_pad(first, "src"), *to = gst_element_get_static_pad(second, "sink");
    // Below the element's own functions, which would not accept the formats of raw frames in place of coded ones.
    gst_pad_link_full(from, to, GST_PAD_LINK_CHECK_NOTHING);
    gst_pad_add_probe(to, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
                      encode_probe, NULL, NULL);
    static const char *names[] = { "sink", "src" };
    for (int i = 0; i < 2; i++) {
        GstPad *target = gst_element_get_static_pad(i == 0 ? first : second, names[i]);
        GstPadTemplate *template = gst_element_class_get_pad_template(klass, names[i]);
        gst_element_add_pad(GST_ELEMENT(instance), gst_ghost_pad_new_from_template(names[i], target, template));
        gst_object_unref(target);
    }
    gst_object_unref(from);
    gst_object_unref(to);
}

// What an element says that it gives out: with GStreamer 1.24 and newer a device's memory, too.
static GstCaps *given_out_by(const char *element)
{
    GstElementFactory *factory = gst_element_factory_find(element);
    const GList *templates = factory ? gst_element_factory_get_static_pad_templates(factory) : NULL;
    GstCaps *caps = NULL;
    for (; templates && !caps; templates = templates->next) {
        GstStaticPadTemplate *template = templates->data;
        if (template->direction == GST_PAD_SRC) caps = gst_static_pad_template_get_caps(template);
    }
    g_clear_object(&factory);
    return caps ? caps : gst_caps_from_string("video/x-raw");
}

static void add_template(gpointer klass, const char *name, GstPadDirection direction, GstCaps *caps)
{
    gst_element_class_add_pad_template(klass, gst_pad_template_new(name, direction, GST_PAD_ALWAYS, caps));
    gst_caps_unref(caps);
}

static void stateful_class_init(gpointer klass, gpointer data)
{
    gst_element_class_set_static_metadata(klass, "A stateful decoder", "Codec/Decoder/Video/Hardware", "vicodec behind libav", "the tests");
    add_template(klass, "sink", GST_PAD_SINK, gst_caps_from_string(
        "video/x-h264,stream-format=avc,alignment=au;video/x-h264,stream-format=byte-stream,alignment=au"));
    add_template(klass, "src", GST_PAD_SRC, given_out_by("v4l2fwhtdec"));
}

static void register_stateful(void)
{
    GTypeQuery query;
    g_type_query(GST_TYPE_BIN, &query);
    GTypeInfo info = { .class_size = query.class_size, .class_init = stateful_class_init, .instance_size = query.instance_size,
                       .instance_init = stateful_init };
    GType type = g_type_register_static(GST_TYPE_BIN, "StatefulDecoder", &info, 0);
    gst_element_register(NULL, "statefuldec", GST_RANK_PRIMARY + 200, type);
}

gboolean gst_init_check(int *count, char **words[], GError **error)
{
    gboolean (*next)(int *, char ***, GError **) = dlsym(RTLD_NEXT, "gst_init_check");
    static gsize is_done;
    gboolean result = next(count, words, error);
    if (result && g_once_init_enter(&is_done)) {
        if (is_there("hardware")) register_decoder();
        if (is_there("stateful")) register_stateful();
        g_once_init_leave(&is_done, 1);
    }
    return result;
}
