// Everything Vitrine uses of libdrm. The functions below are macros in C, which Swift cannot import.
#pragma once
#include <drm_fourcc.h>
#include <drm_mode.h>
#include <xf86drm.h>
#include <xf86drmMode.h>
