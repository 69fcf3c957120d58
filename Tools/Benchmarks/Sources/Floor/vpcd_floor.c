#if defined(__linux__)
#define _GNU_SOURCE
#include "door_floor.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SEND_ATR = 4, LENGTH_BYTES = 2, MESSAGE_BYTES = 4096 };

static size_t receive(int connection, uint8_t *bytes, size_t count) {
    ssize_t received = recv(connection, bytes, count, 0);
    return received > 0 ? (size_t)received : 0;
}

// The driver sends length and payload apart; without an acknowledgement the second waits 40 ms. 2 is once.
static void acknowledge(int connection) {
    setsockopt(connection, IPPROTO_TCP, TCP_QUICKACK, &(int){2}, sizeof(int));
}

static bool reply(int connection, const uint8_t *bytes, size_t count) {
    uint8_t message[LENGTH_BYTES + MESSAGE_BYTES] = {(uint8_t)(count >> 8), (uint8_t)count};
    memcpy(message + LENGTH_BYTES, bytes, count);
    return send(connection, message, LENGTH_BYTES + count, MSG_NOSIGNAL) == (ssize_t)(LENGTH_BYTES + count);
}

typedef enum { UNANSWERED, ANSWERED, GONE } outcome;

static outcome answer(int connection, const uint8_t *payload, size_t count, const door_floor_card *card) {
    bool isCommand = count > 1;
    if (!isCommand && payload[0] != SEND_ATR) return UNANSWERED;
    bool isSent = isCommand ? reply(connection, card->answer, card->answer_count)
                            : reply(connection, card->atr, card->atr_count);
    return isSent ? ANSWERED : GONE;
}

void vpcd_floor_serve(int connection, const door_floor_card *card) {
    uint8_t bytes[LENGTH_BYTES + MESSAGE_BYTES];
    size_t count = 0, received;
    while ((received = receive(connection, bytes + count, sizeof bytes - count)) > 0) {
        count += received;
        bool isAnswered = false;
        // Power on is not answered, so the next message may have come with it.
        while (count >= LENGTH_BYTES) {
            size_t length = LENGTH_BYTES + ((size_t)bytes[0] << 8 | bytes[1]);
            if (count < length) break;
            outcome outcome = answer(connection, bytes + LENGTH_BYTES, length - LENGTH_BYTES, card);
            if (outcome == GONE) return;
            isAnswered |= outcome == ANSWERED;
            memmove(bytes, bytes + length, count -= length);
        }
        if (!isAnswered) acknowledge(connection);
    }
}
#endif
