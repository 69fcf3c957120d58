#pragma once
#include <stddef.h>
#include <stdint.h>

// What a door costs at least: servers in plain C on the same sockets, which answer every APDU with the same bytes and
// know just enough of the protocol for a client to get there. Each serves until its socket is shut down.

/// A card with one answer to everything.
typedef struct {
    const uint8_t *atr;
    size_t atr_count;
    const uint8_t *answer;
    size_t answer_count;
} door_floor_card;

/// Listens on a Unix socket; returns its descriptor, or -1.
int pcsc_floor_listen(const char *path);
/// Serves clients of pcsc-lite's library in its version 4.4, one after another.
void pcsc_floor_serve(int listener, const door_floor_card *card);

/// Connects to where pcscd's vpcd driver listens on the loopback address; returns the descriptor, or -1.
int vpcd_floor_connect(uint16_t port);
/// Is the card behind a connection.
void vpcd_floor_serve(int connection, const door_floor_card *card);
