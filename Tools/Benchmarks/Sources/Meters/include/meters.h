#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Whether allocations are counted here: on Linux with glibc.
bool allocation_counter_works(void);

/// How often this process has asked for memory.
size_t allocation_count(void);

/// Nanoseconds this thread has run, those left out in which others had its processor.
double thread_nanoseconds(void);
