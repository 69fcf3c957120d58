/* The program that comes with the library: prints the UID and the first user pages of a tag as JSON. */
#include "tag.h"

#include <stdio.h>
#include <stdlib.h>

enum { FIRST_USER_PAGE = 4, PAGES = 6 };

static void print_hex(const char *name, const unsigned char *bytes, size_t count, const char *end) {
    printf("\"%s\": \"", name);
    for (size_t i = 0; i < count; i++) printf("%02X", bytes[i]);
    printf("\"%s", end);
}

int main(void) {
    nfc_context *context = NULL;
    nfc_init(&context);
    nfc_device *device = context ? nfc_open(context, NULL) : NULL;
    if (!device || nfc_initiator_init(device) < 0) {
        fprintf(stderr, "no reader\n");
        return 2;
    }
    unsigned char uid[TAG_UID_BYTES], pages[PAGES * TAG_PAGE_BYTES];
    const char *problem = NULL;
    if (tag_find(device, uid) != 0) problem = "no tag";
    else if (tag_read(device, FIRST_USER_PAGE, PAGES, pages) != 0) problem = "the tag has gone";
    nfc_close(device);
    nfc_exit(context);
    if (problem) {
        fprintf(stderr, "%s\n", problem);
        return 1;
    }
    printf("{");
    print_hex("uid", uid, sizeof uid, ", ");
    print_hex("pages", pages, sizeof pages, "}\n");
    return 0;
}
