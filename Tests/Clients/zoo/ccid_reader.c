// The clients' reader is an ACS ACR122U on USB, with which they speak CCID themselves.
//
// Source: Specification for Integrated Circuit(s) Cards Interface Devices, revision 1.1, chapter 6.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"
#include "usb_pipe.h"

enum {
    VENDOR = 0x072F,
    PRODUCT = 0x2200,
    ICC_POWER_ON = 0x62,
    TRANSFER_BLOCK = 0x6F,
    DATA_BLOCK = 0x80,
    HEADER = 10,
    LENGTH = 1,
    SEQUENCE = 6,
    STATUS = 7,
    ERROR = 8,
    // bmCommandStatus: the command failed, or the reader requests more time.
    COMMAND_FAILED = 0x40,
    TIME_EXTENSION = 0x80,
    MOST_EXTENSIONS = 20,
    DIRECT_TRANSMIT_HEADER = 5,
};

static uint8_t sequence;

void open_reader(void) {
    if (!open_pipe(VENDOR, PRODUCT)) give_up();
}

void disconnect_card(void) {}

void close_reader(void) { close_pipe(); }

void give_up(void) {
    close_reader();
    fprintf(stderr, "%s\n", why());
    exit(1);
}

// Receives the answer to the last message, and checks and removes its header. Returns the length of the data, or -1.
static int receive_data(uint8_t data[LONGEST_ANSWER]) {
    for (int i = 0; i < MOST_EXTENSIONS; i++) {
        uint8_t message[LONGEST_MESSAGE];
        int count = receive_bytes(message, TRANSFER_MILLISECONDS);
        if (count < HEADER) return count < 0 ? -1 : (failed("the reader answers %d bytes", count), -1);
        if (message[SEQUENCE] != sequence || (message[STATUS] & 0xC0) == TIME_EXTENSION) continue;
        if (message[STATUS] & COMMAND_FAILED) return failed("the reader reports error %02X", message[ERROR]), -1;
        uint32_t length = message[LENGTH] | (uint32_t)message[LENGTH + 1] << 8;
        if (message[0] != DATA_BLOCK || length != (uint32_t)(count - HEADER) || length > LONGEST_ANSWER) {
            return failed("a message of the reader came damaged"), -1;
        }
        memcpy(data, message + HEADER, length);
        return (int)length;
    }
    return failed("the reader does not come to an end"), -1;
}

static int transfer(uint8_t type, const uint8_t *data, size_t length, uint8_t answer[LONGEST_ANSWER]) {
    uint8_t message[LONGEST_MESSAGE] = {type, (uint8_t)length, (uint8_t)(length >> 8), 0, 0, 0, ++sequence};
    memcpy(message + HEADER, data, length);
    return send_bytes(message, HEADER + (int)length) ? receive_data(answer) : -1;
}

// Powers the card on, if present; the PN532 accepts commands without this.
bool connect_card(void) {
    uint8_t answer[LONGEST_ANSWER];
    return transfer(ICC_POWER_ON, NULL, 0, answer) >= 0;
}

int pn532(const uint8_t *command, size_t length, uint8_t answer[LONGEST_ANSWER]) {
    uint8_t apdu[DIRECT_TRANSMIT_HEADER + 255] = {0xFF, 0x00, 0x00, 0x00, (uint8_t)(length + 1), 0xD4};
    if (length > 254) return failed("a command of %zu bytes is too long for the reader", length), -1;
    memcpy(apdu + DIRECT_TRANSMIT_HEADER + 1, command, length);
    int count = transfer(TRANSFER_BLOCK, apdu, DIRECT_TRANSMIT_HEADER + 1 + length, answer);
    if (count < 0) return -1;
    if (count < 4 || answer[count - 2] != 0x90 || answer[count - 1] != 0x00) {
        return failed("the reader gives no good answer of %d bytes", count), -1;
    }
    if (answer[0] != 0xD5 || answer[1] != command[0] + 1) {
        return failed("the PN532 answers %02X with something else", command[0]), -1;
    }
    memmove(answer, answer + 2, (size_t)count - 4);
    return count - 4;
}
