// An independent witness of what a display shows: at every vblank it asks the kernel which framebuffer each plane shows
// and reads the film's frame number from its pixels. It is not DRM master and knows nothing of the program it watches.
//
//   observe CARD W:H LEFT,WIDTH,Y
//
// W:H is the film's shape; 0:0 where it fills each framebuffer, whatever that one's shape.
// The row of cells (tools/lib/frames.py) begins at LEFT, is WIDTH long and is read at height Y,
// in fractions of the film. Standard output gets one line per change: CLOCK_MONOTONIC in nanoseconds and the frame
// number, -1 for no film.
// SIGTERM ends it; the last line then begins with # and says how many vblanks it saw and missed.
//
// Needs CAP_SYS_ADMIN: the kernel gives buffer handles to strangers only then.
#define _GNU_SOURCE
#include <drm_fourcc.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

enum { maxPlanes = 32, maxMappings = 48, scanEvery = 15, forgetAfter = 60 };
// The row: 1 0 1, frame number, film, CRC of both, 0 1 0; the most significant bit first.
enum { numberBits = 16, filmBits = 4, crcBits = 8, valueBits = numberBits + filmBits + crcBits, cells = valueBits + 6 };

// A buffer stays mapped while it is in use. The mapping holds a reference to the buffer, so its key (the mmap offset of
// a GEM object, the inode of a dma-buf) cannot come to mean another buffer.
struct mapping { uint64_t key; const uint8_t *bytes; size_t size; uint64_t lastUse; };

// One way of finding a luma-like byte: its offset, and the distance between two pixels.
struct layout { int step, shift; };

struct plane {
    uint32_t id, fb;
    struct mapping *mapping;
    const uint8_t *cells[cells];
    bool readable;
};

static int card;
static double aspect, left, length, level;
static struct mapping mappings[maxMappings];
static uint64_t tick;
static volatile sig_atomic_t ended;

static void end(int signal) { (void)signal; ended = 1; }

static bool layoutOf(uint32_t format, struct layout *out) {
    switch (format) {
    case DRM_FORMAT_XRGB8888: case DRM_FORMAT_ARGB8888: case DRM_FORMAT_XBGR8888: case DRM_FORMAT_ABGR8888:
        *out = (struct layout){4, 1}; return true;
    case DRM_FORMAT_RGB888: case DRM_FORMAT_BGR888:
        *out = (struct layout){3, 1}; return true;
    case DRM_FORMAT_YUV420: case DRM_FORMAT_YVU420: case DRM_FORMAT_YUV422: case DRM_FORMAT_YVU422:
    case DRM_FORMAT_YUV444: case DRM_FORMAT_YVU444: case DRM_FORMAT_NV12: case DRM_FORMAT_NV21:
    case DRM_FORMAT_NV16: case DRM_FORMAT_NV61: case DRM_FORMAT_NV24: case DRM_FORMAT_NV42:
        *out = (struct layout){1, 0}; return true;
    case DRM_FORMAT_YUYV: case DRM_FORMAT_YVYU:
        *out = (struct layout){2, 0}; return true;
    case DRM_FORMAT_UYVY: case DRM_FORMAT_VYUY:
        *out = (struct layout){2, 1}; return true;
    }
    return false;
}

static void closeHandle(uint32_t handle) {
    struct drm_gem_close close = {.handle = handle};
    drmIoctl(card, DRM_IOCTL_GEM_CLOSE, &close);
}

static struct mapping *mapped(uint64_t key, size_t size, int fd, off_t offset) {
    struct mapping *oldest = &mappings[0];
    for (int i = 0; i < maxMappings; i++) {
        if (mappings[i].bytes && mappings[i].key == key && mappings[i].size >= size) return &mappings[i];
        if (mappings[i].lastUse < oldest->lastUse) oldest = &mappings[i];
    }
    void *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, offset);
    if (bytes == MAP_FAILED) return NULL;
    if (oldest->bytes) munmap((void *)oldest->bytes, oldest->size);
    *oldest = (struct mapping){key, bytes, size, tick};
    return oldest;
}

// Releases the mappings of an ended program's buffers.
static void forgetMappings(struct plane *planes, int count) {
    for (int i = 0; i < maxMappings; i++) {
        if (mappings[i].bytes) munmap((void *)mappings[i].bytes, mappings[i].size);
        mappings[i] = (struct mapping){0};
    }
    for (int i = 0; i < count; i++) planes[i] = (struct plane){.id = planes[i].id};
}

// The buffer's bytes from its handle: a native buffer by its mmap offset, an imported one through its dma-buf.
static struct mapping *mappingOf(uint32_t handle, size_t size) {
    struct drm_mode_map_dumb map = {.handle = handle};
    if (!drmIoctl(card, DRM_IOCTL_MODE_MAP_DUMB, &map)) return mapped(map.offset, size, card, map.offset);
    int fd;
    if (drmPrimeHandleToFD(card, handle, DRM_CLOEXEC, &fd)) return NULL;
    struct stat status;
    fstat(fd, &status);
    struct mapping *mapping = mapped(status.st_ino | 1ull << 63, size, fd, 0);
    close(fd);
    return mapping;
}

// Finds the film's sample points in the plane's current framebuffer. The film is assumed to fill the framebuffer as far
// as its shape allows, centred: true for a frame on a plane of its own and for one painted on a whole screen.
static void locate(struct plane *plane) {
    plane->readable = false;
    struct drm_mode_fb_cmd2 fb = {.fb_id = plane->fb};
    struct layout layout;
    if (!plane->fb || drmIoctl(card, DRM_IOCTL_MODE_GETFB2, &fb)) return;
    bool linear = !(fb.flags & DRM_MODE_FB_MODIFIERS) || fb.modifier[0] == DRM_FORMAT_MOD_LINEAR;
    if (fb.handles[0] && linear && layoutOf(fb.pixel_format, &layout)) {
        size_t size = fb.offsets[0] + (size_t)fb.pitches[0] * fb.height;
        plane->mapping = mappingOf(fb.handles[0], size);
        plane->readable = plane->mapping != NULL;
        double width = fb.width, height = fb.height;
        if (aspect > 0 && width > height * aspect) width = height * aspect;
        else if (aspect > 0) height = width / aspect;
        int y = (fb.height - height) / 2 + level * height;
        for (int i = 0; plane->readable && i < cells; i++) {
            int x = (fb.width - width) / 2 + (left + length * (i + 0.5) / cells) * width;
            plane->cells[i] = plane->mapping->bytes + fb.offsets[0] + (size_t)y * fb.pitches[0] + x * layout.step + layout.shift;
        }
    }
    for (int i = 0; i < 4; i++) {
        bool again = false;
        for (int j = 0; j < i; j++) again |= fb.handles[j] == fb.handles[i];
        if (fb.handles[i] && !again) closeHandle(fb.handles[i]);
    }
}

static uint8_t crcOf(uint32_t value) {
    uint8_t crc = 0xff;
    for (int shift = 16; shift >= 0; shift -= 8) {
        crc ^= value >> shift;
        for (int i = 0; i < 8; i++) crc = crc & 0x80 ? crc << 1 ^ 0x07 : crc << 1;
    }
    return crc;
}

// The frame number on a plane; -1 if there is none, or only half of one.
static long frameOn(const struct plane *plane) {
    if (!plane->readable) return -1;
    uint64_t row = 0;
    for (int i = 0; i < cells; i++) {
        uint8_t value = *plane->cells[i];
        if (value > 96 && value < 160) return -1;
        row = row << 1 | (value >= 160);
    }
    if (row >> (cells - 3) != 5 || (row & 7) != 2) return -1;
    uint32_t value = row >> (3 + crcBits) & ((1u << (numberBits + filmBits)) - 1);
    return crcOf(value) == (row >> 3 & 0xff) ? (long)(value >> filmBits) : -1;
}

int main(int argc, char **argv) {
    double w, h;
    if (argc != 4 || sscanf(argv[2], "%lf:%lf", &w, &h) != 2 ||
        sscanf(argv[3], "%lf,%lf,%lf", &left, &length, &level) != 3) {
        fprintf(stderr, "usage: observe CARD W:H LEFT,WIDTH,Y\n");
        return 64;
    }
    aspect = h > 0 ? w / h : 0;
    card = open(argv[1], O_RDWR | O_CLOEXEC);
    if (card < 0) {
        fprintf(stderr, "observe: %s: %s\n", argv[1], strerror(errno));
        return 71;
    }
    // The first opener of a card becomes its master; the observed programs need that place.
    drmDropMaster(card);
    drmSetClientCap(card, DRM_CLIENT_CAP_UNIVERSAL_PLANES, 1);
    drmModePlaneRes *resources = drmModeGetPlaneResources(card);
    struct plane planes[maxPlanes] = {0};
    int planeCount = 0;
    for (uint32_t i = 0; resources && i < resources->count_planes && planeCount < maxPlanes; i++)
        planes[planeCount++].id = resources->planes[i];
    drmModeFreePlaneResources(resources);

    struct sigaction action = {.sa_handler = end};
    sigaction(SIGTERM, &action, NULL);
    struct sched_param priority = {.sched_priority = 50};
    sched_setscheduler(0, SCHED_FIFO, &priority);
    setvbuf(stdout, NULL, _IOLBF, 0);

    long shown = -2;
    uint64_t seen = 0, missed = 0, without = 0;
    uint32_t lastVblank = 0;
    while (!ended) {
        drmVBlank vblank = {.request = {.type = DRM_VBLANK_RELATIVE, .sequence = 1}};
        if (drmWaitVBlank(card, &vblank)) {
            // No mode is set: look again soon.
            nanosleep(&(struct timespec){.tv_nsec = 4000000}, NULL);
            lastVblank = 0;
        } else {
            seen++;
            if (lastVblank && vblank.reply.sequence - lastVblank > 1) missed += vblank.reply.sequence - lastVblank - 1;
            lastVblank = vblank.reply.sequence;
        }
        tick++;
        long frame = -1;
        for (int i = 0; i < planeCount; i++) {
            // Idle planes are checked four times a second: each check is a system call.
            if (!planes[i].fb && shown >= 0 && tick % scanEvery) continue;
            struct drm_mode_get_plane get = {.plane_id = planes[i].id};
            if (drmIoctl(card, DRM_IOCTL_MODE_GETPLANE, &get)) continue;
            if (get.fb_id != planes[i].fb || (get.fb_id && !planes[i].readable && tick % scanEvery == 0)) {
                planes[i].fb = get.fb_id;
                locate(&planes[i]);
            }
            if (planes[i].readable) planes[i].mapping->lastUse = tick;
            long here = frameOn(&planes[i]);
            if (here >= 0) frame = here;
        }
        without = frame < 0 ? without + 1 : 0;
        if (without == forgetAfter) forgetMappings(planes, planeCount);
        if (frame != shown) {
            struct timespec now;
            clock_gettime(CLOCK_MONOTONIC, &now);
            printf("%lld %ld\n", now.tv_sec * 1000000000ll + now.tv_nsec, frame);
            shown = frame;
        }
    }
    printf("# vblanks %llu missed %llu\n", (unsigned long long)seen, (unsigned long long)missed);
    return 0;
}
