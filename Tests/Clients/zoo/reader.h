// A card on a reader with a PN532 or PN533, for the C clients of the zoo: an ACR122U over PC/SC (pcsc_reader.c) or
// over CCID on USB (ccid_reader.c), or an SCL3711 on USB (pn533_reader.c).
//
// This code is correct. Mistakes in the handling of the reader are enabled with `makes`.
#ifndef ZOO_READER_H
#define ZOO_READER_H

#include "client.h"

enum {
    // The longest answer of a PN532 with direct transmit, including its status word.
    LONGEST_ANSWER = 300,
    // The number of attempts before a client reports that the card cannot be read.
    ATTEMPTS = 3,
    TYPE_A_106 = 0x00,
    FELICA_212 = 0x01,
    // Status bytes of a PN532.
    PN532_OK = 0x00,
    PN532_TIMEOUT = 0x01,
};

// Establishes a context and finds the reader; ends the program if there is none.
void open_reader(void);

// Connects to the card on the reader, again if there was a connection, and begins a transaction.
bool connect_card(void);

// Ends the transaction and the connection.
void disconnect_card(void);

// Ends the program with the text of the last `failed`, after releasing everything.
__attribute__((noreturn)) void give_up(void);

// Releases everything at the end of a successful run.
void close_reader(void);

// Sends a command to the PN532; the answer excludes D5, the code and the status word. Returns its length, or -1.
int pn532(const uint8_t *command, size_t length, uint8_t answer[LONGEST_ANSWER]);

// Searches for one card; stores the target data without the target number; returns their length, or -1 without a card.
int find_card(uint8_t kind, const uint8_t *data, size_t length, uint8_t target[LONGEST_ANSWER]);

// Sends a raw frame to the card; returns the length of the answer, or -1 with the status of the chip in `status`.
int exchange(const uint8_t *frame, size_t length, uint8_t answer[LONGEST_ANSWER], uint8_t *status);

#endif
