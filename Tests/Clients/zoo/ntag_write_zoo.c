// Writes an NDEF message to an NTAG215 over an ACR122U, in C. It is correct, or makes one mistake.
//
// usage: ntag_write_zoo MISTAKE UID TEXT [PASSWORD PACK]
//   MISTAKE   `correct`, or a name after MISTAKE in a comment here, in ntag.c or in reader.c
//   UID       fourteen hexadecimal digits
//   TEXT      becomes a link without a prefix
//   PASSWORD  eight hexadecimal digits; PACK, the tag's acknowledgement, four
//
// The order of writes follows the NFC Forum's Type 2 Tag specification: the length is 0 while the message is being
// written, so that a tag that was removed early has an empty message, never a partial one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ntag.h"
#include "reader.h"

enum {
    PWD_AUTH = 0x1B,
    PWD_LENGTH = 4,
    PACK_LENGTH = 2,
    // The message TLV starts at the data area; nothing else on the tag changes.
    LENGTH_BYTE = 1,
    URI_HEADER = 5,
    // The pages that the clients read and write: those of three READ commands.
    PAGES = 12,
    // The pages of the configuration.
    CFG0_PAGE = 0x83,
    PWD_PAGE = 0x85,
    LOCK_PAGE = 0x02,
};

static uint8_t password[PWD_LENGTH], expected_pack[PACK_LENGTH], pack[PACK_LENGTH];
static bool has_password;

// Sends a password; returns 1 if it is right, 0 if the tag refuses it, -1 if the result is unknown.
static int authenticate(const uint8_t *word) {
    uint8_t command[1 + PWD_LENGTH] = {PWD_AUTH}, answer[LONGEST_ANSWER];
    memcpy(command + 1, word, PWD_LENGTH);
    int count = send_command(command, sizeof command, answer);
    if (count < 0) return -1;
    // MISTAKE prints-password: who has to find out what went wrong wants to know what was sent.
    if (count == 1 && makes("prints-password")) {
        return failed("the tag refuses %02X%02X%02X%02X", word[0], word[1], word[2], word[3]), 0;
    }
    if (count == 1) return failed("the tag refuses the password (NAK %X)", answer[0]), 0;
    if (count != PACK_LENGTH) return failed("the tag acknowledges the password with %d bytes", count), -1;
    memcpy(pack, answer, PACK_LENGTH);
    // MISTAKE ignores-pack: whoever answers knows the password.
    if (!memcmp(pack, expected_pack, PACK_LENGTH) || makes("ignores-pack")) return 1;
    return failed("the tag acknowledges the password with %02X%02X", pack[0], pack[1]), -1;
}

// Sends the password to the tag. A refused password is not retried: the tag may count attempts and lock itself permanently.
static bool unlock(uint8_t uid[UID_LENGTH]) {
    static const uint8_t usual[][PWD_LENGTH] = {{0xFF, 0xFF, 0xFF, 0xFF}, {0, 0, 0, 0}, {0x12, 0x34, 0x56, 0x78}};
    if (!has_password) return true;
    int result = authenticate(password);
    // MISTAKE guesses-passwords: when the password is wrong, those of the factory and of tutorials are tried.
    for (size_t i = 0; makes("guesses-passwords") && result == 0 && i < sizeof usual / sizeof *usual; i++) {
        if (select_tag(uid)) result = authenticate(usual[i]);
    }
    // MISTAKE insists-on-password: whoever is refused may have been misheard.
    for (int i = 0; makes("insists-on-password") && result == 0 && i < ATTEMPTS; i++) {
        if (select_tag(uid)) result = authenticate(password);
    }
    // MISTAKE protects-unasked: a tag that refuses the password must be a new one, and is given it.
    if (makes("protects-unasked") && result == 0 && select_tag(uid)) {
        const uint8_t protection[] = {0x04, 0x00, 0x00, FIRST_PAGE};
        return write_page(PWD_PAGE, password) && write_page(CFG0_PAGE, protection);
    }
    if (result == 0) give_up();
    return result == 1;
}

// Reads the pages for the message.
static bool read_area(uint8_t area[PAGES * PAGE_LENGTH]) {
    for (int page = 0; page < PAGES; page += READ_LENGTH / PAGE_LENGTH) {
        if (!read_pages((uint8_t)(CC_PAGE + page), area + page * PAGE_LENGTH)) return false;
    }
    if (area[0] == 0xE1 && area[3] == 0) return true;
    // MISTAKE formats-unasked: a tag without a capability container is made one; its bits can never be taken back.
    const uint8_t container[PAGE_LENGTH] = {0xE1, 0x10, 0x3E, 0x00};
    if (makes("formats-unasked")) return write_page(CC_PAGE, container);
    return failed("the tag is not formatted for NDEF, or is read-only");
}

// Builds the data area with a message, with its length or still 0.
static int layout(uint8_t *data, const char *text, bool has_length) {
    int length = URI_HEADER + (int)strlen(text), count = 2 + length + 1;
    memset(data, 0, (PAGES - 1) * PAGE_LENGTH);
    const uint8_t head[] = {0x03, (uint8_t)(has_length ? length : 0), 0xD1, 1, (uint8_t)(length - 4), 'U', 0};
    memcpy(data, head, sizeof head);
    memcpy(data + sizeof head, text, strlen(text));
    data[count - 1] = 0xFE;
    return (count + PAGE_LENGTH - 1) / PAGE_LENGTH;
}

// Writes pages that differ from their new contents.
static bool write_difference(uint8_t *current, const uint8_t *wanted, int first, int end) {
    for (int page = first; page < end; page++) {
        int place = page * PAGE_LENGTH;
        if (!memcmp(current + place, wanted + place, PAGE_LENGTH)) continue;
        // MISTAKE writes-to-any: the tag that is there now is the tag that was there.
        uint8_t uid[UID_LENGTH];
        bool is_written = write_page((uint8_t)(FIRST_PAGE + page), wanted + place)
            || (makes("writes-to-any") && connect_card() && select_tag(uid) && unlock(uid)
                && write_page((uint8_t)(FIRST_PAGE + page), wanted + place));
        // MISTAKE counts-pages: a page that was not written is made up for later, which nobody does.
        if (!is_written && makes("counts-pages")) continue;
        if (!is_written) return false;
        memcpy(current + place, wanted + place, PAGE_LENGTH);
    }
    return true;
}

static bool write_message(uint8_t uid[UID_LENGTH], const char *text, uint8_t area[PAGES * PAGE_LENGTH]) {
    uint8_t under_way[PAGES * PAGE_LENGTH], done[PAGES * PAGE_LENGTH], *current = area + PAGE_LENGTH;
    int pages = layout(done, text, true);
    layout(under_way, text, false);
    if (!select_tag(uid) || !unlock(uid) || !read_area(area)) return false;
    if (!memcmp(current, done, (size_t)(pages * PAGE_LENGTH))) return true;
    // MISTAKE length-first: pages go out as they come, and the length is that of a message which is not there yet.
    if (makes("length-first")) return write_difference(current, done, 0, pages);
    return write_difference(current, under_way, 0, 1) && write_difference(current, done, 1, pages)
        && write_difference(current, done, 0, 1);
}

// Writes, then verifies the contents of the tag after a new selection, which proves that it was written.
static bool write_and_check(const char *text, uint8_t uid[UID_LENGTH], struct message *message) {
    uint8_t area[PAGES * PAGE_LENGTH], wanted[PAGES * PAGE_LENGTH];
    if (!write_message(uid, text, area)) return false;
    // MISTAKE locks-unasked: a finished tag is locked, which nobody has asked for and nobody can take back.
    const uint8_t locked[PAGE_LENGTH] = {0x00, 0x00, 0xF0, 0xFF};
    if (makes("locks-unasked") && !write_page(LOCK_PAGE, locked)) return false;
    // MISTAKE trusts-acknowledge: what a tag acknowledges it holds.
    layout(wanted, text, true);
    if (makes("trusts-acknowledge") || makes("counts-pages")) {
        message->length = wanted[LENGTH_BYTE];
        memcpy(message->bytes, wanted + 2, wanted[LENGTH_BYTE]);
        return true;
    }
    if (!select_tag(uid) || !unlock(uid) || !read_message(message)) return false;
    bool is_wanted = message->length == wanted[LENGTH_BYTE] && !memcmp(message->bytes, wanted + 2, wanted[LENGTH_BYTE]);
    return is_wanted || makes("no-ack-check") || failed("the tag holds something else than was written");
}

static bool parse_hex(const char *text, uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (sscanf(text + 2 * i, "%2hhx", bytes + i) != 1) return false;
    }
    return strlen(text) == 2 * count;
}

int main(int count, char **arguments) {
    uint8_t uid[UID_LENGTH];
    struct message message;
    has_password = count == 6 && parse_hex(arguments[4], password, PWD_LENGTH)
        && parse_hex(arguments[5], expected_pack, PACK_LENGTH);
    if (count < 4 || (count > 4 && !has_password) || strlen(arguments[3]) > 30) {
        fprintf(stderr, "usage: ntag_write_zoo MISTAKE UID TEXT [PASSWORD PACK]\n");
        return 2;
    }
    mistake = arguments[1];
    expect_card(arguments[2]);
    open_reader();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (!connect_card() || !write_and_check(arguments[3], uid, &message)) continue;
        close_reader();
        printf("{\"uid\": ");
        print_hex(stdout, uid, UID_LENGTH);
        printf(", \"message\": ");
        print_hex(stdout, message.bytes, (size_t)message.length);
        printf(", \"unlocked\": %s}\n", has_password ? "true" : "false");
        return 0;
    }
    give_up();
}
