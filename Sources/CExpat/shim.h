// The parts of expat that Vitrine uses.
#pragma once
#include <expat.h>
