#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <winscard.h>

enum {
    // The time a card may be away before it counts as removed.
    PATIENCE_MILLISECONDS = 100,
    // The number of events that may come before the awaited one.
    MOST_EVENTS = 8,
    DIRECT_TRANSMIT_HEADER = 5,
};

static SCARDCONTEXT context;
static SCARDHANDLE card;
static bool has_context, has_card, has_transaction;
static char names[1024];
static const char *reader;

static bool check(const char *call, LONG result) {
    return result == SCARD_S_SUCCESS || failed("%s: %s", call, pcsc_stringify_error(result));
}

void open_reader(void) {
    // Leaves room for the two zeros at the end.
    DWORD length = sizeof names - 2;
    if (!check("SCardEstablishContext", SCardEstablishContext(SCARD_SCOPE_SYSTEM, NULL, NULL, &context))) give_up();
    has_context = true;
    if (!check("SCardListReaders", SCardListReaders(context, NULL, names, &length))) give_up();
    for (reader = names; *reader; reader += strlen(reader) + 1) {
        if (strstr(reader, "ACR122")) return;
    }
    failed("no ACR122U is there");
    give_up();
}

// Waits until a card is on the reader; for a short time, because a person holds it there.
static bool wait_for_card(void) {
    SCARD_READERSTATE state = {.szReader = reader, .dwCurrentState = SCARD_STATE_UNAWARE};
    // MISTAKE waits-for-ever: a card that has left is waited for without a limit, and nobody is told.
    DWORD patience = makes("waits-for-ever") ? INFINITE : PATIENCE_MILLISECONDS;
    for (int events = 0; events < MOST_EVENTS; events++) {
        LONG result = SCardGetStatusChange(context, patience, &state, 1);
        if (result == (LONG)SCARD_E_TIMEOUT) return failed("no card lies on the reader");
        if (!check("SCardGetStatusChange", result)) return false;
        if (state.dwEventState & SCARD_STATE_PRESENT && !(state.dwEventState & SCARD_STATE_MUTE)) return true;
        state.dwCurrentState = state.dwEventState & ~(DWORD)SCARD_STATE_CHANGED;
    }
    return failed("the reader reports events and no card");
}

bool connect_card(void) {
    DWORD protocol;
    disconnect_card();
    if (!wait_for_card()) return false;
    LONG result = SCardConnect(context, reader, SCARD_SHARE_SHARED, SCARD_PROTOCOL_T1, &card, &protocol);
    if (!check("SCardConnect", result)) return false;
    has_card = true;
    if (!check("SCardBeginTransaction", SCardBeginTransaction(card))) return false;
    has_transaction = true;
    return true;
}

// Calls that release something are retried once, because the service may be busy. A transaction that
// does not end ends with the connection.
void disconnect_card(void) {
    if (has_transaction) SCardEndTransaction(card, SCARD_LEAVE_CARD);
    has_transaction = false;
    if (has_card && SCardDisconnect(card, SCARD_LEAVE_CARD)) SCardDisconnect(card, SCARD_LEAVE_CARD);
    has_card = false;
}

void close_reader(void) {
    disconnect_card();
    if (has_context && SCardReleaseContext(context)) SCardReleaseContext(context);
    has_context = false;
}

void give_up(void) {
    close_reader();
    fprintf(stderr, "%s\n", why());
    exit(1);
}

// Sends an APDU and removes the status word from the answer, which must be 9000. Returns the length of the rest, or -1.
static int transmit(const uint8_t *apdu, size_t length, uint8_t answer[LONGEST_ANSWER]) {
    // MISTAKE ignores-return-code: the buffer of the last answer is taken for this one when the call fails.
    static uint8_t last[LONGEST_ANSWER];
    static DWORD received = LONGEST_ANSWER;
    DWORD count = LONGEST_ANSWER;
    LONG result = SCardTransmit(card, SCARD_PCI_T1, apdu, length, NULL, answer, &count);
    if (makes("ignores-return-code")) {
        if (result == SCARD_S_SUCCESS) memcpy(last, answer, received = count);
        memcpy(answer, last, count = received);
    } else if (!check("SCardTransmit", result)) {
        return -1;
    }
    if (count < 2 || count > LONGEST_ANSWER) return failed("the reader answers %lu bytes", (unsigned long)count), -1;
    if (answer[count - 2] != 0x90 || answer[count - 1] != 0x00) {
        return failed("the reader reports %02X%02X", answer[count - 2], answer[count - 1]), -1;
    }
    return (int)count - 2;
}

int pn532(const uint8_t *command, size_t length, uint8_t answer[LONGEST_ANSWER]) {
    uint8_t apdu[DIRECT_TRANSMIT_HEADER + 255] = {0xFF, 0x00, 0x00, 0x00, (uint8_t)(length + 1), 0xD4};
    if (length > 254) return failed("a command of %zu bytes is too long for the reader", length), -1;
    memcpy(apdu + DIRECT_TRANSMIT_HEADER + 1, command, length);
    int count = transmit(apdu, DIRECT_TRANSMIT_HEADER + 1 + length, answer);
    if (count < 0) return -1;
    if (count < 2 || answer[0] != 0xD5 || answer[1] != command[0] + 1) {
        return failed("the PN532 answers %02X with something else", command[0]), -1;
    }
    memmove(answer, answer + 2, (size_t)count - 2);
    return count - 2;
}
