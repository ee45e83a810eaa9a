// Everything Vitrine uses of expat.
#pragma once
#include <expat.h>
