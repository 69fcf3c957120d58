#include "CForkServer.h"

// The compiler embeds the file, so that the source exists once and can be edited as C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char source[] = {
#embed "preload.c"
    , 0};

const char *fork_server_source(void) { return source; }
