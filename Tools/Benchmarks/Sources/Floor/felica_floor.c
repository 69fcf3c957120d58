#include "floor.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SYSTEMS = 16, MAX_NODES = 32, MAX_BLOCKS = 256, BLOCK = 16, STATUS_LENGTH = 12 };
enum { MAX_READ = 12, MAX_WRITE = 10, MAX_SERVICES = 16, MAX_REQUESTED = 32 };

typedef struct {
    uint16_t code, version, first, count;
} node;

typedef struct {
    uint16_t code;
    uint8_t idm[8];
    unsigned first_node, end_node;
} card_system;

typedef struct {
    uint8_t pmm[8];
    unsigned system_count, current, node_count;
    card_system systems[MAX_SYSTEMS];
    node nodes[MAX_NODES];
    _Alignas(BLOCK) uint8_t blocks[MAX_BLOCKS][BLOCK];
} felica_floor;

typedef struct {
    unsigned services, blocks;
    const uint8_t *service_list, *block_list, *end;
} lists;

typedef struct {
    unsigned order, mode, block;
} element;

static unsigned little16(const uint8_t *bytes) { return bytes[0] | (unsigned)bytes[1] << 8; }

static void store_big64(uint8_t *bytes, uint64_t value) {
    for (int index = 7; index >= 0; index--, value >>= 8) bytes[index] = (uint8_t)value;
}

void *felica_floor_create(uint64_t pmm) {
    felica_floor *card = calloc(1, sizeof *card);
    if (card) store_big64(card->pmm, pmm);
    return card;
}

void felica_floor_add_system(void *floor, uint16_t code, uint64_t idm) {
    felica_floor *card = floor;
    if (card->system_count == MAX_SYSTEMS) abort();
    card_system *added = &card->systems[card->system_count++];
    added->code = code;
    store_big64(added->idm, idm);
    added->first_node = added->end_node = card->node_count;
}

void felica_floor_add_node(void *floor, uint16_t code, uint16_t version, unsigned first, unsigned count) {
    felica_floor *card = floor;
    if (card->node_count == MAX_NODES || first + count > MAX_BLOCKS) abort();
    card->nodes[card->node_count++] = (node){code, version, (uint16_t)first, (uint16_t)count};
    card->systems[card->system_count - 1].end_node = card->node_count;
}

void felica_floor_set_block(void *card, unsigned index, const uint8_t *bytes) {
    if (index >= MAX_BLOCKS) abort();
    memcpy(((felica_floor *)card)->blocks[index], bytes, BLOCK);
}

static const node *find(const felica_floor *card, unsigned code) {
    const card_system *current = &card->systems[card->current];
    unsigned low = current->first_node, high = current->end_node;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (card->nodes[middle].code < code) low = middle + 1;
        else high = middle;
    }
    return low < current->end_node && card->nodes[low].code == code ? &card->nodes[low] : NULL;
}

static size_t begin(const felica_floor *card, uint8_t *answer, size_t length, uint8_t code) {
    answer[0] = (uint8_t)length;
    answer[1] = code;
    memcpy(answer + 2, card->systems[card->current].idm, 8);
    return length;
}

static size_t status(const felica_floor *card, uint8_t *answer, uint8_t code, uint8_t flag1, uint8_t flag2) {
    answer[10] = flag1;
    answer[11] = flag2;
    return begin(card, answer, STATUS_LENGTH, code);
}

static bool matches(unsigned wanted, unsigned code) {
    return (wanted >> 8 == 0xFF || wanted >> 8 == code >> 8)
        && ((wanted & 0xFF) == 0xFF || (wanted & 0xFF) == (code & 0xFF));
}

static size_t polling(felica_floor *card, const uint8_t *frame, size_t count, uint8_t *answer) {
    if (count < 6) return 0;
    unsigned wanted = (unsigned)frame[2] << 8 | frame[3];
    for (unsigned number = 0; number < card->system_count; number++) {
        unsigned code = card->systems[number].code;
        if (!matches(wanted, code)) continue;
        card->current = number;
        bool has_data = frame[4] == 1 || frame[4] == 2;
        memcpy(answer + 10, card->pmm, 8);
        if (has_data) {
            answer[18] = frame[4] == 1 ? (uint8_t)(code >> 8) : 0x00;
            answer[19] = frame[4] == 1 ? (uint8_t)code : 0x83;
        }
        return begin(card, answer, has_data ? 20 : 18, 0x01);
    }
    return 0;
}

static size_t request_service(const felica_floor *card, const uint8_t *frame, size_t count, uint8_t *answer) {
    if (count < 11) return 0;
    unsigned nodes = frame[10];
    if (nodes < 1 || nodes > MAX_REQUESTED || count < 11 + 2 * nodes) return 0;
    answer[10] = (uint8_t)nodes;
    for (unsigned index = 0; index < nodes; index++) {
        const node *found = find(card, little16(frame + 11 + 2 * index));
        unsigned version = found ? found->version : 0xFFFF;
        answer[11 + 2 * index] = (uint8_t)version;
        answer[12 + 2 * index] = (uint8_t)(version >> 8);
    }
    return begin(card, answer, 11 + 2 * nodes, 0x03);
}

// Finds the lists of a Read or Write; returns 0, -1 for silence, or status flag 2.
static int parse(lists *found, const uint8_t *frame, size_t count, unsigned limit, unsigned bytes_per_block) {
    if (count < 12) return -1;
    found->services = frame[10];
    if (found->services < 1 || found->services > MAX_SERVICES) return 0xA1;
    if (count <= 11 + 2 * found->services) return -1;
    found->service_list = frame + 11;
    found->blocks = frame[11 + 2 * found->services];
    if (found->blocks < 1 || found->blocks > limit) return 0xA2;
    found->block_list = frame + 12 + 2 * found->services;
    const uint8_t *at = found->block_list, *end = frame + count;
    for (unsigned index = 0; index < found->blocks; index++) {
        if (at >= end) return -1;
        at += *at & 0x80 ? 2 : 3;
    }
    if (at > end || (size_t)(end - at) < (size_t)bytes_per_block * found->blocks) return -1;
    found->end = at;
    return 0;
}

static const uint8_t *next(const uint8_t *at, element *read) {
    read->order = *at & 0x0F;
    read->mode = *at >> 4 & 0x07;
    read->block = *at & 0x80 ? at[1] : little16(at + 1);
    return at + (*at & 0x80 ? 2 : 3);
}

// Finds the service of an element; returns 0 if it may be used, or status flag 2.
static uint8_t service_of(
    const felica_floor *card, const lists *all, const element *wanted, unsigned highest_mode, const node **service) {
    if (wanted->order >= all->services) return 0xA3;
    if (wanted->mode > highest_mode) return 0xA7;
    unsigned code = little16(all->service_list + 2 * wanted->order);
    unsigned kind = code & 0x1F;
    *service = find(card, code);
    if (!*service) return kind >= 0x08 && kind <= 0x17 ? 0xA6 : 0xA4;
    return (code & 0x21) == 0x01 ? 0 : 0xA5;
}

static size_t read_blocks(felica_floor *card, const uint8_t *frame, size_t count, uint8_t *answer) {
    lists all;
    int fault = parse(&all, frame, count, MAX_READ, 0);
    if (fault) return fault < 0 ? 0 : status(card, answer, 0x07, 0xFF, (uint8_t)fault);
    const node *service = NULL;
    unsigned order = 0xFF;
    const uint8_t *at = all.block_list;
    for (unsigned index = 0; index < all.blocks; index++) {
        element wanted;
        at = next(at, &wanted);
        if (wanted.order != order || wanted.mode != 0) {
            uint8_t refused = service_of(card, &all, &wanted, 0, &service);
            if (refused) return status(card, answer, 0x07, (uint8_t)(index + 1), refused);
            order = wanted.order;
        }
        if (wanted.block >= service->count) return status(card, answer, 0x07, (uint8_t)(index + 1), 0xA8);
        memcpy(answer + 13 + BLOCK * index, card->blocks[service->first + wanted.block], BLOCK);
    }
    status(card, answer, 0x07, 0, 0);
    answer[12] = (uint8_t)all.blocks;
    answer[0] = (uint8_t)(13 + BLOCK * all.blocks);
    return answer[0];
}

// Writes to random services only; no workload writes to others.
static size_t write_blocks(felica_floor *card, const uint8_t *frame, size_t count, uint8_t *answer) {
    lists all;
    int fault = parse(&all, frame, count, MAX_WRITE, BLOCK);
    if (fault) return fault < 0 ? 0 : status(card, answer, 0x09, 0xFF, (uint8_t)fault);
    uint16_t targets[MAX_WRITE];
    const uint8_t *at = all.block_list;
    for (unsigned index = 0; index < all.blocks; index++) {
        element wanted;
        const node *service;
        at = next(at, &wanted);
        uint8_t refused = service_of(card, &all, &wanted, 1, &service);
        if (!refused && (wanted.mode == 1 || (service->code & 0x1F) != 0x09)) refused = 0xA5;
        if (!refused && wanted.block >= service->count) refused = 0xA8;
        if (refused) return status(card, answer, 0x09, (uint8_t)(index + 1), refused);
        targets[index] = (uint16_t)(service->first + wanted.block);
    }
    for (unsigned index = 0; index < all.blocks; index++) {
        memcpy(card->blocks[targets[index]], all.end + BLOCK * index, BLOCK);
    }
    return status(card, answer, 0x09, 0, 0);
}

static bool select_system(felica_floor *card, const uint8_t *idm) {
    if (!memcmp(card->systems[card->current].idm, idm, 8)) return true;
    for (unsigned number = 0; number < card->system_count; number++) {
        if (memcmp(card->systems[number].idm, idm, 8)) continue;
        card->current = number;
        return true;
    }
    return false;
}

size_t felica_floor_answer(void *floor, const uint8_t *frame, size_t count, uint8_t *answer) {
    felica_floor *card = floor;
    if (count < 2 || frame[0] != count) return 0;
    if (frame[1] == 0x00) return 8 * polling(card, frame, count, answer);
    if (count < 10 || !select_system(card, frame + 2)) return 0;
    switch (frame[1]) {
    case 0x02: return 8 * request_service(card, frame, count, answer);
    case 0x06: return 8 * read_blocks(card, frame, count, answer);
    case 0x08: return 8 * write_blocks(card, frame, count, answer);
    default: return 0;
    }
}

size_t floor_run(
    floor_answer *answer, void *card, const uint8_t *frames, const size_t *ends, size_t count, size_t rounds) {
    static uint8_t bytes[FLOOR_ANSWER_BYTES];
    size_t bits = 0;
    for (size_t round = 0; round < rounds; round++) {
        size_t start = 0;
        for (size_t index = 0; index < count; index++) {
            bits += answer(card, frames + start, ends[index] - start, bytes);
            start = ends[index];
        }
    }
    return bits;
}
