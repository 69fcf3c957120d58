#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What the least work is: cards in plain C that parse and check as a card must, with nothing around it. They answer
// the same as the engines, so that only the price differs.

/// Bytes of the longest answer.
enum { FLOOR_ANSWER_BYTES = 1024 };

/// A FeliCa card that knows Polling, Request Service, Read and Write Without Encryption.
typedef struct felica_floor felica_floor;

/// An NTAG21x that is selected and knows READ, FAST_READ, WRITE and PWD_AUTH.
typedef struct ntag_floor ntag_floor;

/// Creates a card without systems.
felica_floor *felica_floor_create(uint64_t pmm);
void felica_floor_destroy(felica_floor *card);

/// Adds a system; services added next belong to it, in ascending order of codes.
void felica_floor_add_system(felica_floor *card, uint16_t code, uint64_t idm);
/// Adds a node; its blocks begin at `first` of the card's.
void felica_floor_add_node(felica_floor *card, uint16_t code, uint16_t version, unsigned first, unsigned count);
/// Sets a block.
void felica_floor_set_block(felica_floor *card, unsigned index, const uint8_t *bytes);

/// Hears a packet and answers it; returns the number of bits, 0 for silence.
size_t felica_floor_answer(felica_floor *card, const uint8_t *frame, size_t count, uint8_t *answer);

/// Answers frames that lie one after another, in turn, each by the card that `order` names; returns the number of bits.
size_t felica_floor_run_many(
    felica_floor *const *cards, const uint32_t *order, size_t exchanges, const uint8_t *frames, const size_t *ends,
    size_t count);

/// Creates a selected tag; in `memory` PWD and PACK are what a reader sees of them.
ntag_floor *ntag_floor_create(const uint8_t *memory, unsigned pages, const uint8_t *password, const uint8_t *pack);
void ntag_floor_destroy(ntag_floor *card);

/// Hears a command and answers it; returns the number of bits, 0 for silence.
size_t ntag_floor_answer(ntag_floor *card, const uint8_t *frame, size_t count, uint8_t *answer);

/// Answers frames that lie one after another, each ending at its entry of `ends`, as many rounds as told.
size_t felica_floor_run(felica_floor *card, const uint8_t *frames, const size_t *ends, size_t count, size_t rounds);
size_t ntag_floor_run(ntag_floor *card, const uint8_t *frames, const size_t *ends, size_t count, size_t rounds);
