#pragma once
#include <stddef.h>

/// The number of times this process has requested memory.
size_t allocation_count(void);

/// The bytes of memory that this process has in use.
size_t bytes_in_use(void);

/// Starts counting instructions. Without Callgrind, this does nothing.
void begin_counting(void);

/// Writes down the instructions counted since `begin_counting`, under a name.
void end_counting(const char *name);
