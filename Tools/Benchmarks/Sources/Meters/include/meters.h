#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Whether allocations are counted here: on Linux with glibc.
bool allocation_counter_works(void);

/// How often this process has asked for memory.
size_t allocation_count(void);

/// Keeps the process on the processor it runs on, where the system can.
void stay_on_this_processor(void);
