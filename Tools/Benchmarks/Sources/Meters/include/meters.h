#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Whether allocations are counted here: on Linux with glibc.
bool allocation_counter_works(void);

/// How often this process has asked for memory.
size_t allocation_count(void);

/// How many bytes this process has asked for, those given back included.
size_t allocated_bytes(void);

/// How many bytes of memory this process holds now; 0 where that is not counted.
size_t bytes_in_use(void);

/// Whether Valgrind's header was there when this was built, without which it cannot be told what to count.
bool counts_instructions(void);

/// Lets Callgrind begin to count; without it, does nothing.
void begin_counting(void);

/// Lets Callgrind write down what it has counted since, under a name.
void end_counting(const char *name);

/// Nanoseconds this thread has run, those left out in which others had its processor.
double thread_nanoseconds(void);

/// Nanoseconds the threads of this process have run.
double process_nanoseconds(void);

/// Nanoseconds of a clock that all processes share and that is never set.
double monotonic_nanoseconds(void);

/// Nanoseconds from telling the system to start a program until it has ended well, what it prints thrown away; below 0
/// where it did not. `words` are its path and its arguments, and end with a null pointer.
double start_nanoseconds(char *const *words);

/// Opens a device of the USB and claims its first interface; returns its descriptor, or -1.
int usb_open(const char *node);

/// Sends a transfer to endpoint 02 and fetches two from 81, the second into `answer`; returns how many bytes that has, or -1.
/// `limit` is how long to wait for each, in milliseconds.
long usb_exchange(int device, const unsigned char *command, size_t count, unsigned char *answer, size_t room, int limit);

/// Waits for a transfer from 81 that does not come, for some milliseconds, and takes it back; returns the nanoseconds that
/// this process worked meanwhile, or -1.
double usb_wait(int device, int milliseconds);

/// Asks the system to read a file from its disk again when it is next used. Returns whether it could be asked.
bool forget_file(const char *path);

/// Binds this process and those it starts to one processor: what waking another one costs says nothing of ours.
/// Returns whether the system did so.
bool stay_on_one_processor(void);

/// The name of a Swift function as people write it, to be freed; nothing for other names.
char *demangled_name(const char *name);

/// What programs took of the processor and of the system.
typedef struct {
    double user_nanoseconds;
    double system_nanoseconds;
    long page_faults;
    long context_switches;
} resources;

/// What this process took so far.
resources resources_used(void);

/// What the programs took that this process has started and that have ended.
resources resources_of_children(void);
