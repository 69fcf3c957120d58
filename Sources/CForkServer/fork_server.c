#include "CForkServer.h"

// The compiler puts the file in, so that it is written once and edited as what it is.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char source[] = {
#embed "preload.c"
    , 0};

const char *fork_server_source(void) { return source; }
