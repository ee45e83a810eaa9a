// The parts of libdrm that Vitrine uses, and constants for macros that Swift cannot import.
#pragma once
#include <drm_fourcc.h>
#include <drm_mode.h>
#include <linux/dma-buf.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

// DRM_FORMAT_* are built by the function-like macro fourcc_code(), which Swift does not import.
static const uint32_t CDRM_FORMAT_XRGB8888 = DRM_FORMAT_XRGB8888;
static const uint32_t CDRM_FORMAT_ARGB8888 = DRM_FORMAT_ARGB8888;
static const uint32_t CDRM_FORMAT_XBGR8888 = DRM_FORMAT_XBGR8888;
static const uint32_t CDRM_FORMAT_ABGR8888 = DRM_FORMAT_ABGR8888;
static const uint32_t CDRM_FORMAT_RGB888 = DRM_FORMAT_RGB888;
static const uint32_t CDRM_FORMAT_BGR888 = DRM_FORMAT_BGR888;
static const uint32_t CDRM_FORMAT_YUV420 = DRM_FORMAT_YUV420;
static const uint32_t CDRM_FORMAT_YVU420 = DRM_FORMAT_YVU420;
static const uint32_t CDRM_FORMAT_NV12 = DRM_FORMAT_NV12;
static const uint32_t CDRM_FORMAT_NV21 = DRM_FORMAT_NV21;

// DRM_FORMAT_MOD_LINEAR is built by the function-like macro fourcc_mod_code().
static const uint64_t CDRM_FORMAT_MOD_LINEAR = DRM_FORMAT_MOD_LINEAR;

// DMA_BUF_IOCTL_SYNC is built by _IOW(), and ioctl() is variadic: Swift imports neither.
// `flags` is a sum of DMA_BUF_SYNC_*. Returns 0, or -1 with errno set.
static inline int cdrm_dma_buf_sync(int fd, uint64_t flags) {
    struct dma_buf_sync sync = {.flags = flags};
    return ioctl(fd, DMA_BUF_IOCTL_SYNC, &sync);
}

// DMA_BUF_SYNC_* are shifted expressions joined with casts in some kernel headers: kept in C to be the same in all.
static const uint64_t CDRM_SYNC_BEGIN_READ = DMA_BUF_SYNC_START | DMA_BUF_SYNC_READ;
static const uint64_t CDRM_SYNC_END_READ = DMA_BUF_SYNC_END | DMA_BUF_SYNC_READ;
