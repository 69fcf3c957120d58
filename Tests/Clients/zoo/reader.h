// A card before a reader with a PN532 or PN533, as the clients of the zoo in C use it: an ACR122U by PC/SC (pcsc_reader.c) or
// by CCID on the USB (ccid_reader.c), or an SCL3711 on the USB (pn533_reader.c).
//
// What is there is correct. Where a client has its mistake in the dealing with its reader, the place asks `makes`.
#ifndef ZOO_READER_H
#define ZOO_READER_H

#include "client.h"

enum {
    // Longest answer of a PN532 by direct transmit, with its status word.
    LONGEST_ANSWER = 300,
    // How often a client begins anew before it says that the card cannot be read.
    ATTEMPTS = 3,
    TYPE_A_106 = 0x00,
    FELICA_212 = 0x01,
    // Status bytes of a PN532.
    PN532_OK = 0x00,
    PN532_TIMEOUT = 0x01,
};

// Establishes a context and finds the reader; ends the program if there is none.
void open_reader(void);

// Connects to the card that lies on the reader, anew if there was a connection, and begins a transaction.
bool connect_card(void);

// Ends the transaction and the connection.
void disconnect_card(void);

// Ends the program with what the last `failed` said, everything given back.
__attribute__((noreturn)) void give_up(void);

// Gives everything back at the end of a good run.
void close_reader(void);

// Sends a command to the PN532; the answer is without D5, the code and the status word. Gives its length, or -1.
int pn532(const uint8_t *command, size_t length, uint8_t answer[LONGEST_ANSWER]);

// Looks for one card; gives the target data without the number of the target, or -1 without one.
int find_card(uint8_t kind, const uint8_t *data, size_t length, uint8_t target[LONGEST_ANSWER]);

// Sends a frame to the card as it is; gives the length of the answer, or -1 with the status of the chip in `status`.
int exchange(const uint8_t *frame, size_t length, uint8_t answer[LONGEST_ANSWER], uint8_t *status);

#endif
