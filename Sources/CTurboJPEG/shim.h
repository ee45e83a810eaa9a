// Everything Vitrine uses of libjpeg-turbo: its own interface, which reports errors as values. libjpeg's jumps over the caller's frames.
#pragma once
#include <turbojpeg.h>
