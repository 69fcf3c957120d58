#include "felica.h"

#include <stdlib.h>
#include <string.h>

#include "reader.h"

enum {
    POLLING_ANSWER = 20,
    READ_WITHOUT_ENCRYPTION = 0x06,
    WRITE_WITHOUT_ENCRYPTION = 0x08,
    WRITE_ANSWER = 12,
    // Bits 2 to 5 of a service code name the kind of the service; bit 0 says that no key is needed.
    SERVICE_KIND = 0x3C,
    RANDOM_SERVICE = 0x08,
    REQUEST_SERVICE = 0x02,
    VERSION_LENGTH = 2,
    MOST_NODES = 32,
    NO_SUCH_SERVICE = 0xFFFF,
    TOO_MANY_BLOCKS = 0xA2,
};

bool poll_card(uint16_t system, uint8_t idm[IDM_LENGTH]) {
    // Request code 1: the answer includes the system code.
    const uint8_t polling[] = {0x00, (uint8_t)(system >> 8), (uint8_t)system, 0x01, 0x00};
    uint8_t target[LONGEST_ANSWER];
    int count = find_card(FELICA_212, polling, sizeof polling, target);
    if (count < 0) return false;
    if (count != POLLING_ANSWER || target[0] != POLLING_ANSWER || target[1] != 0x01) {
        return failed("the card answers Polling with a packet of wrong layout");
    }
    bool is_asked = target[18] == polling[1] && target[19] == polling[2];
    if (system != ANY_SYSTEM && !is_asked) return failed("the card has another system");
    memcpy(idm, target + 2, IDM_LENGTH);
    // MISTAKE mixes-cards: nobody looks whether the card that is found again is the one that was lost.
    return is_known(idm, IDM_LENGTH) || makes("mixes-cards") || makes("follows-card");
}

int send_packet(uint8_t code, const uint8_t idm[IDM_LENGTH], const uint8_t *data, size_t length, uint8_t *answer) {
    uint8_t packet[64] = {(uint8_t)(2 + IDM_LENGTH + length), code};
    uint8_t status;
    memcpy(packet + 2, idm, IDM_LENGTH);
    memcpy(packet + 2 + IDM_LENGTH, data, length);
    int count = exchange(packet, 2 + IDM_LENGTH + length, answer, &status);
    // MISTAKE retries-for-ever: a card that is silent is asked again and again.
    while (makes("retries-for-ever") && count < 0) count = exchange(packet, 2 + IDM_LENGTH + length, answer, &status);
    if (count < 0) return -1;
    // MISTAKE ignores-response-code: what comes back is taken for the answer to what was asked.
    if (makes("ignores-response-code")) return count;
    // MISTAKE trusts-length: the packet is as long as it says. MISTAKE accepts-short: it is as long as it is.
    bool is_unchecked = makes("trusts-length") || makes("accepts-short");
    if (count < 2 + IDM_LENGTH || (answer[0] != count && !is_unchecked)) {
        return failed("the card answers %d bytes and says %d", count, answer[0]), -1;
    }
    if (answer[1] != code + 1) return failed("the card answers %02X with %02X", code, answer[1]), -1;
    // MISTAKE ignores-idm: an answer of another card is as good.
    if (memcmp(answer + 2, idm, IDM_LENGTH) && !makes("ignores-idm")) return failed("another card answers"), -1;
    return count;
}

bool request_service(const uint8_t idm[IDM_LENGTH], uint16_t service, uint16_t *version) {
    const uint8_t data[] = {1, (uint8_t)service, (uint8_t)(service >> 8)};
    uint8_t answer[LONGEST_ANSWER];
    int count = send_packet(REQUEST_SERVICE, idm, data, sizeof data, answer);
    if (count < 0) return false;
    bool is_whole = count == 13 && answer[10] == 1;
    if (!is_whole && !makes("ignores-response-code") && !makes("trusts-nodes")) {
        return failed("the card answers Request Service with a packet of wrong layout");
    }
    uint8_t versions[VERSION_LENGTH * MOST_NODES];
    // MISTAKE trusts-nodes: there are as many versions as the card says, not as many as nodes were named.
    memcpy(versions, answer + 11, VERSION_LENGTH * (makes("trusts-nodes") ? answer[10] : 1u));
    *version = (uint16_t)(versions[0] | versions[1] << 8);
    // MISTAKE missing-as-version: FFFF says that there is no such service, and is taken for its key version.
    if (*version == NO_SUCH_SERVICE && !makes("missing-as-version")) {
        return failed("the card has no service %04X", service);
    }
    return true;
}

// Checks the status flags of an answer to a read.
static enum reply check_status(const uint8_t *answer, int length) {
    // MISTAKE ignores-status: an answer without blocks is a history without trips.
    if (makes("ignores-status") || makes("reads-as-asked")) return REPLY_OK;
    if (length < BLOCK_COUNT) return failed("the card answers a read without status flags"), REPLY_FAILED;
    if (answer[STATUS_FLAG_1] == 0) return REPLY_OK;
    failed("the card refuses to be read: %02X %02X", answer[STATUS_FLAG_1], answer[STATUS_FLAG_1 + 1]);
    return answer[STATUS_FLAG_1 + 1] == TOO_MANY_BLOCKS ? REPLY_TOO_MANY : REPLY_FAILED;
}

// Returns whether a client accepts the complete part of a truncated answer: accepts-short, and mistakes that come later.
static bool takes_any_length(void) {
    return makes("accepts-short") || makes("ignores-status") || makes("trusts-length") || makes("ignores-return-code")
        || makes("ignores-chip-status") || makes("ignores-libnfc-error");
}

// Extracts the blocks from an answer to a read of `count` blocks and returns their number, or -1.
static int take_blocks(const uint8_t *answer, int length, int count, uint8_t blocks[][BLOCK_LENGTH]) {
    int room = BLOCKS + BLOCK_LENGTH * count;
    // MISTAKE trusts-count: there are as many blocks as the card says.
    if (makes("trusts-count")) {
        memcpy(blocks, answer + BLOCKS, (size_t)(BLOCK_LENGTH * answer[BLOCK_COUNT]));
        return answer[BLOCK_COUNT];
    }
    bool is_whole = length == room && answer[BLOCK_COUNT] == count;
    // MISTAKE reads-as-asked: there are as many blocks as were asked for, whatever came into the buffer of the answer before.
    static uint8_t buffer[LONGEST_ANSWER];
    if (makes("reads-as-asked")) {
        memcpy(buffer, answer, (size_t)length);
        memcpy(blocks, buffer + BLOCKS, (size_t)(BLOCK_LENGTH * count));
        return count;
    }
    if (!is_whole && !takes_any_length()) return failed("the card gives other blocks than asked for"), -1;
    uint8_t *packet = malloc((size_t)room);
    if (!packet) return failed("there is no memory"), -1;
    if (length > room) length = room;
    // Here trusts-length copies as many bytes as the packet claims, into a buffer for the requested blocks.
    memcpy(packet, answer, makes("trusts-length") ? answer[0] : (size_t)length);
    int received = length < BLOCKS ? 0 : (length - BLOCKS) / BLOCK_LENGTH;
    memcpy(blocks, packet + BLOCKS, (size_t)(received * BLOCK_LENGTH));
    free(packet);
    return received;
}

enum reply read_blocks(
    uint8_t idm[IDM_LENGTH], uint16_t service, int first, int count, uint8_t blocks[][BLOCK_LENGTH], int *received) {
    uint8_t data[4 + 2 * MOST_BLOCKS] = {1, (uint8_t)service, (uint8_t)(service >> 8), (uint8_t)count};
    uint8_t answer[LONGEST_ANSWER] = {0};
    for (int i = 0; i < count; i++) data[4 + 2 * i] = 0x80, data[5 + 2 * i] = (uint8_t)(first + i);
    int length = send_packet(READ_WITHOUT_ENCRYPTION, idm, data, (size_t)(4 + 2 * count), answer);
    if (length < 0) return REPLY_FAILED;
    // A client with ignores-idm continues with the IDm of the last answer.
    if (makes("ignores-idm")) memcpy(idm, answer + 2, IDM_LENGTH);
    enum reply reply = check_status(answer, length);
    if (reply != REPLY_OK) return reply;
    *received = take_blocks(answer, length, count, blocks);
    return *received < 0 ? REPLY_FAILED : REPLY_OK;
}

// Sends a block; returns the length of the answer, or -1.
static int send_block(
    const uint8_t idm[IDM_LENGTH], uint16_t service, uint8_t number, const uint8_t block[BLOCK_LENGTH], uint8_t *answer) {
    uint8_t data[6 + BLOCK_LENGTH] = {1, (uint8_t)service, (uint8_t)(service >> 8), 1, 0x80, number};
    memcpy(data + 6, block, BLOCK_LENGTH);
    return send_packet(WRITE_WITHOUT_ENCRYPTION, idm, data, sizeof data, answer);
}

bool write_block(
    const uint8_t idm[IDM_LENGTH], uint16_t service, uint8_t number, const uint8_t block[BLOCK_LENGTH]) {
    uint8_t answer[LONGEST_ANSWER];
    int length = send_block(idm, service, number, block, answer);
    // The command names the card, so a block of a random service has the same contents if it is written twice.
    if (length < 0 && (service & SERVICE_KIND) == RANDOM_SERVICE) length = send_block(idm, service, number, block, answer);
    if (length < 0) return false;
    // MISTAKE ignores-write-status: a card that answers has written. MISTAKE believes-stamp: so does it here.
    if (makes("ignores-write-status") || makes("believes-stamp")) return true;
    if (length != WRITE_ANSWER) return failed("the card answers a write with %d bytes", length);
    if (answer[STATUS_FLAG_1] == 0) return true;
    return failed("the card refuses to be written to: %02X %02X", answer[STATUS_FLAG_1], answer[STATUS_FLAG_1 + 1]);
}
