// Commands of an NTAG215 over an ACR122U, and the NDEF message in its memory.
#ifndef ZOO_NTAG_H
#define ZOO_NTAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    UID_LENGTH = 7,
    PAGE_LENGTH = 4,
    // The number of bytes of one READ.
    READ_LENGTH = 16,
    CC_PAGE = 3,
    FIRST_PAGE = 4,
    // The longest message the clients accept; the tags of the zoo have shorter ones.
    LONGEST_MESSAGE = 64,
};

struct message {
    int length;
    uint8_t bytes[LONGEST_MESSAGE];
};

// Selects the tag, which must be the one to read, and enables its acknowledgements.
bool select_tag(uint8_t uid[UID_LENGTH]);

// Sends a command; returns the length of the answer without its CRC, or -1. One byte is an acknowledgement or a NAK.
int send_command(const uint8_t *command, size_t length, uint8_t *answer);

// Reads four pages.
bool read_pages(uint8_t page, uint8_t pages[READ_LENGTH]);

// Writes a page.
bool write_page(uint8_t page, const uint8_t data[PAGE_LENGTH]);

// Reads the message from the memory.
bool read_message(struct message *message);

// Prints the records of a message as a JSON list; false if they do not fill it exactly.
bool print_records(FILE *out, const struct message *message);

// Prints bytes as a JSON string.
void print_hex(FILE *out, const uint8_t *bytes, size_t count);

#endif
