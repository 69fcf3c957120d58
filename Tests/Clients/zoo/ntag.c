#include "ntag.h"

#include <string.h>

#include "reader.h"

enum {
    READ = 0x30,
    WRITE = 0xA2,
    ACK = 0x0A,
    CRC_LENGTH = 2,
    WRITE_REGISTER = 0x08,
};

bool select_tag(uint8_t uid[UID_LENGTH]) {
    // CIU_RxMode without a CRC check; otherwise the chip would not return 4-bit answers.
    const uint8_t let_through[] = {WRITE_REGISTER, 0x63, 0x03, 0x00};
    const uint8_t ntag[] = {0x00, 0x44, 0x00, UID_LENGTH};
    uint8_t target[LONGEST_ANSWER];
    int count = find_card(TYPE_A_106, NULL, 0, target);
    if (count < 0) return false;
    if (count != sizeof ntag + UID_LENGTH || memcmp(target, ntag, sizeof ntag)) return failed("this is no NTAG");
    memcpy(uid, target + sizeof ntag, UID_LENGTH);
    if (!is_known(uid, UID_LENGTH) && !makes("writes-to-any")) return false;
    return pn532(let_through, sizeof let_through, target) == 0 || failed("the PN532 does not take its registers");
}

// CRC_A, ISO/IEC 14443-3, annex B.
static uint16_t crc_a(const uint8_t *bytes, int count) {
    uint16_t crc = 0x6363;
    for (int i = 0; i < count; i++) {
        uint8_t byte = (uint8_t)(bytes[i] ^ crc);
        byte ^= (uint8_t)(byte << 4);
        crc = (uint16_t)(crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4);
    }
    return crc;
}

int send_command(const uint8_t *command, size_t length, uint8_t *answer) {
    uint8_t status;
    memset(answer, 0, LONGEST_ANSWER);
    int count = exchange(command, length, answer, &status);
    if (count <= 1) return count == 0 ? failed("the tag gives an empty answer"), -1 : count;
    // MISTAKE ignores-crc: the check of the chip is off for the acknowledgements, and nobody makes up for it.
    if (makes("ignores-crc")) return count - CRC_LENGTH;
    uint16_t crc = crc_a(answer, count - CRC_LENGTH);
    if (count <= CRC_LENGTH || answer[count - 2] != (uint8_t)crc || answer[count - 1] != crc >> 8) {
        return failed("the answer of the tag came damaged"), -1;
    }
    return count - CRC_LENGTH;
}

bool read_pages(uint8_t page, uint8_t pages[READ_LENGTH]) {
    const uint8_t command[] = {READ, page};
    uint8_t answer[LONGEST_ANSWER];
    int count = send_command(command, sizeof command, answer);
    // MISTAKE no-reactivation: a tag that has refused a command hears nothing until it is selected; it is asked on.
    while (makes("no-reactivation") && count != READ_LENGTH) count = send_command(command, sizeof command, answer);
    if (count < 0) return false;
    // MISTAKE nak-as-data: whatever comes back is the content of the pages.
    if (count != READ_LENGTH && !makes("nak-as-data")) {
        return failed("the tag refuses page %d to be read (%d bytes, %02X)", page, count, answer[0]);
    }
    memcpy(pages, answer, READ_LENGTH);
    return true;
}

bool write_page(uint8_t page, const uint8_t data[PAGE_LENGTH]) {
    uint8_t command[2 + PAGE_LENGTH] = {WRITE, page}, answer[LONGEST_ANSWER];
    memcpy(command + 2, data, PAGE_LENGTH);
    int count = send_command(command, sizeof command, answer);
    // MISTAKE no-ack-check: what was sent is written.
    if (makes("no-ack-check")) return true;
    if (count < 0) return false;
    if (count == 1 && (answer[0] & 0x0F) == ACK) return true;
    return failed("the tag does not write page %d (%d bytes, %02X)", page, count, answer[0]);
}
