#include "meters.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <valgrind/callgrind.h>

// The executable's own malloc comes before the C library's, for the Swift runtime too.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_size_t count;

static void count_one(void) { atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); }

void *malloc(size_t size) { return count_one(), __libc_malloc(size); }

void *calloc(size_t number, size_t size) { return count_one(), __libc_calloc(number, size); }

void *realloc(void *memory, size_t size) { return count_one(), __libc_realloc(memory, size); }

void *memalign(size_t alignment, size_t size) { return count_one(), __libc_memalign(alignment, size); }

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

size_t allocation_count(void) { return atomic_load_explicit(&count, memory_order_relaxed); }

size_t bytes_in_use(void) {
    struct mallinfo2 memory = mallinfo2();
    return memory.uordblks + memory.hblkhd;
}

void begin_counting(void) { CALLGRIND_ZERO_STATS; }

void end_counting(const char *name) { CALLGRIND_DUMP_STATS_AT(name); }
