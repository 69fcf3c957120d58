// A reader of NTAG215 tags for the ACR122U in C: prints the records of the NDEF message as JSON. It is correct, or makes
// one mistake.
//
// usage: ntag_zoo MISTAKE [UID]
//   MISTAKE  `correct`, or a name after MISTAKE in a comment of ntag.c, ndef.c or reader.c
#include <stdio.h>
#include <string.h>

#include "ntag.h"
#include "reader.h"

static bool read_tag(uint8_t uid[UID_LENGTH], struct message *message) {
    return select_tag(uid) && read_message(message);
}

// Prints the result; nothing of a corrupted message.
static bool print(const uint8_t *uid, const struct message *message) {
    char text[1024] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    if (!out) return failed("there is no memory");
    fprintf(out, "{\"uid\": ");
    print_hex(out, uid, UID_LENGTH);
    fprintf(out, ", \"records\": ");
    bool is_whole = print_records(out, message);
    fprintf(out, "}\n");
    fclose(out);
    if (is_whole) fputs(text, stdout);
    return is_whole;
}

int main(int count, char **arguments) {
    uint8_t uid[UID_LENGTH], uid_again[UID_LENGTH];
    struct message message, again;
    if (count > 1) mistake = arguments[1];
    if (count > 2) expect_card(arguments[2]);
    open_reader();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (!connect_card() || !read_tag(uid, &message)) continue;
        // MISTAKE reads-once, which all clients but the correct one make: two readings of damaged pages would differ.
        if (is_correct()) {
            if (!read_tag(uid_again, &again)) continue;
            if (memcmp(&message, &again, sizeof message) && !failed("two readings of the tag differ")) continue;
        }
        close_reader();
        if (print(uid, &message)) return 0;
        break;
    }
    give_up();
}
