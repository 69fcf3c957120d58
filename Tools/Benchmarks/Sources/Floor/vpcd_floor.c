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

// The driver sends length and payload apart; without a quick acknowledgement the second waits 40 ms.
static size_t receive(int connection, uint8_t *bytes, size_t count) {
    setsockopt(connection, IPPROTO_TCP, TCP_QUICKACK, &(int){1}, sizeof(int));
    ssize_t received = recv(connection, bytes, count, 0);
    return received > 0 ? (size_t)received : 0;
}

static bool reply(int connection, const uint8_t *bytes, size_t count) {
    uint8_t message[LENGTH_BYTES + MESSAGE_BYTES] = {(uint8_t)(count >> 8), (uint8_t)count};
    memcpy(message + LENGTH_BYTES, bytes, count);
    return send(connection, message, LENGTH_BYTES + count, MSG_NOSIGNAL) == (ssize_t)(LENGTH_BYTES + count);
}

static bool is_answered(int connection, const uint8_t *payload, size_t count, const door_floor_card *card) {
    if (count > 1) return reply(connection, card->answer, card->answer_count);
    return payload[0] != SEND_ATR || reply(connection, card->atr, card->atr_count);
}

void vpcd_floor_serve(int connection, const door_floor_card *card) {
    uint8_t bytes[LENGTH_BYTES + MESSAGE_BYTES];
    size_t count = 0, received;
    while ((received = receive(connection, bytes + count, sizeof bytes - count)) > 0) {
        count += received;
        // Power on is not answered, so the next message may have come with it.
        while (count >= LENGTH_BYTES) {
            size_t length = LENGTH_BYTES + ((size_t)bytes[0] << 8 | bytes[1]);
            if (count < length) break;
            if (!is_answered(connection, bytes + LENGTH_BYTES, length - LENGTH_BYTES, card)) return;
            memmove(bytes, bytes + length, count -= length);
        }
    }
}
#endif
