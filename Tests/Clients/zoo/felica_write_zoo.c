// Writes an NDEF message to an NFC Forum Type 3 Tag, in C. It is correct, or makes one mistake.
//
// usage: felica_write_zoo MISTAKE IDM TEXT
//   MISTAKE   `correct`, or a name after MISTAKE in a comment here or in felica.c
//   IDM       sixteen hexadecimal digits
//   TEXT      becomes a link without a prefix
//
// Source for the order of writes: NFC Forum Type 3 Tag Operation, "NDEF write procedure". WriteFlag is 0F while the message
// is being written, so that readers of a tag that was removed early know that its message is incomplete.
#include <stdio.h>
#include <string.h>

#include "felica.h"
#include "reader.h"

enum {
    TYPE_3_TAG = 0x12FC,
    READ_SERVICE = 0x000B,
    WRITE_SERVICE = 0x0009,
    // The offsets in the attribute information block.
    VERSION = 0,
    WRITE_FLAG = 9,
    READ_WRITE_FLAG = 10,
    LENGTH = 11,
    CHECKSUM = 14,
    MAJOR_VERSION_1 = 1,
    BEING_WRITTEN = 0x0F,
    MAY_BE_WRITTEN = 0x01,
    URI_HEADER = 5,
    LONGEST_TEXT = 40,
    // The number of blocks of the longest message.
    BLOCKS_OF_MESSAGE = 3,
    // The memory configuration of a FeliCa Lite-S.
    MC = 0x88,
};

struct tag {
    uint8_t idm[IDM_LENGTH];
    uint8_t attributes[BLOCK_LENGTH];
    uint8_t blocks[BLOCKS_OF_MESSAGE][BLOCK_LENGTH];
};

static uint16_t checksum(const uint8_t *attributes) {
    uint16_t sum = 0;
    for (int i = 0; i < CHECKSUM; i++) sum = (uint16_t)(sum + attributes[i]);
    return sum;
}

// Reads the attributes and the blocks of a message, block by block.
static bool read_tag(struct tag *tag) {
    if (!poll_card(TYPE_3_TAG, tag->idm)) return false;
    for (int i = 0; i <= BLOCKS_OF_MESSAGE; i++) {
        uint8_t block[1][BLOCK_LENGTH];
        int received = 0;
        if (read_blocks(tag->idm, READ_SERVICE, i, 1, block, &received) != REPLY_OK || received != 1) return false;
        memcpy(i == 0 ? tag->attributes : tag->blocks[i - 1], block[0], BLOCK_LENGTH);
    }
    const uint8_t *attributes = tag->attributes;
    bool is_right = checksum(attributes) == (attributes[CHECKSUM] << 8 | attributes[CHECKSUM + 1]);
    if (!is_right || attributes[VERSION] >> 4 != MAJOR_VERSION_1) return failed("the tag is not formatted for NDEF");
    if (attributes[READ_WRITE_FLAG] != MAY_BE_WRITTEN) return failed("the tag does not let its message be written");
    if ((attributes[3] << 8 | attributes[4]) < BLOCKS_OF_MESSAGE) return failed("the tag has no room for the message");
    return true;
}

// Prepares the new contents of the tag.
static struct tag wanted(const struct tag *tag, const char *text) {
    struct tag wanted = *tag;
    int count = URI_HEADER + (int)strlen(text);
    uint8_t bytes[BLOCKS_OF_MESSAGE * BLOCK_LENGTH] = {0xD1, 1, (uint8_t)(count - 4), 'U', 0};
    memcpy(bytes + URI_HEADER, text, strlen(text));
    memcpy(wanted.blocks, bytes, sizeof bytes);
    wanted.attributes[WRITE_FLAG] = 0;
    memset(wanted.attributes + LENGTH, 0, 3);
    wanted.attributes[LENGTH + 2] = (uint8_t)count;
    return wanted;
}

static bool write_attributes(const struct tag *tag, uint8_t flag) {
    uint8_t block[BLOCK_LENGTH];
    memcpy(block, tag->attributes, sizeof block);
    block[WRITE_FLAG] = flag;
    uint16_t sum = checksum(block);
    block[CHECKSUM] = (uint8_t)(sum >> 8), block[CHECKSUM + 1] = (uint8_t)sum;
    return write_block(tag->idm, WRITE_SERVICE, 0, block);
}

static bool write_blocks(struct tag *wanted) {
    for (int i = 0; i < BLOCKS_OF_MESSAGE; i++) {
        bool is_written = write_block(wanted->idm, WRITE_SERVICE, (uint8_t)(i + 1), wanted->blocks[i]);
        // MISTAKE skips-failed: the loop goes on behind a block that could not be written.
        if (!is_written && makes("skips-failed")) continue;
        // MISTAKE follows-card: what lies there now is the tag that was there.
        is_written = is_written
            || (makes("follows-card") && connect_card() && poll_card(TYPE_3_TAG, wanted->idm)
                && write_block(wanted->idm, WRITE_SERVICE, (uint8_t)(i + 1), wanted->blocks[i]));
        if (!is_written) return false;
    }
    return true;
}

static bool write_tag(struct tag *wanted) {
    // MISTAKE attributes-first: the length is that of a message which is not there yet, and nothing says so.
    if (makes("attributes-first")) return write_attributes(wanted, 0) && write_blocks(wanted);
    return write_attributes(wanted, BEING_WRITTEN) && write_blocks(wanted) && write_attributes(wanted, 0);
}

// Writes, then verifies the contents of the tag after a new polling.
static bool write_and_check(const char *text, struct tag *tag) {
    if (!read_tag(tag)) return false;
    struct tag whole = wanted(tag, text);
    bool is_there = !memcmp(tag->attributes, whole.attributes, CHECKSUM) && !memcmp(tag->blocks, whole.blocks, sizeof whole.blocks);
    if (!is_there && !write_tag(&whole)) return false;
    // MISTAKE closes-tag: a finished tag is closed, which nobody has asked for and nobody can take back.
    const uint8_t closed[BLOCK_LENGTH] = {0x00, 0xC0, 0x00, 0x01};
    if (makes("closes-tag") && !write_block(tag->idm, WRITE_SERVICE, MC, closed)) return false;
    // MISTAKE skips-read-back: what a card acknowledges it holds.
    bool is_sure = makes("skips-read-back") || makes("ignores-write-status") || makes("skips-failed");
    if (is_sure || makes("closes-tag")) return *tag = whole, true;
    if (!read_tag(tag)) return false;
    bool is_wanted = !memcmp(tag->attributes, whole.attributes, CHECKSUM) && !memcmp(tag->blocks, whole.blocks, sizeof whole.blocks);
    return is_wanted || failed("the tag holds something else than was written");
}

int main(int count, char **arguments) {
    struct tag tag;
    if (count != 4 || strlen(arguments[3]) > LONGEST_TEXT) {
        fprintf(stderr, "usage: felica_write_zoo MISTAKE IDM TEXT\n");
        return 2;
    }
    mistake = arguments[1];
    expect_card(arguments[2]);
    open_reader();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (!connect_card() || !write_and_check(arguments[3], &tag)) continue;
        close_reader();
        printf("{\"idm\": \"");
        for (int i = 0; i < IDM_LENGTH; i++) printf("%02X", tag.idm[i]);
        printf("\", \"length\": %d}\n", tag.attributes[LENGTH + 2]);
        return 0;
    }
    give_up();
}
