// Puts a stamp on a card: a record with the next number in a cyclic service, in C. It is correct, or makes one mistake.
//
// usage: stamp_zoo MISTAKE IDM
//   MISTAKE   `correct`, or a name after MISTAKE in a comment here or in felica.c
//   IDM       sixteen hexadecimal digits
//
// A record that was written twice cannot be undone, so a client without an answer first checks the card.
#include <stdio.h>
#include <string.h>

#include "felica.h"
#include "reader.h"

enum {
    STAMPS = 0x0003,
    READ_SERVICE = 0x090F,
    WRITE_SERVICE = 0x090D,
    PLACE = 0x2A,
};

struct stamps {
    uint8_t idm[IDM_LENGTH];
    // The newest record and the one before it.
    uint8_t records[2][BLOCK_LENGTH];
};

// Numbers have two bytes, big-endian.
static int number(const uint8_t *record) { return record[0] << 8 | record[1]; }

static bool read_stamps(struct stamps *stamps) {
    struct stamps again;
    for (struct stamps *found = stamps;; found = &again) {
        int received = 0;
        memset(found, 0, sizeof *found);
        if (!poll_card(STAMPS, found->idm)) return false;
        if (read_blocks(found->idm, READ_SERVICE, 0, 2, found->records, &received) != REPLY_OK) return false;
        if (received != 2) return failed("the card has no two stamps");
        if (found == &again) break;
    }
    return !memcmp(stamps, &again, sizeof again) || failed("two readings of the card differ");
}

// Returns whether the card has the stamp with a number exactly once.
static bool has_stamp(const struct stamps *stamps, int wanted) {
    return number(stamps->records[0]) == wanted && stamps->records[0][2] == PLACE
        && number(stamps->records[1]) == wanted - 1;
}

static bool stamp(struct stamps *stamps) {
    static int wanted;
    if (!read_stamps(stamps)) return false;
    if (wanted == 0) wanted = number(stamps->records[0]) + 1;
    if (has_stamp(stamps, wanted)) return true;
    if (number(stamps->records[0]) != wanted - 1) return failed("the newest stamp has number %d", number(stamps->records[0]));
    const uint8_t record[BLOCK_LENGTH] = {(uint8_t)(wanted >> 8), (uint8_t)wanted, PLACE};
    bool is_written = write_block(stamps->idm, WRITE_SERVICE, 0, record);
    // MISTAKE doubles-stamp: after a lost answer the card is found anew and stamped again, whatever it holds.
    is_written = is_written
        || (makes("doubles-stamp") && connect_card() && poll_card(STAMPS, stamps->idm)
            && write_block(stamps->idm, WRITE_SERVICE, 0, record));
    if (!is_written) return false;
    // MISTAKE believes-stamp: nobody looks whether the card has it.
    if (makes("believes-stamp")) {
        memcpy(stamps->records[1], stamps->records[0], BLOCK_LENGTH);
        memcpy(stamps->records[0], record, BLOCK_LENGTH);
        return true;
    }
    return read_stamps(stamps) && (has_stamp(stamps, wanted) || failed("the card has not got its stamp"));
}

int main(int count, char **arguments) {
    struct stamps stamps;
    if (count > 1) mistake = arguments[1];
    if (count > 2) expect_card(arguments[2]);
    open_reader();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (!connect_card() || !stamp(&stamps)) continue;
        close_reader();
        printf("{\"stamps\": [%d, %d]}\n", number(stamps.records[0]), number(stamps.records[1]));
        return 0;
    }
    give_up();
}
