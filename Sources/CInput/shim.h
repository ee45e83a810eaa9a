// Everything Vitrine uses of libinput and libudev.
#pragma once
#include <libinput.h>
#include <libudev.h>
