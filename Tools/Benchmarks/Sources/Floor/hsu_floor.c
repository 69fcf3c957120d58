#if defined(__linux__)
#define _GNU_SOURCE
#include "door_floor.h"

#include <fcntl.h>
#include <pty.h>
#include <stdbool.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { HEADER_BYTES = 5, TRAILER_BYTES = 2, MESSAGE_BYTES = 4096 };

int hsu_floor_open(char *path, size_t size) {
    struct termios settings;
    int terminal, line;
    if (openpty(&terminal, &line, NULL, NULL, NULL) != 0) return -1;
    fcntl(terminal, F_SETFD, FD_CLOEXEC);
    // The line stays open for as long as the process lives, so that it never hangs up.
    fcntl(line, F_SETFD, FD_CLOEXEC);
    if (tcgetattr(line, &settings) == 0 && ttyname_r(line, path, size) == 0) {
        cfmakeraw(&settings);
        if (tcsetattr(line, TCSANOW, &settings) == 0) return terminal;
    }
    close(line);
    close(terminal);
    return -1;
}

// Bytes of the first frame, a normal one that carries a packet, or 0 while they have not all come.
static size_t frame_length(const uint8_t *bytes, size_t count) {
    if (count < HEADER_BYTES) return 0;
    size_t length = HEADER_BYTES + bytes[3] + TRAILER_BYTES;
    return count >= length ? length : 0;
}

static bool is_frame(const uint8_t *bytes, size_t length) {
    uint8_t sum = 0;
    for (size_t i = HEADER_BYTES; i < length - 1; i++) sum += bytes[i];
    return bytes[0] == 0 && bytes[1] == 0 && bytes[2] == 0xFF && (uint8_t)(bytes[3] + bytes[4]) == 0 && sum == 0;
}

void hsu_floor_serve(int terminal, const door_floor_card *card) {
    uint8_t bytes[MESSAGE_BYTES];
    size_t count = 0, length;
    ssize_t received;
    while ((received = read(terminal, bytes + count, sizeof bytes - count)) > 0) {
        count += (size_t)received;
        while ((length = frame_length(bytes, count)) > 0) {
            if (!is_frame(bytes, length)) return;
            if (write(terminal, card->answer, card->answer_count) != (ssize_t)card->answer_count) return;
            memmove(bytes, bytes + length, count -= length);
        }
    }
}
#endif
