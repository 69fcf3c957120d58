// A reader of transit cards for the ACR122U in C: prints the history as JSON. It is correct, or makes one mistake.
//
// usage: felica_zoo MISTAKE [IDM]
//   MISTAKE  `correct`, or a name after MISTAKE in a comment here, in felica.c or in that of its reader
//
// With a mistake the client reads once, as most programs do; the correct client reads until two readings agree. Without
// that, some corruption looks like another card; with it, a fault that occurs once would hide most mistakes.
#include "felica.h"

#include <stdio.h>
#include <string.h>

#include "reader.h"

enum {
    TRANSIT = 0x0003,
    HISTORY = 0x090F,
    RECORDS = 20,
};

struct history {
    uint8_t idm[IDM_LENGTH];
    uint16_t key_version;
    int count;
    uint8_t records[RECORDS][BLOCK_LENGTH];
};

// The number of blocks to request after a card refused a number of blocks, or 0.
static int fewer(int blocks) {
    static const int steps[] = {USUAL_BLOCKS, 10, 8, 4, 1};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (steps[i] < blocks) return steps[i];
    }
    return 0;
}

static bool read_records(struct history *history) {
    // MISTAKE asks-for-15: what newer cards give is asked of all, and a refusal is taken for the end of the history.
    static int at_once;
    // MISTAKE asks-for-20: the whole history is asked for at once, which no card of this kind gives.
    if (at_once == 0) at_once = makes("asks-for-20") ? MOST_BLOCKS : makes("asks-for-15") ? NEWER_BLOCKS : USUAL_BLOCKS;
    // MISTAKE asks-for-12: what the first card gives is asked of all.
    bool is_stubborn = makes("asks-for-20") || makes("asks-for-15") || makes("asks-for-12");
    bool was_lost = false;
    while (history->count < RECORDS) {
        // MISTAKE skips-a-block: the second read begins where the first one would have ended, counted from 1.
        int first = history->count + (makes("skips-a-block") && history->count ? 1 : 0), left = RECORDS - first;
        if (left == 0) return true;
        int count = left < at_once ? left : at_once, received = 0;
        enum reply reply = read_blocks(
            history->idm, HISTORY, first, count, history->records + history->count, &received);
        if (reply == REPLY_TOO_MANY && is_stubborn) return true;
        if (reply == REPLY_TOO_MANY && (at_once = fewer(count)) > 0) continue;
        // MISTAKE stops-silently: the trips read so far are all there are when the card is lost between two reads.
        if (reply != REPLY_OK && makes("stops-silently")) return true;
        if (reply != REPLY_OK && makes("mixes-cards") && !was_lost) {
            was_lost = true;
            if (connect_card() && poll_card(TRANSIT, history->idm)) continue;
        }
        if (reply != REPLY_OK) return false;
        history->count += received;
        if (received < count) return true;
    }
    return true;
}

static bool is_empty(const uint8_t *record) {
    for (int i = 0; i < BLOCK_LENGTH; i++) {
        if (record[i]) return false;
    }
    return true;
}

static int sequence(const uint8_t *record) { return record[13] << 8 | record[14]; }

// Returns whether the records can be a history: newest first, valid dates, nothing after the first empty record.
static bool is_plausible(const struct history *history) {
    bool has_ended = false;
    int last = 0x10000;
    for (int i = 0; i < history->count; i++) {
        const uint8_t *record = history->records[i];
        if (is_empty(record)) has_ended = true;
        if (has_ended && !is_empty(record)) return failed("record %d stands behind an empty one", i);
        if (has_ended) continue;
        int month = (record[4] & 1) << 3 | record[5] >> 5, day = record[5] & 0x1F;
        if (month < 1 || month > 12 || day < 1) return failed("record %d has a date that does not exist", i);
        if (sequence(record) >= last) return failed("record %d is not older than the one before it", i);
        last = sequence(record);
    }
    return true;
}

static bool read_history(struct history *history) {
    memset(history, 0, sizeof *history);
    return poll_card(TRANSIT, history->idm) && request_service(history->idm, HISTORY, &history->key_version)
        && read_records(history);
}

// Returns whether a record is of a common kind: a ride by rail or bus, a top-up, a purchase.
static bool is_usual(const uint8_t *record) {
    static const uint8_t usual[] = {0x01, 0x02, 0x0C, 0x0D, 0x0F, 0x46};
    return memchr(usual, record[1] & 0x7F, sizeof usual);
}

// The number of records to print.
static int count_trips(const struct history *history) {
    int count = 0;
    while (count < history->count && !is_empty(history->records[count])) count++;
    // MISTAKE counts-empty: every block of the history is a trip.
    if (makes("counts-empty")) count = history->count;
    // MISTAKE counts-blanks: a history ends behind its oldest record, whatever is before it.
    for (int i = count; makes("counts-blanks") && i < history->count; i++) {
        if (!is_empty(history->records[i])) count = i + 1;
    }
    // MISTAKE drops-last: the loop ends one too early.
    return makes("drops-last") && count > 0 ? count - 1 : count;
}

static int balance(const uint8_t *record) {
    // MISTAKE big-endian: all other numbers on the card are.
    if (makes("big-endian")) return record[10] << 8 | record[11];
    // MISTAKE signed-balance: an amount has a sign, as all numbers have.
    if (makes("signed-balance")) return (int16_t)(record[10] | record[11] << 8);
    return record[10] | record[11] << 8;
}

static void print(const struct history *history) {
    // MISTAKE drops-first: lists count from 1.
    int first = makes("drops-first") ? 1 : 0, count = count_trips(history), printed = 0;
    printf("{\"idm\": \"");
    for (int i = 0; i < IDM_LENGTH; i++) printf("%02X", history->idm[i]);
    printf("\", \"key_version\": %d, \"trips\": [", history->key_version);
    for (int i = first; i < count; i++) {
        const uint8_t *record = history->records[i];
        // MISTAKE knows-few-kinds: records of other kinds are not trips.
        if (makes("knows-few-kinds") && !is_usual(record)) continue;
        // MISTAKE one-year: all trips are of the year of the newest.
        int year = 2000 + ((makes("one-year") ? history->records[0] : record)[4] >> 1);
        printf(
            "%s\n  {\"date\": \"%d-%02d-%02d\", \"balance\": %d}", printed++ ? "," : "", year,
            (record[4] & 1) << 3 | record[5] >> 5, record[5] & 0x1F, balance(record));
    }
    printf("\n]}\n");
}

int main(int count, char **arguments) {
    struct history history, again;
    if (count > 1) mistake = arguments[1];
    if (count > 2) expect_card(arguments[2]);
    open_reader();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (!connect_card() || !read_history(&history)) continue;
        if (is_correct()) {
            if (!read_history(&again)) continue;
            if (memcmp(&history, &again, sizeof history) && !failed("two readings of the card differ")) continue;
            if (!is_plausible(&history)) continue;
        }
        close_reader();
        print(&history);
        return 0;
    }
    give_up();
}
