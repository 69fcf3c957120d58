#include "floor.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4, MAX_PAGES = 256, LOCK_PAGE = 2, ACK = 0xA, NAK_ARGUMENT = 0x0, NAK_CHECK = 0x1, NAK_LIMIT = 0x4 };

// Offsets of the configuration pages from the end of the memory.
enum { DYNAMIC_LOCKS_FROM_END = 5, CFG0_FROM_END = 4, CFG1_FROM_END = 3, PWD_FROM_END = 2, PACK_FROM_END = 1 };

typedef struct {
    unsigned pages, failures;
    bool is_active, is_authenticated;
    uint8_t password[PAGE], pack[PAGE];
    _Alignas(16) uint8_t memory[MAX_PAGES * PAGE];
} ntag_floor;

void *ntag_floor_create(const uint8_t *memory, unsigned pages, const uint8_t *password, const uint8_t *pack) {
    ntag_floor *card = calloc(1, sizeof *card);
    if (!card || pages > MAX_PAGES) abort();
    card->pages = pages;
    card->is_active = true;
    memcpy(card->memory, memory, (size_t)pages * PAGE);
    memcpy(card->password, password, PAGE);
    memcpy(card->pack, pack, PAGE);
    return card;
}

static const uint8_t *page(const ntag_floor *card, unsigned number) { return card->memory + PAGE * number; }

static unsigned auth0(const ntag_floor *card) { return page(card, card->pages - CFG0_FROM_END)[3]; }

static unsigned access_bits(const ntag_floor *card) { return page(card, card->pages - CFG1_FROM_END)[0]; }

static unsigned readable(const ntag_floor *card) {
    if (card->is_authenticated || !(access_bits(card) & 0x80)) return card->pages;
    return auth0(card) < card->pages ? auth0(card) : card->pages;
}

static size_t refuse(ntag_floor *card, uint8_t nak, uint8_t *answer) {
    card->is_active = card->is_authenticated = false;
    answer[0] = nak;
    return 4;
}

static size_t read_pages(ntag_floor *card, unsigned first, uint8_t *answer) {
    unsigned limit = readable(card);
    if (first >= limit) return refuse(card, NAK_ARGUMENT, answer);
    unsigned straight = limit - first < 4 ? limit - first : 4;
    if (straight == 4) {
        memcpy(answer, page(card, first), 4 * PAGE);
    } else {
        for (unsigned index = 0; index < 4; index++) {
            memcpy(answer + PAGE * index, page(card, (first + index) % limit), PAGE);
        }
    }
    return 8 * 4 * PAGE;
}

static size_t fast_read(ntag_floor *card, unsigned first, unsigned last, uint8_t *answer) {
    if (first > last || last >= readable(card)) return refuse(card, NAK_ARGUMENT, answer);
    size_t count = (size_t)(last - first + 1) * PAGE;
    memcpy(answer, page(card, first), count);
    return 8 * count;
}

static bool is_locked(const ntag_floor *card, unsigned number) {
    unsigned user_end = card->pages - DYNAMIC_LOCKS_FROM_END;
    if (number < 16) {
        const uint8_t *locks = page(card, LOCK_PAGE) + 2;
        return number >= 3 && ((locks[0] | (unsigned)locks[1] << 8) >> number & 1);
    }
    if (number >= user_end) return false;
    const uint8_t *locks = page(card, user_end);
    unsigned group = (number - 16) / (card->pages < 64 ? 2 : 16);
    return (locks[0] | (unsigned)locks[1] << 8) >> group & 1;
}

// Writes user memory only; no workload writes to lock and configuration pages.
static size_t write_page(ntag_floor *card, unsigned number, const uint8_t *data, uint8_t *answer) {
    bool is_user_page = number >= 4 && number < card->pages - DYNAMIC_LOCKS_FROM_END;
    bool is_open = card->is_authenticated || number < auth0(card);
    if (!is_user_page || !is_open || is_locked(card, number)) return refuse(card, NAK_ARGUMENT, answer);
    memcpy(card->memory + PAGE * number, data, PAGE);
    answer[0] = ACK;
    return 4;
}

static size_t authenticate(ntag_floor *card, const uint8_t *password, uint8_t *answer) {
    unsigned limit = access_bits(card) & 0x07;
    if (limit && card->failures >= limit) return refuse(card, NAK_LIMIT, answer);
    if (memcmp(card->password, password, PAGE)) {
        card->failures++;
        return refuse(card, limit && card->failures >= limit ? NAK_LIMIT : NAK_ARGUMENT, answer);
    }
    card->failures = 0;
    card->is_authenticated = true;
    memcpy(answer, card->pack, 2);
    return 16;
}

size_t ntag_floor_answer(void *floor, const uint8_t *frame, size_t count, uint8_t *answer) {
    ntag_floor *card = floor;
    if (!card->is_active || count == 0) return 0;
    switch (frame[0]) {
    case 0x30: if (count == 2) return read_pages(card, frame[1], answer); break;
    case 0x3A: if (count == 3) return fast_read(card, frame[1], frame[2], answer); break;
    case 0xA2: if (count == 6) return write_page(card, frame[1], frame + 2, answer); break;
    case 0x1B: if (count == 5) return authenticate(card, frame + 1, answer); break;
    }
    return refuse(card, NAK_ARGUMENT, answer);
}
