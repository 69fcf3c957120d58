#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Whether allocations are counted here: on Linux with glibc.
bool allocation_counter_works(void);

/// How often this process has asked for memory.
size_t allocation_count(void);

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

/// Nanoseconds of a clock that all processes share and nobody sets.
double monotonic_nanoseconds(void);

/// Binds this process and those it starts to one processor: what waking another one costs says nothing of ours.
/// Returns whether the system did so.
bool stay_on_one_processor(void);

/// The name of a Swift function as people write it, to be freed; nothing for other names.
char *demangled_name(const char *name);
