#pragma once
#include <stddef.h>
#include <stdint.h>

// What a door costs at least: servers in plain C on the same sockets, which answer everything with the same bytes and
// know just enough of the protocol for a client to get there. Each serves until its socket is shut down.

/// A card with one answer to everything.
typedef struct {
    const uint8_t *atr;
    size_t atr_count;
    const uint8_t *answer;
    size_t answer_count;
} door_floor_card;

/// Listens on a Unix socket; returns its descriptor, or -1.
int unix_floor_listen(const char *path);
/// Connects to a Unix socket; returns the descriptor, or -1.
int unix_floor_connect(const char *path);
/// Listens on a port of the loopback address that the system chooses; returns the descriptor, or -1.
int tcp_floor_listen(uint16_t *port);
/// Connects to a port of the loopback address; returns the descriptor, or -1.
int tcp_floor_connect(uint16_t port);

/// Serves clients of pcsc-lite's library in its version 4.4, each on a thread of its own.
void pcsc_floor_serve(int listener, const door_floor_card *card);
/// Is the card behind a connection with pcscd's vpcd driver.
void vpcd_floor_serve(int connection, const door_floor_card *card);
/// Serves clients that send lines, one after another.
void line_floor_serve(int listener, const door_floor_card *card);

/// Sends a line with its end and waits for a line; returns how many bytes it has with its end, or 0.
size_t line_floor_ask(int connection, const uint8_t *line, size_t count, uint8_t *answer, size_t room);

/// Opens a pseudo-terminal in raw mode and writes the path of its file; returns its descriptor, or -1.
int hsu_floor_open(char *path, size_t size);
/// Makes a folder that umockdev's library shows to a program, with the node of one device; returns a descriptor of the node, or
/// -1, and where programs connect.
int usb_floor_open(const char *root, const char *node, int *listener);
/// Answers every transfer to the device with two: an acknowledgement and an answer.
void usb_floor_serve(int listener, int node, const door_floor_card *card);

/// Answers every frame for a PN532, a normal one, with the same bytes: the acknowledgement and the frame of an answer.
void hsu_floor_serve(int terminal, const door_floor_card *card);
