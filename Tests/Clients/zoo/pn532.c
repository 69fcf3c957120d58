#include <string.h>

#include "reader.h"

enum {
    IN_LIST_PASSIVE_TARGET = 0x4A,
    IN_COMMUNICATE_THRU = 0x42,
};

int find_card(uint8_t kind, const uint8_t *data, size_t length, uint8_t target[LONGEST_ANSWER]) {
    uint8_t command[16] = {IN_LIST_PASSIVE_TARGET, 1, kind};
    memcpy(command + 3, data, length);
    int count = pn532(command, 3 + length, target);
    // MISTAKE polls-for-ever: a card is looked for until one is there, and nobody is told.
    while (makes("polls-for-ever") && count >= 0 && target[0] == 0) count = pn532(command, 3 + length, target);
    if (count < 0) return -1;
    if (count < 2 || target[0] != 1 || target[1] != 1) return failed("no such card is found"), -1;
    memmove(target, target + 2, (size_t)count - 2);
    return count - 2;
}

int exchange(const uint8_t *frame, size_t length, uint8_t answer[LONGEST_ANSWER], uint8_t *status) {
    uint8_t command[256] = {IN_COMMUNICATE_THRU};
    *status = 0xFF;
    if (length > 253) return failed("a frame of %zu bytes is too long for the reader", length), -1;
    memcpy(command + 1, frame, length);
    int count = pn532(command, 1 + length, answer);
    if (count < 0) return -1;
    if (count < 1) return failed("the PN532 answers without a status"), -1;
    *status = answer[0] & 0x3F;
    // MISTAKE ignores-chip-status: the buffer of the last answer is taken for this one when the chip reports an error.
    static uint8_t last[LONGEST_ANSWER];
    static int last_count;
    if (makes("ignores-chip-status") && *status != PN532_OK) {
        memcpy(answer, last, (size_t)last_count);
        return last_count;
    }
    if (*status == PN532_TIMEOUT) return failed("the card is silent"), -1;
    if (*status != PN532_OK) return failed("the answer of the card came damaged (status %02X)", *status), -1;
    memmove(answer, answer + 1, (size_t)count - 1);
    memcpy(last, answer, (size_t)(last_count = count - 1));
    return count - 1;
}
