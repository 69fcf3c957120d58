// A terminal for several visitors: shows the UID, eight pages and the short link of each new tag, or `card error`, and ends after
// the expected number of visitors. It is correct, or makes one mistake.
//
// usage: kiosk_zoo MISTAKE VISITORS [MILLISECONDS]
//   MISTAKE       `correct`, or a name after MISTAKE in a comment
//   MILLISECONDS  the time limit for the next visitor, 1000 if not given
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <winscard.h>

#include "client.h"

enum {
    UID_LENGTH = 7,
    READ_LENGTH = 16,
    PAGES_LENGTH = 2 * READ_LENGTH,
    // Of a message with one record whose abbreviation is https://.
    LINK_START = 7,
    SCREEN = 512,
    // The maximum number of events per visitor.
    MOST_EVENTS = 8,
};

static SCARDCONTEXT context;
// The time limit for the next visitor in milliseconds.
static int patience = 1000;
static char reader[1024];

struct card {
    uint8_t uid[UID_LENGTH];
    uint8_t pages[PAGES_LENGTH];
};

static bool check(const char *call, LONG result) {
    return result == SCARD_S_SUCCESS || failed("%s: %s", call, pcsc_stringify_error(result));
}

static bool transmit(SCARDHANDLE handle, const uint8_t *apdu, uint8_t *data, DWORD length) {
    uint8_t answer[256];
    DWORD count = sizeof answer;
    if (!check("SCardTransmit", SCardTransmit(handle, SCARD_PCI_T1, apdu, 5, NULL, answer, &count))) return false;
    bool is_good = count == length + 2 && answer[length] == 0x90 && answer[length + 1] == 0x00;
    if (!is_good) return failed("the reader answers %lu bytes", (unsigned long)count);
    memcpy(data, answer, length);
    return true;
}

static bool read_once(SCARDHANDLE handle, struct card *card) {
    static const uint8_t get_uid[] = {0xFF, 0xCA, 0x00, 0x00, 0x00};
    static const uint8_t read_first[] = {0xFF, 0xB0, 0x00, 0x04, READ_LENGTH}, read_second[] = {0xFF, 0xB0, 0x00, 0x08, READ_LENGTH};
    uint8_t uid[UID_LENGTH];
    if (!transmit(handle, get_uid, uid, UID_LENGTH)) return false;
    // MISTAKE knows-visitors: what is on a card that was here before is known.
    bool is_known = makes("knows-visitors") && !memcmp(uid, card->uid, UID_LENGTH);
    memcpy(card->uid, uid, UID_LENGTH);
    return is_known || (transmit(handle, read_first, card->pages, READ_LENGTH) &&
                        transmit(handle, read_second, card->pages + READ_LENGTH, READ_LENGTH));
}

// Shows the link of a message with one record, if it is short.
static void show_link(FILE *out, const uint8_t *pages) {
    static const uint8_t record[] = {0xD1, 0x01}, link[] = {0x55, 0x04};
    int length = pages[4] - 1;
    bool is_link = pages[0] == 0x03 && !memcmp(pages + 2, record, sizeof record) && !memcmp(pages + 5, link, sizeof link);
    if (is_link && length >= 0 && LINK_START + length <= PAGES_LENGTH) {
        fprintf(out, ", https://%.*s", length, (const char *)pages + LINK_START);
    }
}

// The correct client reads twice, because torn and stale answers look like others.
static bool read_card(SCARDHANDLE handle, struct card *card) {
    struct card again;
    if (!read_once(handle, card)) return false;
    if (!is_correct()) return true;
    return read_once(handle, &again) && (!memcmp(card, &again, sizeof again) || failed("two readings of the card differ"));
}

// Connects to the present card, reads it and disconnects.
static bool visit(struct card *card) {
    SCARDHANDLE handle;
    DWORD protocol;
    LONG result = SCardConnect(context, reader, SCARD_SHARE_SHARED, SCARD_PROTOCOL_T1, &handle, &protocol);
    if (!check("SCardConnect", result)) return false;
    bool has_begun = check("SCardBeginTransaction", SCardBeginTransaction(handle));
    bool is_read = has_begun && read_card(handle, card);
    // MISTAKE keeps-transaction: the way out after an error passes by the end of the transaction, and the next card waits for it.
    if (!is_read && makes("keeps-transaction")) return false;
    if (has_begun) SCardEndTransaction(handle, SCARD_LEAVE_CARD);
    if (SCardDisconnect(handle, SCARD_LEAVE_CARD)) SCardDisconnect(handle, SCARD_LEAVE_CARD);
    return is_read;
}

// Reads a card and shows it on the screen; false if it could not be read.
static bool show(void) {
    static struct card card;
    static char screen[SCREEN];
    bool is_read = visit(&card);
    // MISTAKE spins-on-error: the card is tried again at once, until it works.
    while (!is_read && makes("spins-on-error")) is_read = visit(&card);
    // MISTAKE ends-on-error: a card that was taken away early ends the program, as if all were done.
    if (!is_read && makes("ends-on-error")) exit(0);
    FILE *out = fmemopen(screen, sizeof screen, "w");
    // MISTAKE shows-last: what could not be read is what was read before.
    if (is_read || makes("shows-last")) {
        fprintf(out, "UID ");
        for (int i = 0; i < UID_LENGTH; i++) fprintf(out, "%02X", card.uid[i]);
        fprintf(out, " holds ");
        for (int i = 0; i < PAGES_LENGTH; i++) fprintf(out, "%02X", card.pages[i]);
        show_link(out, card.pages);
    } else {
        fprintf(out, "card error");
    }
    fclose(out);
    // MISTAKE shows-previous: what is drawn is shown when the next one is drawn.
    static char shown[SCREEN];
    if (!makes("shows-previous") || !*shown) memcpy(shown, screen, SCREEN);
    printf("%s\nthank you\n", shown);
    memcpy(shown, screen, SCREEN);
    fflush(stdout);
    return is_read || makes("shows-last");
}

static bool has_card(DWORD state) { return state & SCARD_STATE_PRESENT && !(state & SCARD_STATE_MUTE); }

// Waits for a card that was not there before.
static bool wait_for_card(SCARD_READERSTATE *state) {
    for (int events = 0; events < MOST_EVENTS; events++) {
        if (!check("SCardGetStatusChange", SCardGetStatusChange(context, patience, state, 1))) return false;
        DWORD before = state->dwCurrentState, now = state->dwEventState;
        state->dwCurrentState = now & ~(DWORD)SCARD_STATE_CHANGED;
        if (now & (SCARD_STATE_UNAVAILABLE | SCARD_STATE_UNKNOWN)) return failed("the reader was taken away");
        // The upper half counts the cards that arrived and left.
        bool has_come = has_card(now) && (!has_card(before) || now >> 16 != before >> 16);
        if (has_come) return true;
    }
    return failed("the reader reports events and no card");
}

int main(int count, char **arguments) {
    DWORD length = sizeof reader;
    if (count < 3) return 2;
    if (count > 3) patience = atoi(arguments[3]);
    mistake = arguments[1];
    bool is_open = check("SCardEstablishContext", SCardEstablishContext(SCARD_SCOPE_SYSTEM, NULL, NULL, &context));
    bool is_good = is_open && check("SCardListReaders", SCardListReaders(context, NULL, reader, &length));
    SCARD_READERSTATE state = {.szReader = reader};
    for (int visitors = atoi(arguments[2]), i = 0; i < visitors && is_good; i++) is_good = wait_for_card(&state) && show();
    // MISTAKE keeps-context: the context goes with the process.
    if (is_open && !makes("keeps-context") && SCardReleaseContext(context)) SCardReleaseContext(context);
    if (!is_good) fprintf(stderr, "%s\n", why());
    return is_good ? 0 : 1;
}
