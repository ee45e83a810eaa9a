// What no player can exceed: shows the frame under a finger from framebuffers that were made beforehand. It neither reads, decodes nor
// scales, and makes one atomic commit for each frame, 3 ms before the vblank, with the newest place.
//
//   ideal PANEL FRAMES LEFT WIDTH
//
// PANEL is the touch panel's event device. The bar begins at LEFT and is WIDTH long, in fractions of the display. SIGINT ends it.
#include <drm_fourcc.h>
#include <err.h>
#include <fcntl.h>
#include <linux/input.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

// A strip, of which observe.c reads the middle, as if it were a film of 16:9. The row of cells is tools/lib/frames.py's.
enum { stripWidth = 640, stripHeight = 32, cells = 34, ahead = 3000000 };
static const double left = 0.05, length = 0.9;

enum { propFB, propCRTC, propSrcX, propSrcY, propSrcW, propSrcH, propX, propY, propW, propH, propCount };
static const char *const propNames[propCount] = {
    "FB_ID", "CRTC_ID", "SRC_X", "SRC_Y", "SRC_W", "SRC_H", "CRTC_X", "CRTC_Y", "CRTC_W", "CRTC_H"};

static int card;
static uint32_t crtc, plane, props[propCount];
static volatile sig_atomic_t ended;

static void end(int signal) { (void)signal; ended = 1; }

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static uint64_t rowOf(uint32_t frame) {
    uint32_t value = frame << 4;
    uint8_t crc = 0xff;
    for (int shift = 16; shift >= 0; shift -= 8) {
        crc ^= value >> shift;
        for (int i = 0; i < 8; i++) crc = crc & 0x80 ? crc << 1 ^ 0x07 : crc << 1;
    }
    return 5ull << 31 | (uint64_t)value << 11 | (uint64_t)crc << 3 | 2;
}

static uint32_t framebuffer(int width, int height, long frame) {
    struct drm_mode_create_dumb create = {.width = width, .height = height, .bpp = 32};
    if (drmIoctl(card, DRM_IOCTL_MODE_CREATE_DUMB, &create)) err(71, "a framebuffer of %d x %d", width, height);
    uint32_t handles[4] = {create.handle}, pitches[4] = {create.pitch}, offsets[4] = {0}, fb;
    if (drmModeAddFB2(card, width, height, DRM_FORMAT_XRGB8888, handles, pitches, offsets, &fb, 0)) err(71, "a framebuffer");
    if (frame < 0) return fb;
    struct drm_mode_map_dumb map = {.handle = create.handle};
    if (drmIoctl(card, DRM_IOCTL_MODE_MAP_DUMB, &map)) err(71, "a framebuffer's memory");
    uint8_t *bytes = mmap(NULL, create.size, PROT_WRITE, MAP_SHARED, card, map.offset);
    if (bytes == MAP_FAILED) err(71, "a framebuffer's memory");
    double wide = height * 16.0 / 9;
    uint64_t row = rowOf(frame);
    for (int i = 0; i < cells; i++) {
        int x = (width - wide) / 2 + (left + length * (i + 0.5) / cells) * wide;
        for (int y = 0; y < height; y++) memset(bytes + y * create.pitch + x * 4, row >> (cells - 1 - i) & 1 ? 235 : 16, 4);
    }
    munmap(bytes, create.size);
    return fb;
}

// The first connected display, in its preferred mode, with nothing on it, and an overlay plane.
static void light(void) {
    drmModeRes *resources = drmModeGetResources(card);
    drmModeConnector *connector = NULL;
    for (int i = 0; resources && i < resources->count_connectors; i++) {
        connector = drmModeGetConnector(card, resources->connectors[i]);
        if (connector && connector->connection == DRM_MODE_CONNECTED && connector->count_modes) break;
        connector = NULL;
    }
    if (!connector) errx(71, "no display");
    drmModeEncoder *encoder = drmModeGetEncoder(card, connector->encoders[0]);
    int index = 0;
    while (encoder && !(encoder->possible_crtcs & 1u << index)) index++;
    crtc = resources->crtcs[index];
    drmModeModeInfo mode = connector->modes[0];
    for (int i = 0; i < connector->count_modes; i++)
        if (connector->modes[i].hdisplay == 1024 && connector->modes[i].vdisplay == 768) mode = connector->modes[i];
    uint32_t fb = framebuffer(mode.hdisplay, mode.vdisplay, -1);
    if (drmModeSetCrtc(card, crtc, fb, 0, 0, &connector->connector_id, 1, &mode)) err(71, "the mode");
    drmModePlaneRes *planes = drmModeGetPlaneResources(card);
    for (uint32_t i = 0; planes && !plane && i < planes->count_planes; i++) {
        drmModePlane *one = drmModeGetPlane(card, planes->planes[i]);
        drmModeObjectProperties *has = drmModeObjectGetProperties(card, planes->planes[i], DRM_MODE_OBJECT_PLANE);
        bool isOverlay = false;
        for (uint32_t j = 0; has && j < has->count_props; j++) {
            drmModePropertyRes *property = drmModeGetProperty(card, has->props[j]);
            if (!strcmp(property->name, "type")) isOverlay = has->prop_values[j] == DRM_PLANE_TYPE_OVERLAY;
            for (int k = 0; k < propCount; k++)
                if (!strcmp(property->name, propNames[k])) props[k] = property->prop_id;
            drmModeFreeProperty(property);
        }
        if (isOverlay && one && one->possible_crtcs & 1u << index) plane = planes->planes[i];
    }
    if (!plane) errx(71, "no overlay plane");
}

static void show(uint32_t fb) {
    const uint64_t values[propCount] = {
        fb, crtc, 0, 0, (uint64_t)stripWidth << 16, (uint64_t)stripHeight << 16, 0, 0, stripWidth, stripHeight};
    drmModeAtomicReq *request = drmModeAtomicAlloc();
    for (int i = 0; i < propCount; i++) drmModeAtomicAddProperty(request, plane, props[i], values[i]);
    if (drmModeAtomicCommit(card, request, DRM_MODE_ATOMIC_NONBLOCK | DRM_MODE_PAGE_FLIP_EVENT, NULL)) err(71, "a commit");
    drmModeAtomicFree(request);
}

// The time of the last flip; 0 while a commit is under way.
static int64_t flipped;

static void flip(int fd, unsigned sequence, unsigned seconds, unsigned microseconds, unsigned of, void *data) {
    (void)fd, (void)sequence, (void)of, (void)data;
    flipped = seconds * 1000000000ll + microseconds * 1000ll;
}

int main(int argc, char **argv) {
    if (argc != 5) errx(64, "usage: ideal PANEL FRAMES LEFT WIDTH");
    long frames = atol(argv[2]);
    double begin = atof(argv[3]), width = atof(argv[4]);
    int panel = open(argv[1], O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct input_absinfo axis;
    if (panel < 0 || ioctl(panel, EVIOCGABS(ABS_MT_POSITION_X), &axis)) err(71, "%s", argv[1]);
    card = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
    if (card < 0) err(71, "/dev/dri/card0");
    drmSetClientCap(card, DRM_CLIENT_CAP_ATOMIC, 1);
    light();
    uint32_t *buffers = calloc(frames, sizeof *buffers);
    for (long i = 0; i < frames; i++) buffers[i] = framebuffer(stripWidth, stripHeight, i);
    sigaction(SIGINT, &(struct sigaction){.sa_handler = end}, NULL);

    const int64_t vblank = 1000000000 / 60;
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    struct pollfd sources[] = {{panel, POLLIN, 0}, {card, POLLIN, 0}, {timer, POLLIN, 0}};
    drmEventContext handlers = {.version = 3, .page_flip_handler2 = flip};
    long shown = 0, wanted = 0, asked = 0;
    bool isArmed = false;
    show(buffers[0]);
    while (!ended) {
        if (poll(sources, 3, -1) < 0) continue;
        struct input_event event;
        while (read(panel, &event, sizeof event) == sizeof event) {
            if (event.type == EV_ABS && event.code == ABS_MT_POSITION_X) {
                double place = ((double)event.value / axis.maximum - begin) / width;
                asked = place <= 0 ? 0 : place >= 1 ? frames - 1 : place * frames;
            } else if (event.type == EV_SYN) {
                wanted = asked;
            }
        }
        if (sources[1].revents) drmHandleEvent(card, &handlers);
        uint64_t count;
        if (sources[2].revents && read(timer, &count, sizeof count) == sizeof count) {
            isArmed = false;
            if (flipped && wanted != shown) {
                shown = wanted;
                flipped = 0;
                show(buffers[shown]);
            }
        }
        if (flipped && wanted != shown && !isArmed) {
            // The first moment before a vblank that is still to come.
            int64_t since = now() + ahead - flipped, at = flipped + (since / vblank + 1) * vblank - ahead;
            struct itimerspec due = {.it_value = {at / 1000000000, at % 1000000000}};
            timerfd_settime(timer, TFD_TIMER_ABSTIME, &due, NULL);
            isArmed = true;
        }
    }
    return 0;
}
