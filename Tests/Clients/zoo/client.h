// What all clients in C share: the mistake they make, the card they look for, and why something failed.
#ifndef ZOO_CLIENT_H
#define ZOO_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What the client does wrong, or "correct".
extern const char *mistake;

// Whether the client makes a mistake.
bool makes(const char *name);
bool is_correct(void);

// Says which card is to be read, by the hexadecimal digits of its IDm or UID; without it, the first that is found.
void expect_card(const char *digits);

// Whether a card is the one to be read. Neither a reader nor a person tells a client that a card was changed for another.
bool is_known(const uint8_t *identifier, size_t length);

// Why something failed, for the sentence at the end. Gives false.
bool failed(const char *format, ...) __attribute__((format(printf, 1, 2)));

// What the last `failed` said.
const char *why(void);

#endif
