// FeliCa packets over an ACR122U.
#ifndef ZOO_FELICA_H
#define ZOO_FELICA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ANY_SYSTEM = 0xFFFF,
    IDM_LENGTH = 8,
    BLOCK_LENGTH = 16,
    // The blocks that transit cards return at once, that newer cards return, and that a client here can request.
    USUAL_BLOCKS = 12,
    NEWER_BLOCKS = 15,
    MOST_BLOCKS = 20,
    // The offsets of an answer's fields.
    STATUS_FLAG_1 = 10,
    BLOCK_COUNT = 12,
    BLOCKS = 13,
};

// The result of an exchange that a card can also refuse.
enum reply { REPLY_FAILED, REPLY_TOO_MANY, REPLY_OK };

// Searches for a card with a system and returns its IDm, which must be that of the card to read.
bool poll_card(uint16_t system, uint8_t idm[IDM_LENGTH]);

// Sends a command with an IDm and data; returns the length of the answer packet, LEN first, or -1.
int send_packet(uint8_t code, const uint8_t idm[IDM_LENGTH], const uint8_t *data, size_t length, uint8_t *answer);

// Requests the key version of a service; a card without the service is an error.
bool request_service(const uint8_t idm[IDM_LENGTH], uint16_t service, uint16_t *version);

// Reads blocks of a service and returns the number received.
enum reply read_blocks(
    uint8_t idm[IDM_LENGTH], uint16_t service, int first, int count, uint8_t blocks[][BLOCK_LENGTH], int *received);

// Writes a block of a service.
bool write_block(
    const uint8_t idm[IDM_LENGTH], uint16_t service, uint8_t number, const uint8_t block[BLOCK_LENGTH]);

#endif
