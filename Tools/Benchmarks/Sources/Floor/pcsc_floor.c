#define _GNU_SOURCE
#include "floor.h"

#include <string.h>
#include <sys/socket.h>

// Layouts: the protocol of pcsc-lite 1.9.9, version 4.4; integers little-endian, as on the machines it runs on.

enum { NAME_BYTES = 128, MESSAGE_BYTES = 4096, PROTOCOL_T1 = 2 };
enum { ESTABLISH = 1, RELEASE = 2, CONNECT = 4, DISCONNECT = 6, TRANSMIT = 9, VERSION = 17 };

typedef struct {
    uint32_t size, command;
} header;

typedef struct {
    int32_t card;
    uint32_t send_protocol, send_pci, send_count, receive_protocol, receive_pci, receive_count, result;
} transmission;

typedef struct {
    uint32_t context;
    char reader[NAME_BYTES];
    uint32_t share, protocols;
    int32_t card;
    uint32_t protocol, result;
} connection_request;

// Replaces a request by its answer; returns the length, 0 for a request that no client here sends.
static size_t reply(
    uint32_t command, uint32_t size, uint8_t *message, const uint8_t *answer, size_t answer_count) {
    connection_request *connection = (connection_request *)message;
    transmission *apdu = (transmission *)message;
    switch (command) {
    case ESTABLISH: memcpy(message + 4, &(uint32_t){1}, 4); return size;
    case CONNECT:
        connection->card = 1;
        connection->protocol = PROTOCOL_T1;
        connection->result = 0;
        return size;
    case RELEASE:
    case DISCONNECT:
    case VERSION: return size;
    case TRANSMIT:
        if (apdu->receive_count < answer_count) return 0;
        apdu->receive_protocol = apdu->send_protocol;
        apdu->receive_count = (uint32_t)answer_count;
        apdu->result = 0;
        memcpy(message + sizeof *apdu, answer, answer_count);
        return sizeof *apdu + answer_count;
    default: return 0;
    }
}

static bool is_whole(const uint8_t *bytes, size_t count) {
    const header *head = (const header *)bytes;
    if (count < sizeof *head || count < sizeof *head + head->size) return false;
    const transmission *apdu = (const transmission *)(bytes + sizeof *head);
    return count >= sizeof *head + head->size + (head->command == TRANSMIT ? apdu->send_count : 0);
}

void pcsc_floor_serve(int client, const uint8_t *answer, size_t answer_count) {
    _Alignas(8) uint8_t bytes[2 * MESSAGE_BYTES];
    size_t count = 0;
    ssize_t received;
    while ((received = recv(client, bytes + count, MESSAGE_BYTES - count, 0)) > 0) {
        count += (size_t)received;
        if (!is_whole(bytes, count)) continue;
        const header head = *(header *)bytes;
        size_t length = reply(head.command, head.size, bytes + sizeof head, answer, answer_count);
        if (length == 0 || send(client, bytes + sizeof head, length, MSG_NOSIGNAL) != (ssize_t)length) return;
        count = 0;
    }
}
