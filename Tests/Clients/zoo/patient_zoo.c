// Reads the link of an NDEF tag page by page, patiently: it waits for a tag that has not arrived yet, repeats a failed
// command on the same handle, restarts for some seconds, and follows a length to the end of the tag. It is correct, or makes
// one mistake.
//
// usage: patient_zoo MISTAKE SECONDS
//   MISTAKE  `correct`, or a name after MISTAKE in a comment
//   SECONDS  how long it restarts before it reports that the tag cannot be read
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <winscard.h>

#include "client.h"

enum {
    PAGE = 4,
    FIRST_PAGE = 4,
    LAST_ADDRESS = 0xFF,
    LONGEST_LINK = 1024,
    // The number of times to send a command on one handle.
    TRIES = 4,
    // The number of times to start reading, which does not change the tag.
    MOST_READINGS = 3,
    WAIT_MILLISECONDS = 200,
};

enum step { WAIT, CONNECT, READ, COMPARE, DONE, GIVE_UP };

struct terminal {
    SCARDCONTEXT context;
    SCARDHANDLE card;
    SCARD_READERSTATE state;
    char reader[1024];
    bool is_connected;
    int readings;
};

struct tag {
    SCARDHANDLE card;
    // The bytes from page 4 on that were read.
    uint8_t memory[(LAST_ADDRESS + 1) * PAGE];
    size_t size, count;
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static bool read_page(SCARDHANDLE card, size_t number, uint8_t page[PAGE]) {
    uint8_t apdu[] = {0xFF, 0xB0, 0x00, (uint8_t)number, PAGE}, answer[LONGEST_LINK];
    // MISTAKE repeats-for-ever: a card that has gone is asked until it comes back.
    for (int tries = 0; tries < TRIES || makes("repeats-for-ever"); tries++) {
        DWORD count = sizeof answer;
        LONG result = SCardTransmit(card, SCARD_PCI_T1, apdu, sizeof apdu, NULL, answer, &count);
        bool is_good = result == SCARD_S_SUCCESS && count == PAGE + 2 && answer[PAGE] == 0x90 && answer[PAGE + 1] == 0x00;
        if (is_good) return memcpy(page, answer, PAGE);
    }
    return failed("page %zu cannot be read", number);
}

// Returns the byte at an offset of the memory after reading the pages before it; -1 beyond the end or if unreadable.
static int byte_at(struct tag *tag, size_t offset) {
    while (tag->count <= offset && tag->count < tag->size) {
        if (!read_page(tag->card, FIRST_PAGE + tag->count / PAGE, tag->memory + tag->count)) return -1;
        tag->count += PAGE;
    }
    return offset < tag->count ? tag->memory[offset] : -1;
}

// Returns the length of a TLV block, and the width of its length field; -1 beyond the end.
static int length_at(struct tag *tag, size_t offset, size_t *width) {
    int first = byte_at(tag, offset), high = first == 0xFF ? byte_at(tag, offset + 1) : 0;
    int low = first == 0xFF ? byte_at(tag, offset + 2) : first;
    *width = first == 0xFF ? 3 : 1;
    return high < 0 || low < 0 ? -1 : high << 8 | low;
}

// Returns the only record of a message, if it is a link.
static bool read_link(struct tag *tag, size_t start, size_t length, char *link) {
    static const char *const beginnings[] = {"", "http://www.", "https://www.", "http://", "https://"};
    // All of it, even if the length is wrong.
    if (length == 0 || byte_at(tag, start + length - 1) < 0) return failed("the message goes beyond the end of the tag");
    const uint8_t *record = tag->memory + start;
    bool is_short = length >= 5 && record[0] == 0xD1, is_long = length >= 8 && record[0] == 0xC1;
    if (!is_short && !is_long) return failed("the message is no single record");
    size_t head = is_short ? 4 : 7, payload = record[2];
    if (is_long) payload = (size_t)record[2] << 24 | record[3] << 16 | record[4] << 8 | record[5];
    if (record[1] != 1 || record[head - 1] != 'U' || payload < 1 || head + payload != length) return failed("no link");
    if (record[head] >= sizeof beginnings / sizeof *beginnings) return failed("the link begins in an unknown way");
    int count = (int)payload - 1;
    snprintf(link, LONGEST_LINK, "%s%.*s", beginnings[record[head]], count, (const char *)record + head + 1);
    return true;
}

static bool read_tag(SCARDHANDLE card, char *link) {
    struct tag tag = {.card = card};
    uint8_t container[PAGE];
    if (!read_page(card, FIRST_PAGE - 1, container)) return false;
    if (container[0] != 0xE1 || container[1] >> 4 != 1) return failed("the tag holds no message");
    tag.size = container[2] * 8;
    if (tag.size > (LAST_ADDRESS + 1 - FIRST_PAGE) * PAGE) tag.size = (LAST_ADDRESS + 1 - FIRST_PAGE) * PAGE;
    for (size_t offset = 0, width; offset < tag.size;) {
        int type = byte_at(&tag, offset);
        if (type == 0x00) {
            offset++;
            continue;
        }
        if (type < 0 || type == 0xFE) break;
        int length = length_at(&tag, offset + 1, &width);
        if (length < 0) break;
        if (type == 0x03) return read_link(&tag, offset + 1 + width, length, link);
        offset += 1 + width + length;
    }
    return failed("there is no message before the end of the tag");
}

static bool open_terminal(struct terminal *terminal) {
    DWORD length = sizeof terminal->reader;
    if (SCardEstablishContext(SCARD_SCOPE_SYSTEM, NULL, NULL, &terminal->context)) return failed("there is no service");
    terminal->state.szReader = terminal->reader;
    return !SCardListReaders(terminal->context, NULL, terminal->reader, &length) || failed("there is no reader");
}

static void disconnect(struct terminal *terminal) {
    // Retried once, because the failure may affect only this call.
    if (terminal->is_connected && SCardDisconnect(terminal->card, SCARD_RESET_CARD)) {
        SCardDisconnect(terminal->card, SCARD_RESET_CARD);
    }
    terminal->is_connected = false;
}

// Returns the next step, or the first one after a failure.
static enum step next(struct terminal *terminal, enum step step, char link[2][LONGEST_LINK]) {
    DWORD protocol;
    SCARD_READERSTATE *state = &terminal->state;
    switch (step) {
    case WAIT:
        disconnect(terminal);
        state->dwCurrentState = SCARD_STATE_UNAWARE;
        if (SCardGetStatusChange(terminal->context, WAIT_MILLISECONDS, state, 1)) return WAIT;
        if (state->dwEventState & SCARD_STATE_PRESENT) return CONNECT;
        state->dwCurrentState = state->dwEventState;
        SCardGetStatusChange(terminal->context, WAIT_MILLISECONDS, state, 1);
        failed("no tag came");
        return WAIT;
    case CONNECT: {
        LONG result = SCardConnect(
            terminal->context, terminal->reader, SCARD_SHARE_SHARED, SCARD_PROTOCOL_T1, &terminal->card, &protocol);
        terminal->is_connected = result == SCARD_S_SUCCESS;
        if (!terminal->is_connected) failed("the tag cannot be reached");
        return terminal->is_connected ? READ : WAIT;
    }
    case READ:
        if (terminal->readings++ == MOST_READINGS) return GIVE_UP;
        return read_tag(terminal->card, link[0]) ? COMPARE : WAIT;
    case COMPARE:
        if (!is_correct()) return DONE;
        if (!read_tag(terminal->card, link[1])) return WAIT;
        return !strcmp(link[0], link[1]) || failed("two readings of the tag differ") ? DONE : WAIT;
    default: return step;
    }
}

int main(int count, char **arguments) {
    static char link[2][LONGEST_LINK];
    struct terminal terminal = {0};
    enum step step = WAIT;
    if (count != 3) return 2;
    mistake = arguments[1];
    double end = now() + atof(arguments[2]);
    bool is_open = open_terminal(&terminal);
    while (is_open && step < DONE && now() < end) step = next(&terminal, step, link);
    disconnect(&terminal);
    if (terminal.context) SCardReleaseContext(terminal.context);
    if (step != DONE) return fprintf(stderr, "%s\n", why()), 1;
    puts(link[0]);
    return 0;
}
