// Lists the services of a FeliCa card and their key versions, over an ACR122U. It is correct, or makes one mistake.
//
// usage: services_zoo MISTAKE [IDM]
//   MISTAKE  `correct`, `endless-search`, `ends-on-silence`, or `missing-as-version` of felica.c
#include <stdio.h>
#include <string.h>

#include "felica.h"
#include "reader.h"

enum {
    SEARCH_SERVICE_CODE = 0x0A,
    END_OF_LIST = 0xFFFF,
    SERVICE_ANSWER = 12,
    AREA_ANSWER = 14,
    // More nodes than any known card has in one system.
    MOST_NODES = 64,
};

struct list {
    uint8_t idm[IDM_LENGTH];
    int count;
    struct node {
        uint16_t code;
        bool is_area;
        uint16_t version;
    } nodes[MOST_NODES];
};

// Adds a node; the card lists nodes in the order of their codes, areas before their contents.
static bool add(struct list *list, uint16_t code, bool is_area) {
    // MISTAKE endless-search: the card is asked until it says FFFF, which a damaged or hostile one never does.
    if (makes("endless-search")) list->count %= MOST_NODES;
    else if (list->count == MOST_NODES) return failed("the card lists more than %d areas and services", MOST_NODES);
    else if (list->count > 0 && code <= list->nodes[list->count - 1].code) return failed("the services are in disorder");
    list->nodes[list->count++] = (struct node){.code = code, .is_area = is_area};
    return true;
}

static bool search(struct list *list) {
    for (uint16_t index = 0;; index++) {
        const uint8_t data[] = {(uint8_t)index, (uint8_t)(index >> 8)};
        uint8_t answer[LONGEST_ANSWER];
        int length = send_packet(SEARCH_SERVICE_CODE, list->idm, data, sizeof data, answer);
        // MISTAKE ends-on-silence: a card that does not answer has no more services.
        if (length < 0 && makes("ends-on-silence")) return true;
        if (length < 0) return false;
        if (length != SERVICE_ANSWER && length != AREA_ANSWER) {
            return failed("the card answers Search Service Code with %d bytes", length);
        }
        uint16_t code = (uint16_t)(answer[10] | answer[11] << 8);
        if (length == SERVICE_ANSWER && code == END_OF_LIST) return true;
        if (!add(list, code, length == AREA_ANSWER)) return false;
    }
}

static bool read_list(struct list *list) {
    memset(list, 0, sizeof *list);
    if (!poll_card(ANY_SYSTEM, list->idm) || !search(list)) return false;
    for (struct node *node = list->nodes; node < list->nodes + list->count; node++) {
        if (!node->is_area && !request_service(list->idm, node->code, &node->version)) return false;
    }
    return true;
}

static void print(const struct list *list) {
    printf("{\"nodes\": [");
    for (int i = 0; i < list->count; i++) {
        const struct node *node = &list->nodes[i];
        printf("%s{\"code\": \"%04X\", \"version\": %d}", i ? ", " : "", node->code, node->version);
    }
    printf("]}\n");
}

int main(int count, char **arguments) {
    struct list list, again;
    if (count > 1) mistake = arguments[1];
    if (count > 2) expect_card(arguments[2]);
    open_reader();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (!connect_card() || !read_list(&list)) continue;
        if (is_correct()) {
            if (!read_list(&again)) continue;
            if (memcmp(&list, &again, sizeof list) && !failed("two readings of the card differ")) continue;
        }
        close_reader();
        print(&list);
        return 0;
    }
    give_up();
}
