#define _GNU_SOURCE
#include "meters.h"

#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

// The executable's own malloc comes before the C library's, for the Swift runtime too.
#if defined(__linux__) && defined(__GLIBC__)
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_size_t count, bytes;

static void count_one(size_t size) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
}

void *malloc(size_t size) {
    count_one(size);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count_one(number * size);
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count_one(size);
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count_one(size);
    return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = aligned_alloc(alignment, size);
    return *memory ? 0 : ENOMEM;
}

bool allocation_counter_works(void) { return true; }

size_t allocation_count(void) { return atomic_load_explicit(&count, memory_order_relaxed); }

size_t allocated_bytes(void) { return atomic_load_explicit(&bytes, memory_order_relaxed); }

size_t bytes_in_use(void) {
    struct mallinfo2 memory = mallinfo2();
    return memory.uordblks + memory.hblkhd;
}
#else
bool allocation_counter_works(void) { return false; }

size_t allocation_count(void) { return 0; }

size_t allocated_bytes(void) { return 0; }

size_t bytes_in_use(void) { return 0; }
#endif

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

bool counts_instructions(void) { return true; }

void begin_counting(void) { CALLGRIND_ZERO_STATS; }

void end_counting(const char *name) { CALLGRIND_DUMP_STATS_AT(name); }
#else
bool counts_instructions(void) { return false; }

void begin_counting(void) {}

void end_counting(const char *name) { (void)name; }
#endif

static double nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

double thread_nanoseconds(void) { return nanoseconds(CLOCK_THREAD_CPUTIME_ID); }

double process_nanoseconds(void) { return nanoseconds(CLOCK_PROCESS_CPUTIME_ID); }

double monotonic_nanoseconds(void) { return nanoseconds(CLOCK_MONOTONIC); }

double start_nanoseconds(char *const *words) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child;
    int status = -1;
    double start = monotonic_nanoseconds();
    bool runs = !posix_spawn(&child, words[0], &actions, NULL, words, environ) && waitpid(child, &status, 0) == child;
    double end = monotonic_nanoseconds();
    posix_spawn_file_actions_destroy(&actions);
    return runs && status == 0 ? end - start : -1;
}

#if defined(__linux__)
bool forget_file(const char *path) {
    int file = open(path, O_RDONLY);
    if (file < 0) return false;
    bool asked = !fdatasync(file) && !posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    close(file);
    return asked;
}
#else
bool forget_file(const char *path) {
    (void)path;
    return false;
}
#endif

#if defined(__linux__)
bool stay_on_one_processor(void) {
    int processor = sched_getcpu();
    if (processor < 0) return false;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0;
}
#else
bool stay_on_one_processor(void) { return false; }
#endif

// Of the Swift runtime, which every program here is linked with.
extern char *swift_demangle(const char *name, size_t length, char *output, size_t *capacity, uint32_t flags);

char *demangled_name(const char *name) { return swift_demangle(name, strlen(name), NULL, NULL, 0); }

static double nanoseconds_of(struct timeval time) { return 1e9 * (double)time.tv_sec + 1e3 * (double)time.tv_usec; }

static resources resources_of(int who) {
    struct rusage usage;
    getrusage(who, &usage);
    return (resources){
        .user_nanoseconds = nanoseconds_of(usage.ru_utime),
        .system_nanoseconds = nanoseconds_of(usage.ru_stime),
        .page_faults = usage.ru_minflt,
        .context_switches = usage.ru_nvcsw + usage.ru_nivcsw,
    };
}

resources resources_used(void) { return resources_of(RUSAGE_SELF); }

resources resources_of_children(void) { return resources_of(RUSAGE_CHILDREN); }

#if defined(__linux__)
#include <fcntl.h>
#include <linux/usbdevice_fs.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>

int usb_open(const char *node) {
    unsigned interface = 0;
    int device = open(node, O_RDWR | O_CLOEXEC);
    return device < 0 || ioctl(device, USBDEVFS_CLAIMINTERFACE, &interface) != 0 ? -1 : device;
}

// Submits a block, waits until it can be reaped, and reaps it; returns its length, or -1.
static long transfer(int device, unsigned char endpoint, unsigned char *bytes, size_t count, int limit) {
    struct usbdevfs_urb block = {.type = USBDEVFS_URB_TYPE_BULK, .endpoint = endpoint, .buffer = bytes};
    struct pollfd entry = {.fd = device, .events = POLLOUT};
    struct usbdevfs_urb *reaped = NULL;
    block.buffer_length = (int)count;
    if (ioctl(device, USBDEVFS_SUBMITURB, &block) != 0) return -1;
    if (poll(&entry, 1, limit) != 1) {
        ioctl(device, USBDEVFS_DISCARDURB, &block);
        ioctl(device, USBDEVFS_REAPURBNDELAY, &reaped);
        return -1;
    }
    if (ioctl(device, USBDEVFS_REAPURBNDELAY, &reaped) != 0 || reaped != &block || block.status != 0) return -1;
    return block.actual_length;
}

long usb_exchange(
    int device, const unsigned char *command, size_t count, unsigned char *answer, size_t room, int limit) {
    unsigned char sent[512];
    if (count > sizeof sent) return -1;
    memcpy(sent, command, count);
    if (transfer(device, 0x02, sent, count, limit) != (long)count) return -1;
    if (transfer(device, 0x81, answer, room, limit) < 0) return -1;
    return transfer(device, 0x81, answer, room, limit);
}

double usb_wait(int device, int milliseconds) {
    unsigned char bytes[64];
    double start = process_nanoseconds();
    return transfer(device, 0x81, bytes, sizeof bytes, milliseconds) >= 0 ? -1 : process_nanoseconds() - start;
}
#else
int usb_open(const char *node) { return (void)node, -1; }
long usb_exchange(
    int device, const unsigned char *command, size_t count, unsigned char *answer, size_t room, int limit) {
    return (void)device, (void)command, (void)count, (void)answer, (void)room, (void)limit, -1;
}
double usb_wait(int device, int milliseconds) { return (void)device, (void)milliseconds, -1; }
#endif
