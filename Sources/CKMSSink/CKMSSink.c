#include "CKMSSink.h"
