/*
 * A terminal with a screen: shows the UID of each new card, or `card error`, and waits for the next card.
 * With --once it shows one card and ends after the card has left. It does not know that it is being tested.
 */
#include <stdio.h>
#include <string.h>
#include <winscard.h>

static const unsigned char get_uid[] = {0xFF, 0xCA, 0x00, 0x00, 0x00};

static void show(SCARDCONTEXT context, const char *reader) {
    SCARDHANDLE card;
    DWORD protocol;
    unsigned char answer[256];
    DWORD length = sizeof answer;
    LONG result = SCardConnect(context, reader, SCARD_SHARE_SHARED, SCARD_PROTOCOL_ANY, &card, &protocol);
    if (result == SCARD_S_SUCCESS) {
        result = SCardTransmit(card, SCARD_PCI_T1, get_uid, sizeof get_uid, NULL, answer, &length);
        SCardDisconnect(card, SCARD_LEAVE_CARD);
    }
    if (result != SCARD_S_SUCCESS || length < 3 || answer[length - 2] != 0x90) {
        printf("card error\n");
    } else {
        printf("UID ");
        for (DWORD i = 0; i < length - 2; i++) printf("%02X", answer[i]);
        printf("\n");
    }
    fflush(stdout);
}

int main(int count, char **words) {
    int is_once = count > 1 && strcmp(words[1], "--once") == 0, has_shown = 0;
    SCARDCONTEXT context;
    char readers[1024];
    DWORD length = sizeof readers;
    if (SCardEstablishContext(SCARD_SCOPE_SYSTEM, NULL, NULL, &context) != SCARD_S_SUCCESS) return 2;
    if (SCardListReaders(context, NULL, readers, &length) != SCARD_S_SUCCESS) return 3;
    SCARD_READERSTATE state = {.szReader = readers};
    for (;;) {
        if (SCardGetStatusChange(context, INFINITE, &state, 1) != SCARD_S_SUCCESS) return 4;
        DWORD before = state.dwCurrentState, now = state.dwEventState;
        state.dwCurrentState = now;
        if (now & SCARD_STATE_PRESENT && !(before & SCARD_STATE_PRESENT)) {
            show(context, readers);
            has_shown = 1;
        } else if (now & SCARD_STATE_EMPTY && has_shown && is_once) {
            printf("gone\n");
            SCardReleaseContext(context);
            return 0;
        }
    }
}
