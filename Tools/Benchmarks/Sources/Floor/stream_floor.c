#define _GNU_SOURCE
#include "floor.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <pty.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

enum { MESSAGE_BYTES = 1 << 14 };

int floor_socket(const char *path, uint16_t *port, bool listens) {
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    struct sockaddr_in loopback = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    bool is_local = *path != 0;
    strncpy(local.sun_path, path, sizeof local.sun_path - 1);
    loopback.sin_port = htons(*port);
    struct sockaddr *address = is_local ? (struct sockaddr *)&local : (struct sockaddr *)&loopback;
    socklen_t size = is_local ? sizeof local : sizeof loopback;
    int result = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (!is_local) setsockopt(result, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    bool works = listens ? bind(result, address, size) == 0 && listen(result, 4) == 0 : connect(result, address, size) == 0;
    if (works && !is_local && listens) works = getsockname(result, address, &size) == 0;
    *port = ntohs(loopback.sin_port);
    return works ? result : -1;
}

int floor_terminal(char *path, size_t size) {
    struct termios settings;
    int terminal, line;
    // The line stays open for as long as the process lives, so it never hangs up.
    if (openpty(&terminal, &line, NULL, NULL, NULL) != 0 || ttyname_r(line, path, size) != 0) return -1;
    fcntl(terminal, F_SETFD, FD_CLOEXEC);
    fcntl(line, F_SETFD, FD_CLOEXEC);
    if (tcgetattr(line, &settings) != 0) return -1;
    cfmakeraw(&settings);
    return tcsetattr(line, TCSANOW, &settings) == 0 ? terminal : -1;
}

// The length of the first message, or 0 until all of it has arrived.
typedef size_t message_length(const uint8_t *bytes, size_t count);

static size_t line_length(const uint8_t *bytes, size_t count) {
    const uint8_t *end = memchr(bytes, '\n', count);
    return end ? (size_t)(end - bytes) + 1 : 0;
}

static size_t pn532_length(const uint8_t *bytes, size_t count) {
    return count > 3 && count >= 7u + bytes[3] ? 7u + bytes[3] : 0;
}

static size_t vpcd_length(const uint8_t *bytes, size_t count) {
    size_t length = count < 2 ? 2 : 2 + ((size_t)bytes[0] << 8 | bytes[1]);
    return count >= length ? length : 0;
}

static void serve(
    int stream, message_length *length_of, const uint8_t *atr, size_t atr_count, const uint8_t *answer, size_t count) {
    uint8_t bytes[MESSAGE_BYTES];
    size_t unread = 0, length;
    ssize_t received;
    while ((received = read(stream, bytes + unread, sizeof bytes - unread)) > 0) {
        bool is_answered = false;
        unread += (size_t)received;
        while ((length = length_of(bytes, unread)) > 0) {
            // One byte is an order to the slot of vpcd, and only 4, get the ATR, has an answer.
            bool is_order = length_of == vpcd_length && length == 3;
            size_t reply_count = !is_order ? count : bytes[2] == 4 ? atr_count : 0;
            if (write(stream, is_order ? atr : answer, reply_count) != (ssize_t)reply_count) return;
            is_answered |= reply_count > 0;
            memmove(bytes, bytes + length, unread -= length);
        }
        // The driver sends length and payload apart; without an acknowledgement the second waits 40 ms. 2 is once.
        if (!is_answered) setsockopt(stream, IPPROTO_TCP, TCP_QUICKACK, &(int){2}, sizeof(int));
    }
}

void floor_serve(
    floor_protocol protocol, int descriptor, const uint8_t *atr, size_t atr_count, const uint8_t *answer, size_t count) {
    int client;
    switch (protocol) {
    case FLOOR_PN532: return serve(descriptor, pn532_length, NULL, 0, answer, count);
    case FLOOR_VPCD: return serve(descriptor, vpcd_length, atr, atr_count, answer, count);
    case FLOOR_LINES:
    case FLOOR_PCSC:
        while ((client = accept4(descriptor, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
            setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
            if (protocol == FLOOR_PCSC) pcsc_floor_serve(client, answer, count);
            else serve(client, line_length, NULL, 0, answer, count);
            close(client);
        }
    }
}
