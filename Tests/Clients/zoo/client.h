// Code shared by all C clients: the mistake, the card to look for, and the error.
#ifndef ZOO_CLIENT_H
#define ZOO_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The mistake of the client, or "correct".
extern const char *mistake;

// Returns whether the client makes a mistake.
bool makes(const char *name);
bool is_correct(void);

// Sets the card to read by the hexadecimal digits of its IDm or UID. Default: the first card found.
void expect_card(const char *digits);

// Returns whether a card is the one to read. Nothing tells a client that a card was exchanged for another.
bool is_known(const uint8_t *identifier, size_t length);

// Sets the error for the final message. Returns false.
bool failed(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The text of the last `failed`.
const char *why(void);

#endif
