#if defined(__linux__)
#define _GNU_SOURCE
#include "door_floor.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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

static size_t transmit(uint8_t *message, const door_floor_card *card) {
    transmission *request = (transmission *)message;
    if (request->receive_count < card->answer_count) return 0;
    request->receive_protocol = request->send_protocol;
    request->receive_count = (uint32_t)card->answer_count;
    request->result = 0;
    memcpy(message + sizeof *request, card->answer, card->answer_count);
    return sizeof *request + card->answer_count;
}

// Puts the answer in the place of a request; returns its length, 0 for what no client of ours sends.
static size_t answer(uint32_t command, uint32_t size, uint8_t *message, const door_floor_card *card) {
    switch (command) {
    case ESTABLISH: memcpy(message + 4, &(uint32_t){1}, 4); return size;
    case CONNECT: {
        connection_request *request = (connection_request *)message;
        request->card = 1;
        request->protocol = PROTOCOL_T1;
        request->result = 0;
        return size;
    }
    case RELEASE:
    case DISCONNECT:
    case VERSION: return size;
    case TRANSMIT: return transmit(message, card);
    default: return 0;
    }
}

// Bytes of the first request, data included, or 0 while they have not all come.
static size_t request_length(const uint8_t *bytes, size_t count) {
    const header *head = (const header *)bytes;
    if (count < sizeof *head) return 0;
    size_t length = sizeof *head + head->size;
    if (head->command == TRANSMIT && count >= length)
        length += ((const transmission *)(bytes + sizeof *head))->send_count;
    return count >= length ? length : 0;
}

static bool serve_request(int client, uint8_t *bytes, const door_floor_card *card) {
    const header head = *(const header *)bytes;
    uint8_t *message = bytes + sizeof head;
    size_t length = answer(head.command, head.size, message, card);
    return length > 0 && send(client, message, length, MSG_NOSIGNAL) == (ssize_t)length;
}

typedef struct {
    int socket;
    const door_floor_card *card;
} served_client;

static void serve_client(int client, const door_floor_card *card) {
    _Alignas(8) uint8_t bytes[2 * MESSAGE_BYTES];
    size_t count = 0;
    for (;;) {
        ssize_t received = recv(client, bytes + count, MESSAGE_BYTES - count, 0);
        if (received <= 0) return;
        count += (size_t)received;
        if (request_length(bytes, count) == 0) continue;
        if (!serve_request(client, bytes, card)) return;
        count = 0;
    }
}

static void *run_client(void *argument) {
    served_client client = *(served_client *)argument;
    free(argument);
    serve_client(client.socket, client.card);
    close(client.socket);
    return NULL;
}

void pcsc_floor_serve(int listener, const door_floor_card *card) {
    int socket;
    while ((socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
        served_client *client = malloc(sizeof *client);
        if (!client) abort();
        *client = (served_client){socket, card};
        pthread_t thread;
        if (pthread_create(&thread, NULL, run_client, client) != 0) abort();
        pthread_detach(thread);
    }
}
#endif
