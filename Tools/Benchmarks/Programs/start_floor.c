#include <stdio.h>

// The least program there is: it prints what Start does. The package tool would link the Swift runtime to it, so the
// benchmarks hand it to the C compiler.
int main(void) {
    puts("1D0701010A1020304050000001000102030405060708090A0B0C0D0E0F");
    return 0;
}
