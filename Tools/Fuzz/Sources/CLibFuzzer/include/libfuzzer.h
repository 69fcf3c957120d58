/* The way into libFuzzer for a program with a main of its own. The compiler links it in by -sanitize=fuzzer.
   Source: LLVM, "libFuzzer", "using libFuzzer as a library". */
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
