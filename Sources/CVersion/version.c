#include "CVersion.h"

const char *tapsim_version(void) { return TAPSIM_VERSION; }
