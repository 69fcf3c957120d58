// A PC/SC client in C: waits for a card in the first reader and prints its ATR, its UID and the first bytes of a tag.
//
// usage: card_uid [--until-removed]     with the option it waits until the card is removed
// build: cc card_uid.c -o card_uid $(pkg-config --cflags --libs libpcsclite)
#include <stdio.h>
#include <stdlib.h>
#include <winscard.h>

enum { PATIENCE_MILLISECONDS = 20000 };

static void check(const char *call, LONG result) {
    if (result == SCARD_S_SUCCESS) return;
    fprintf(stderr, "%s: %s\n", call, pcsc_stringify_error(result));
    exit(1);
}

static void print_bytes(const char *title, const BYTE *bytes, DWORD count) {
    printf("%s ", title);
    for (DWORD i = 0; i < count; i++) printf("%02X", bytes[i]);
    printf("\n");
}

// Waits until the reader has a card, or has none.
static void wait_for_card(SCARDCONTEXT context, const char *reader, int present) {
    SCARD_READERSTATE state = {.szReader = reader, .dwCurrentState = SCARD_STATE_UNAWARE};
    for (;;) {
        check("SCardGetStatusChange", SCardGetStatusChange(context, PATIENCE_MILLISECONDS, &state, 1));
        if (!!(state.dwEventState & SCARD_STATE_PRESENT) == present) return;
        state.dwCurrentState = state.dwEventState;
    }
}

// Sends a command and prints the answer, if the card gives one.
static void print_answer(const char *title, SCARDHANDLE card, const SCARD_IO_REQUEST *pci, const BYTE command[5]) {
    BYTE answer[258];
    DWORD count = sizeof answer;
    // Other libraries do not need it, but pcsc-spy reads it.
    SCARD_IO_REQUEST received = *pci;
    check("SCardTransmit", SCardTransmit(card, pci, command, 5, &received, answer, &count));
    if (count >= 2 && answer[count - 2] == 0x90) print_bytes(title, answer, count - 2);
}

static void print_card(SCARDCONTEXT context, const char *reader) {
    SCARDHANDLE card;
    DWORD protocol, state, count = MAX_ATR_SIZE;
    BYTE atr[MAX_ATR_SIZE];
    check("SCardConnect", SCardConnect(context, reader, SCARD_SHARE_SHARED, SCARD_PROTOCOL_ANY, &card, &protocol));
    check("SCardStatus", SCardStatus(card, NULL, NULL, &state, &protocol, atr, &count));
    print_bytes("ATR", atr, count);
    const SCARD_IO_REQUEST *pci = protocol == SCARD_PROTOCOL_T0 ? SCARD_PCI_T0 : SCARD_PCI_T1;
    print_answer("UID", card, pci, (const BYTE[]){0xFF, 0xCA, 0x00, 0x00, 0x00});
    print_answer("pages", card, pci, (const BYTE[]){0xFF, 0xB0, 0x00, 0x04, 0x10});
    check("SCardDisconnect", SCardDisconnect(card, SCARD_LEAVE_CARD));
}

int main(int count, char **arguments) {
    (void)arguments;
    SCARDCONTEXT context;
    char readers[4096];
    DWORD length = sizeof readers;
    check("SCardEstablishContext", SCardEstablishContext(SCARD_SCOPE_SYSTEM, NULL, NULL, &context));
    check("SCardListReaders", SCardListReaders(context, NULL, readers, &length));
    printf("reader %s\n", readers);
    wait_for_card(context, readers, 1);
    print_card(context, readers);
    if (count > 1) {
        wait_for_card(context, readers, 0);
        printf("card taken away\n");
    }
    check("SCardReleaseContext", SCardReleaseContext(context));
    return 0;
}
