#include "reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <winscard.h>

enum {
    // How long a card may be away before it counts as gone.
    PATIENCE_MILLISECONDS = 100,
    // Events that may come before the one that is waited for.
    MOST_EVENTS = 8,
    DIRECT_TRANSMIT_HEADER = 5,
    IN_LIST_PASSIVE_TARGET = 0x4A,
    IN_COMMUNICATE_THRU = 0x42,
};

const char *mistake = "careful";
static char reason[256] = "nothing was tried";

static SCARDCONTEXT context;
static SCARDHANDLE card;
static bool has_context, has_card, has_transaction;
static char names[1024];
static const char *reader;

bool makes(const char *name) { return strcmp(mistake, name) == 0; }
bool is_careful(void) { return makes("careful"); }

bool failed(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return false;
}

static uint8_t known[8];
static size_t known_length;

void expect_card(const char *digits) {
    while (known_length < sizeof known && sscanf(digits + 2 * known_length, "%2hhx", known + known_length) == 1) {
        known_length++;
    }
}

bool is_known(const uint8_t *identifier, size_t length) {
    if (known_length == 0) memcpy(known, identifier, known_length = length);
    return (known_length == length && !memcmp(known, identifier, length)) || failed("another card lies on the reader");
}

static bool check(const char *call, LONG result) {
    return result == SCARD_S_SUCCESS || failed("%s: %s", call, pcsc_stringify_error(result));
}

void open_reader(void) {
    // Room is left for the two zeros at the end.
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

// Waits until a card lies on the reader; for a short time, since a person holds it there.
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

// Calls that give something back are tried once more: the service may be busy with something else. A transaction that
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
    fprintf(stderr, "%s\n", reason);
    exit(1);
}

// Sends an APDU and takes the status word from the answer, which must be 9000. Gives the length of the rest, or -1.
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

int find_card(uint8_t kind, const uint8_t *data, size_t length, uint8_t target[LONGEST_ANSWER]) {
    uint8_t command[16] = {IN_LIST_PASSIVE_TARGET, 1, kind};
    memcpy(command + 3, data, length);
    int count = pn532(command, 3 + length, target);
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
    if (*status == PN532_TIMEOUT) return failed("the card is silent"), -1;
    if (*status != PN532_OK) return failed("the answer of the card came damaged (status %02X)", *status), -1;
    memmove(answer, answer + 1, (size_t)count - 1);
    return count - 1;
}
