#if defined(__linux__)
#define _GNU_SOURCE
#include "door_floor.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LINE_BYTES = 1 << 14 };

// Bytes of what has come once it ends with a line, 0 at the end of the connection.
static size_t receive_line(int connection, uint8_t *bytes, size_t room) {
    size_t count = 0;
    while (count < room) {
        ssize_t received = recv(connection, bytes + count, room - count, 0);
        if (received <= 0) return 0;
        count += (size_t)received;
        if (bytes[count - 1] == '\n') return count;
    }
    return 0;
}

static bool send_all(int connection, const uint8_t *bytes, size_t count) {
    return send(connection, bytes, count, MSG_NOSIGNAL) == (ssize_t)count;
}

void line_floor_serve(int listener, const door_floor_card *card) {
    uint8_t bytes[LINE_BYTES];
    int client;
    while ((client = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
        setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
        while (receive_line(client, bytes, sizeof bytes) > 0 && send_all(client, card->answer, card->answer_count)) {}
        close(client);
    }
}

size_t line_floor_ask(int connection, const uint8_t *line, size_t count, uint8_t *answer, size_t room) {
    return send_all(connection, line, count) ? receive_line(connection, answer, room) : 0;
}
#endif
