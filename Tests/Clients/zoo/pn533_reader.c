// The clients' reader is an SCM SCL3711: a PN533 on USB.
//
// A command is acknowledged, then answered. Source: PN533 User Manual (NXP UM0801-03), 7.1 host link protocol.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"
#include "usb_pipe.h"

enum {
    VENDOR = 0x04E6,
    PRODUCT = 0x5591,
    RF_CONFIGURATION = 0x32,
    MAX_RETRIES = 0x05,
    // 00 00 FF, LEN, LCS; after the data DCS and 00.
    HEADER = 5,
    TRAILER = 2,
    MOST_DATA = 255,
};

static const uint8_t acknowledge[] = {0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00};

// Aborts any running command of the chip, and discards its pending answers.
static bool abort_command(void) {
    uint8_t bytes[LONGEST_MESSAGE];
    if (!send_bytes(acknowledge, sizeof acknowledge)) return false;
    while (receive_bytes(bytes, 1) >= 0);
    return true;
}

void open_reader(void) {
    if (!open_pipe(VENDOR, PRODUCT) || !abort_command()) give_up();
    // MISTAKE asks-chip-for-ever: the chip looks for a card until one comes, and the program waits as long.
    if (makes("asks-chip-for-ever")) return;
    // Two polls for a card, then no card is found.
    const uint8_t retries[] = {RF_CONFIGURATION, MAX_RETRIES, 0x00, 0x00, 0x01};
    uint8_t answer[LONGEST_ANSWER];
    if (pn532(retries, sizeof retries, answer) != 0) give_up();
}

bool connect_card(void) {
    static bool is_anew;
    if (is_anew && !abort_command()) return false;
    return is_anew = true;
}

void disconnect_card(void) {}

void close_reader(void) { close_pipe(); }

void give_up(void) {
    close_reader();
    fprintf(stderr, "%s\n", why());
    exit(1);
}

static uint8_t sum(const uint8_t *bytes, int count) {
    uint8_t sum = 0;
    for (int i = 0; i < count; i++) sum = (uint8_t)(sum + bytes[i]);
    return sum;
}

static bool send_frame(const uint8_t *command, size_t length) {
    uint8_t frame[HEADER + MOST_DATA + TRAILER] = {0x00, 0x00, 0xFF, (uint8_t)(length + 1), (uint8_t) - (length + 1), 0xD4};
    if (length >= MOST_DATA) return failed("a command of %zu bytes is too long for the reader", length);
    memcpy(frame + HEADER + 1, command, length);
    frame[HEADER + 1 + length] = (uint8_t)-sum(frame + HEADER, 1 + (int)length);
    return send_bytes(frame, HEADER + 1 + (int)length + TRAILER);
}

// Returns whether a frame is complete, with correct lengths and checksums.
static bool is_whole(const uint8_t *frame, int count) {
    if (count < HEADER + TRAILER + 2 || memcmp(frame, "\x00\x00\xFF", 3)) return false;
    return (uint8_t)(frame[3] + frame[4]) == 0 && count == HEADER + frame[3] + TRAILER && sum(frame + HEADER, frame[3] + 1) == 0;
}

int pn532(const uint8_t *command, size_t length, uint8_t answer[LONGEST_ANSWER]) {
    uint8_t frame[LONGEST_MESSAGE];
    if (!send_frame(command, length)) return -1;
    int count = receive_bytes(frame, TRANSFER_MILLISECONDS);
    if (count < 0) return -1;
    if (count != sizeof acknowledge || memcmp(frame, acknowledge, sizeof acknowledge)) {
        return failed("the PN533 does not acknowledge a command"), -1;
    }
    count = receive_bytes(frame, makes("asks-chip-for-ever") ? 0 : TRANSFER_MILLISECONDS);
    if (count < 0) return -1;
    if (!is_whole(frame, count)) return failed("a frame of the PN533 came damaged"), -1;
    if (frame[HEADER] != 0xD5 || frame[HEADER + 1] != command[0] + 1) {
        return failed("the PN533 answers %02X with something else", command[0]), -1;
    }
    memcpy(answer, frame + HEADER + 2, frame[3] - 2u);
    return frame[3] - 2;
}
