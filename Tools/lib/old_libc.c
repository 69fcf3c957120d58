// What the archives in the one-file tapsim ask of a C library that is newer than the one it is linked to (libc.sh).
// The linker takes these in place of the C library's; a build other than Tools/package's has no part in them.
// An undefined symbol when Tools/package links means: one more is needed here.
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

// glibc 2.36; libstdc++'s random_device.
uint32_t arc4random(void) {
    uint32_t number;
    // So few bytes come whole, once the system has gathered entropy; until then this waits.
    if (getrandom(&number, sizeof number, 0) != sizeof number) abort();
    return number;
}

// glibc 2.35; libgcc's unwinder, which goes through dl_iterate_phdr where this finds nothing.
int _dl_find_object(void *address, void *result) {
    (void)address;
    (void)result;
    return -1;
}

// glibc 2.32; libstdc++ counts references without atomic operations where this is true.
char __libc_single_threaded = 0;
