// The parts of libjpeg-turbo that Vitrine uses: its own interface, which reports errors as values. libjpeg's uses
// longjmp over the caller's frames.
#pragma once
#include <turbojpeg.h>
