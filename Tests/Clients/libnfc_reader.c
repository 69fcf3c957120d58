// A client of libnfc in C: prints the UID and four pages of a tag, or the IDm and the history of a transit card.
//
// usage: libnfc_reader tag | transit     uses the first device that libnfc finds
// build: cc libnfc_reader.c -o libnfc_reader $(pkg-config --cflags --libs libnfc)
#include <nfc/nfc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE_MILLISECONDS = 5000, ID_BYTES = 8, BLOCK_BYTES = 16, HISTORY_BLOCKS = 20, BLOCKS_AT_ONCE = 10 };

static nfc_device *device;

static void fail(const char *message) {
    fprintf(stderr, "%s: %s\n", message, device ? nfc_strerror(device) : "no device");
    exit(1);
}

static void print_bytes(const char *title, const uint8_t *bytes, size_t count) {
    printf("%s ", title);
    for (size_t i = 0; i < count; i++) printf("%02X", bytes[i]);
    printf("\n");
}

// Waits for a card without a time limit.
static nfc_target select_card(nfc_modulation modulation, const uint8_t *polling, size_t count) {
    nfc_target target;
    if (nfc_initiator_select_passive_target(device, modulation, polling, count, &target) <= 0) fail("no card");
    return target;
}

static size_t exchange(const uint8_t *command, size_t count, uint8_t *answer, size_t room) {
    int received = nfc_initiator_transceive_bytes(device, command, count, answer, room, PATIENCE_MILLISECONDS);
    if (received < 0) fail("no answer");
    return (size_t)received;
}

static void print_tag(void) {
    nfc_target tag = select_card((nfc_modulation){.nmt = NMT_ISO14443A, .nbr = NBR_106}, NULL, 0);
    print_bytes("UID", tag.nti.nai.abtUid, tag.nti.nai.szUidLen);
    uint8_t pages[BLOCK_BYTES];
    if (exchange((const uint8_t[]){0x30, 4}, 2, pages, sizeof pages) != sizeof pages) fail("READ");
    print_bytes("pages", pages, sizeof pages);
}

// Reads blocks of the history, service 090F, with Read Without Encryption.
static void print_blocks(const uint8_t *idm, uint8_t first) {
    uint8_t command[2 + ID_BYTES + 4 + 2 * BLOCKS_AT_ONCE] = {sizeof command, 0x06};
    memcpy(command + 2, idm, ID_BYTES);
    memcpy(command + 2 + ID_BYTES, (const uint8_t[]){1, 0x0F, 0x09, BLOCKS_AT_ONCE}, 4);
    for (uint8_t i = 0; i < BLOCKS_AT_ONCE; i++) {
        command[14 + 2 * i] = 0x80;
        command[15 + 2 * i] = first + i;
    }
    uint8_t answer[13 + BLOCK_BYTES * BLOCKS_AT_ONCE];
    if (exchange(command, sizeof command, answer, sizeof answer) != sizeof answer) fail("Read Without Encryption");
    for (size_t i = 0; i < BLOCKS_AT_ONCE; i++) print_bytes("record", answer + 13 + BLOCK_BYTES * i, BLOCK_BYTES);
}

static void print_transit(void) {
    const uint8_t polling[] = {0x00, 0x00, 0x03, 0x01, 0x00};
    nfc_modulation felica = {.nmt = NMT_FELICA, .nbr = NBR_212};
    nfc_target card = select_card(felica, polling, sizeof polling);
    print_bytes("IDm", card.nti.nfi.abtId, ID_BYTES);
    for (uint8_t first = 0; first < HISTORY_BLOCKS; first += BLOCKS_AT_ONCE) print_blocks(card.nti.nfi.abtId, first);
}

int main(int count, char **arguments) {
    nfc_context *context;
    nfc_init(&context);
    if (context == NULL || count != 2) return 2;
    device = nfc_open(context, NULL);
    if (device == NULL || nfc_initiator_init(device) < 0) fail("cannot use the device");
    if (strcmp(arguments[1], "tag") == 0) print_tag();
    else print_transit();
    nfc_close(device);
    nfc_exit(context);
    return 0;
}
