#include "tag.h"

#include <string.h>

enum { PAGES_AT_ONCE = 4, READ = 0x30, PATIENCE_MILLISECONDS = 1000 };

int tag_find(nfc_device *device, unsigned char uid[TAG_UID_BYTES]) {
    const nfc_modulation modulation = {.nmt = NMT_ISO14443A, .nbr = NBR_106};
    nfc_target tag;
    nfc_device_set_property_bool(device, NP_INFINITE_SELECT, false);
    if (nfc_initiator_select_passive_target(device, modulation, NULL, 0, &tag) <= 0) return -1;
    if (tag.nti.nai.szUidLen != TAG_UID_BYTES) return -1;
    memcpy(uid, tag.nti.nai.abtUid, TAG_UID_BYTES);
    return 0;
}

int tag_read(nfc_device *device, unsigned char first, size_t count, unsigned char *pages) {
    for (size_t done = 0; done < count; done += PAGES_AT_ONCE) {
        const unsigned char command[] = {READ, (unsigned char)(first + done)};
        unsigned char answer[PAGES_AT_ONCE * TAG_PAGE_BYTES];
        size_t left = count - done < PAGES_AT_ONCE ? count - done : PAGES_AT_ONCE;
        int length = nfc_initiator_transceive_bytes(
            device, command, sizeof command, answer, sizeof answer, PATIENCE_MILLISECONDS);
        if (length != sizeof answer) return -1;
        memcpy(pages + done * TAG_PAGE_BYTES, answer, left * TAG_PAGE_BYTES);
    }
    return 0;
}
