// Functions that the archives in the one-file tapsim need and that its C library (libc.sh) is too old to have.
// The linker uses these in place of the C library's; only Tools/package builds with them.
// If Tools/package fails with an undefined symbol, add the symbol here.
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

// glibc 2.36; libstdc++'s random_device.
uint32_t arc4random(void) {
    uint32_t number;
    // So few bytes are never cut short; the call waits until the system has gathered entropy.
    if (getrandom(&number, sizeof number, 0) != sizeof number) abort();
    return number;
}

// glibc 2.35; libgcc's unwinder, which uses dl_iterate_phdr if this finds nothing.
int _dl_find_object(void *address, void *result) {
    (void)address;
    (void)result;
    return -1;
}

// glibc 2.32; libstdc++ counts references without atomic operations if this is true.
char __libc_single_threaded = 0;
