#include <stdlib.h>
#include <string.h>

#include "ntag.h"
#include "reader.h"

enum {
    NULL_TLV = 0x00,
    NDEF_MESSAGE = 0x03,
    TERMINATOR = 0xFE,
    THREE_BYTE_LENGTH = 0xFF,
    // The data area of the largest NTAG, and the limit for a client that does not stop there.
    LARGEST_AREA = 1024,
    SHORT_RECORD = 0x10,
    HAS_ID = 0x08,
    FIRST_RECORD = 0x80,
    LAST_RECORD = 0x40,
    LONGEST_ID = 32,
};

// The part of the data area that was read.
struct area {
    int size;
    int count;
    uint8_t bytes[LARGEST_AREA + READ_LENGTH];
};

// Reads on until a number of bytes of the area is available.
static bool need(struct area *area, int count) {
    // MISTAKE ignores-cc: the tag is asked for as much as the message announces, wherever its memory ends.
    if (count > area->size && !makes("ignores-cc")) return failed("the message ends behind the data area of the tag");
    while (area->count < count) {
        if (area->count >= LARGEST_AREA) return failed("the message has no end");
        int page = FIRST_PAGE + area->count / PAGE_LENGTH;
        if (!read_pages((uint8_t)page, area->bytes + area->count)) return false;
        area->count += READ_LENGTH;
    }
    return true;
}

// Reads the capability container and the first pages after it.
static bool read_container(struct area *area) {
    uint8_t pages[READ_LENGTH];
    if (!read_pages(CC_PAGE, pages)) return false;
    area->count = READ_LENGTH - PAGE_LENGTH;
    memcpy(area->bytes, pages + PAGE_LENGTH, (size_t)area->count);
    area->size = pages[2] * 8;
    if (makes("ignores-cc") || makes("nak-as-data")) area->size = LARGEST_AREA;
    else if (pages[0] != 0xE1 || pages[1] >> 4 != 1) return failed("the tag is not formatted for NDEF");
    else if (pages[3] >> 4) return failed("the tag does not let its message be read");
    if (area->size > LARGEST_AREA) return failed("the tag says that it has %d bytes", area->size);
    return true;
}

// Copies the value of the NDEF message TLV at an offset of the area.
static bool take_message(struct area *area, int place, struct message *message) {
    if (!need(area, place + 2)) return false;
    int length = area->bytes[place + 1], start = place + 2;
    if (length == THREE_BYTE_LENGTH) {
        if (!need(area, place + 4)) return false;
        length = area->bytes[place + 2] << 8 | area->bytes[place + 3], start = place + 4;
    }
    // MISTAKE trusts-tlv: a message is never longer than the room for it.
    bool has_room = length <= LONGEST_MESSAGE || makes("trusts-tlv") || makes("ignores-cc");
    if (!has_room) return failed("a message of %d bytes is too long", length);
    if (!need(area, makes("trusts-tlv") && length > LONGEST_MESSAGE ? start : start + length)) return false;
    uint8_t value[LONGEST_MESSAGE] = {0};
    memcpy(value, area->bytes + start, (size_t)length);
    memcpy(message->bytes, value, sizeof value);
    message->length = length;
    return true;
}

bool read_message(struct message *message) {
    struct area area = {0};
    memset(message, 0, sizeof *message);
    if (!read_container(&area)) return false;
    for (int place = 0; place < area.size;) {
        if (!need(&area, place + 1)) return false;
        uint8_t type = area.bytes[place];
        if (type == NDEF_MESSAGE) return take_message(&area, place, message);
        if (type == TERMINATOR) break;
        if (type == NULL_TLV) {
            place++;
            continue;
        }
        if (!need(&area, place + 2)) return false;
        if (area.bytes[place + 1] == THREE_BYTE_LENGTH) return failed("a TLV before the message is too long");
        place += 2 + area.bytes[place + 1];
    }
    // A new tag has an empty message.
    return makes("nak-as-data") || failed("the tag has no NDEF message");
}

void print_hex(FILE *out, const uint8_t *bytes, size_t count) {
    fputc('"', out);
    for (size_t i = 0; i < count; i++) fprintf(out, "%02X", bytes[i]);
    fputc('"', out);
}

// Reads a number of a record in one byte or four.
static uint32_t payload_length(const uint8_t *bytes, bool is_short) {
    if (is_short) return bytes[0];
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static uint8_t *copy_payload(const uint8_t *bytes, uint32_t length, size_t room) {
    uint8_t *payload = malloc(room);
    if (payload) memcpy(payload, bytes, length);
    return payload;
}

static void print_id(FILE *out, const uint8_t *bytes, size_t length) {
    uint8_t id[LONGEST_ID];
    memcpy(id, bytes, length);
    fprintf(out, "\"id\": ");
    print_hex(out, id, length);
    fprintf(out, ", ");
}

// Prints a record and returns its size, or -1.
static int print_record(FILE *out, const uint8_t *bytes, int count, bool is_first) {
    bool is_short = count > 0 && bytes[0] & SHORT_RECORD, has_id = count > 0 && bytes[0] & HAS_ID;
    int header = 2 + (is_short ? 1 : 4) + (has_id ? 1 : 0);
    if (count < header) return failed("a record ends in its header"), -1;
    if (!!(bytes[0] & FIRST_RECORD) != is_first) return failed("the records are out of order"), -1;
    uint32_t length = payload_length(bytes + 2, is_short);
    int start = header + bytes[1] + (has_id ? bytes[header - 1] : 0);
    // MISTAKE trusts-id: an ID is printed before anybody has looked whether it ends in its message.
    if (has_id && makes("trusts-id")) print_id(out, bytes + header + bytes[1], bytes[header - 1]);
    // MISTAKE trusts-record: a payload is as long as it says, and goes where there is room for the rest of the message.
    bool fits = start <= count && length <= (uint32_t)(count - start);
    // MISTAKE wraps-length: where a payload ends is counted in 32 bits, so that one of 4 GiB seems to end in the message.
    if (makes("wraps-length")) fits = (uint32_t)start + length <= (uint32_t)count;
    if (!fits && !makes("trusts-record")) return failed("a record is longer than its message"), -1;
    bool is_last = fits && start + (int)length == count;
    bool is_placed = !!(bytes[0] & LAST_RECORD) == is_last || makes("wraps-length");
    if (fits && !is_placed) return failed("the records do not fill the message"), -1;
    uint8_t *payload = copy_payload(bytes + start, length, (size_t)(count - start));
    if (!payload) return failed("there is no memory"), -1;
    fprintf(out, "%s{\"tnf\": %d, \"type\": ", is_first ? "" : ", ", bytes[0] & 0x07);
    print_hex(out, bytes + header, bytes[1]);
    fprintf(out, ", \"payload\": ");
    print_hex(out, payload, length);
    fputc('}', out);
    free(payload);
    return start + (int)length;
}

bool print_records(FILE *out, const struct message *message) {
    fputc('[', out);
    if (message->length == 0 && is_correct()) return failed("the message on the tag is empty");
    for (int place = 0; place < message->length;) {
        int taken = print_record(out, message->bytes + place, message->length - place, place == 0);
        if (taken < 0) return false;
        place += taken;
    }
    fputc(']', out);
    return true;
}
