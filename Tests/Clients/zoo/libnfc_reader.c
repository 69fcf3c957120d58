// The clients' reader is the first one that libnfc finds.
#include <nfc/nfc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"

enum {
    PATIENCE_MILLISECONDS = 500,
    FELICA_TARGET = 20,
};

static nfc_context *context;
static nfc_device *device;

static bool check(const char *call, int result) {
    return result >= 0 || failed("%s: %s", call, nfc_strerror(device));
}

void open_reader(void) {
    nfc_init(&context);
    if (!context) failed("nfc_init: there is no memory");
    device = context ? nfc_open(context, NULL) : NULL;
    if (!device) failed("no device is there");
    if (!device || !check("nfc_initiator_init", nfc_initiator_init(device))) give_up();
    // By default, libnfc searches for a card without a limit.
    if (!check("NP_INFINITE_SELECT", nfc_device_set_property_bool(device, NP_INFINITE_SELECT, false))) give_up();
}

bool connect_card(void) { return true; }

void disconnect_card(void) {}

void close_reader(void) {
    if (device) nfc_close(device);
    if (context) nfc_exit(context);
    device = NULL;
    context = NULL;
}

void give_up(void) {
    close_reader();
    fprintf(stderr, "%s\n", why());
    exit(1);
}

int find_card(uint8_t kind, const uint8_t *data, size_t length, uint8_t target[LONGEST_ANSWER]) {
    nfc_target found;
    const nfc_modulation modulation = {.nmt = NMT_FELICA, .nbr = NBR_212};
    if (kind != FELICA_212) return failed("only FeliCa cards are read"), -1;
    int count = nfc_initiator_select_passive_target(device, modulation, data, length, &found);
    // MISTAKE selects-for-ever: a card is looked for until one is there, and nobody is told.
    while (makes("selects-for-ever") && count <= 0) {
        count = nfc_initiator_select_passive_target(device, modulation, data, length, &found);
    }
    if (!check("nfc_initiator_select_passive_target", count)) return -1;
    if (count == 0) return failed("no such card is found"), -1;
    target[0] = (uint8_t)found.nti.nfi.szLen;
    target[1] = found.nti.nfi.btResCode;
    memcpy(target + 2, found.nti.nfi.abtId, 8);
    memcpy(target + 10, found.nti.nfi.abtPad, 8);
    memcpy(target + 18, found.nti.nfi.abtSysCode, 2);
    return FELICA_TARGET;
}

int exchange(const uint8_t *frame, size_t length, uint8_t answer[LONGEST_ANSWER], uint8_t *status) {
    static uint8_t received[LONGEST_ANSWER];
    static int last;
    int count = nfc_initiator_transceive_bytes(device, frame, length, received, sizeof received, PATIENCE_MILLISECONDS);
    *status = count < 0 ? PN532_TIMEOUT : PN532_OK;
    // MISTAKE ignores-libnfc-error: the buffer holds the answer, whatever the call returns.
    if (count < 0 && makes("ignores-libnfc-error")) count = last;
    if (!check("nfc_initiator_transceive_bytes", count)) return -1;
    memcpy(answer, received, (size_t)(last = count));
    return count;
}
