/* Reads NTAG tags through libnfc. */
#ifndef TAG_H
#define TAG_H

#include <nfc/nfc.h>
#include <stddef.h>

enum { TAG_UID_BYTES = 7, TAG_PAGE_BYTES = 4 };

/* Finds a tag and copies its UID. Returns 0, or -1 if there is none. */
int tag_find(nfc_device *device, unsigned char uid[TAG_UID_BYTES]);

/* Reads `count` pages, starting at `first`. Returns 0, or -1 if the tag has gone or refuses. */
int tag_read(nfc_device *device, unsigned char first, size_t count, unsigned char *pages);

#endif
