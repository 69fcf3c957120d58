#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Cards in plain C that parse and check as a card must and do nothing else. They give the same answers as the engines, so
// only the cost differs.

/// The size of the longest answer.
enum { FLOOR_ANSWER_BYTES = 1024 };

/// Receives a frame and answers it; returns the number of bits, 0 for silence.
typedef size_t floor_answer(void *card, const uint8_t *frame, size_t count, uint8_t *answer);

/// Answers frames in one array, each ending at its entry of `ends`, for a number of rounds; returns the bits of all answers.
size_t floor_run(
    floor_answer *answer, void *card, const uint8_t *frames, const size_t *ends, size_t count, size_t rounds);

/// Creates a FeliCa card without systems, to be freed. It knows Polling, Request Service, Read and Write Without Encryption.
void *felica_floor_create(uint64_t pmm);
/// Adds a system. The nodes added next belong to it, in ascending order of codes.
void felica_floor_add_system(void *card, uint16_t code, uint64_t idm);
/// Adds a node whose blocks start at block `first` of the card.
void felica_floor_add_node(void *card, uint16_t code, uint16_t version, unsigned first, unsigned count);
void felica_floor_set_block(void *card, unsigned index, const uint8_t *bytes);
floor_answer felica_floor_answer;

/// Creates a selected NTAG21x, to be freed. It knows READ, FAST_READ, WRITE and PWD_AUTH; in `memory`, PWD and PACK read as
/// zero.
void *ntag_floor_create(const uint8_t *memory, unsigned pages, const uint8_t *password, const uint8_t *pack);
floor_answer ntag_floor_answer;

// The least that a transport costs: servers in plain C on the same channels, which give one answer to everything and know
// just enough of the protocol for a client to get there. Each serves one client at a time, for as long as the process runs.

/// Lines and pcsc-lite's protocol 4.4 for clients of a listener, frames for a PN532, and pcscd's vpcd driver.
typedef enum { FLOOR_LINES, FLOOR_PCSC, FLOOR_PN532, FLOOR_VPCD } floor_protocol;

/// Listens on, or connects to, the Unix socket `path` or, if that is empty, a loopback port, of which 0 lets the system choose.
/// Returns the descriptor, or -1.
int floor_socket(const char *path, uint16_t *port, bool listens);
/// Opens a pseudo-terminal in raw mode and writes its path; returns the descriptor of its other side, or -1.
int floor_terminal(char *path, size_t size);

/// Gives the answer, framed as the protocol has it, to each message, and the ATR to a vpcd driver that asks for it.
void floor_serve(
    floor_protocol protocol, int descriptor, const uint8_t *atr, size_t atr_count, const uint8_t *answer, size_t count);
/// Answers a client of pcsc-lite's library until it leaves.
void pcsc_floor_serve(int client, const uint8_t *answer, size_t answer_count);
