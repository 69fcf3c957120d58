#if defined(__linux__)
#define _GNU_SOURCE
#include "door_floor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

// A server of the protocol by which umockdev's library shows a program a device, for one device with two bulk endpoints and
// one program at a time: every transfer to it is answered by two, an acknowledgement and an answer.

enum { ACKNOWLEDGEMENT_BYTES = 6, URB_BYTES = 56, MESSAGE_BYTES = 4096, MOST = 16, FIFO_BYTES = 4096, SET_SIZE = 1031 };
enum { IOCTL = 1, DONE = 3, READ_MEMORY = 5, WRITE_MEMORY = 6 };
enum { SUBMIT = 10, REAP_AT_ONCE = 13, CLAIM = 15 };

typedef struct {
    uint64_t urb, buffer;
    const uint8_t *bytes;
    uint32_t count;
} finished;

typedef struct {
    int client, node;
    bool is_ready;
    finished done[MOST];
    size_t first, last;
    uint64_t waiting[MOST], waiting_buffer[MOST];
    size_t waiting_count, unfetched;
    const door_floor_card *card;
} usb_device;

static bool receive(int client, void *bytes, size_t count) {
    return recv(client, bytes, count, MSG_WAITALL) == (ssize_t)count;
}

static bool read_memory(int client, uint64_t address, void *bytes, size_t count) {
    uint64_t order[3] = {READ_MEMORY, address, count};
    return send(client, order, sizeof order, MSG_NOSIGNAL) == sizeof order && receive(client, bytes, count);
}

static size_t put(uint8_t *output, size_t place, uint64_t first, uint64_t second, uint64_t third) {
    uint64_t words[3] = {first, second, third};
    memcpy(output + place, words, sizeof words);
    return place + sizeof words;
}

static size_t put_memory(uint8_t *output, size_t place, uint64_t address, const void *bytes, size_t count) {
    if (count == 0) return place;
    place = put(output, place, WRITE_MEMORY, address, count);
    memcpy(output + place, bytes, count);
    return place + count;
}

static bool answer(int client, int64_t result, int error) {
    uint64_t order[3] = {DONE, (uint64_t)result, (uint64_t)error};
    return send(client, order, sizeof order, MSG_NOSIGNAL) == sizeof order;
}

static void finish(usb_device *device, uint64_t urb, uint64_t buffer, const uint8_t *bytes, uint32_t count) {
    device->done[device->last++ % MOST] = (finished){urb, buffer, bytes, count};
}

// The acknowledgement is fetched first, then the answer.
static void fetch(usb_device *device) {
    while (device->waiting_count > 0 && device->unfetched > 0) {
        bool is_first = device->unfetched-- == 2;
        const uint8_t *bytes = device->card->answer + (is_first ? 0 : ACKNOWLEDGEMENT_BYTES);
        size_t count = is_first ? ACKNOWLEDGEMENT_BYTES : device->card->answer_count - ACKNOWLEDGEMENT_BYTES;
        finish(device, device->waiting[0], device->waiting_buffer[0], bytes, (uint32_t)count);
        memmove(device->waiting, device->waiting + 1, --device->waiting_count * sizeof device->waiting[0]);
    }
}

// The node is a FIFO that is full while nothing can be reaped.
static void tell_readiness(usb_device *device) {
    static uint8_t page[FIFO_BYTES];
    bool wanted = device->first != device->last;
    if (wanted == device->is_ready) return;
    device->is_ready = wanted;
    while (wanted && read(device->node, page, sizeof page) > 0) {}
    while (!wanted && write(device->node, page, sizeof page) > 0) {}
}

static bool submit(usb_device *device, uint64_t address) {
    uint8_t urb[URB_BYTES], output[MESSAGE_BYTES];
    uint64_t buffer;
    int32_t count;
    if (!read_memory(device->client, address, urb, sizeof urb)) return false;
    memcpy(&buffer, urb + 16, sizeof buffer);
    memcpy(&count, urb + 24, sizeof count);
    if (urb[1] & 0x80) {
        if (device->waiting_count == MOST) return false;
        device->waiting_buffer[device->waiting_count] = buffer;
        device->waiting[device->waiting_count++] = address;
    } else {
        if (count > MESSAGE_BYTES || !read_memory(device->client, buffer, output, (size_t)count)) return false;
        finish(device, address, buffer, NULL, (uint32_t)count);
        device->unfetched = 2;
    }
    return answer(device->client, 0, 0);
}

static bool reap(usb_device *device, uint64_t argument) {
    uint8_t output[MESSAGE_BYTES];
    if (device->first == device->last) return answer(device->client, -1, EAGAIN);
    finished block = device->done[device->first++ % MOST];
    int32_t status = 0;
    size_t length = put_memory(output, 0, block.buffer, block.bytes, block.bytes ? block.count : 0);
    length = put_memory(output, length, block.urb + 4, &status, sizeof status);
    length = put_memory(output, length, block.urb + 28, &block.count, sizeof block.count);
    length = put_memory(output, length, argument, &block.urb, sizeof block.urb);
    length = put(output, length, DONE, 0, 0);
    return send(device->client, output, length, MSG_NOSIGNAL) == (ssize_t)length;
}

static bool serve_request(usb_device *device, const uint64_t request[3]) {
    uint32_t interface;
    if (request[0] != IOCTL) return false;
    switch (request[1] & 0xFF) {
    case CLAIM: return read_memory(device->client, request[2], &interface, sizeof interface) && answer(device->client, 0, 0);
    case SUBMIT: return submit(device, request[2]);
    case REAP_AT_ONCE: return reap(device, request[2]);
    default: return answer(device->client, -1, ENOTTY);
    }
}

int usb_floor_open(const char *root, const char *node, int *listener) {
    static const char *const folders[] = {"", "/dev", "/dev/.node", "/dev/bus", "/dev/bus/usb", "/dev/bus/usb/001", "/sys",
                                          "/ioctl", "/ioctl/dev", "/ioctl/dev/bus", "/ioctl/dev/bus/usb",
                                          "/ioctl/dev/bus/usb/001"};
    char path[256], fifo[256];
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        snprintf(path, sizeof path, "%s%s", root, folders[i]);
        if (mkdir(path, 0700) != 0 && errno != EEXIST) return -1;
    }
    snprintf(path, sizeof path, "%s/dev/.node/bus_usb_001_%s", root, node + strlen(node) - 3);
    if (symlink("189:1", path) != 0) return -1;
    snprintf(fifo, sizeof fifo, "%s%s", root, node);
    if (mkfifo(fifo, 0600) != 0) return -1;
    int opened = open(fifo, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    fcntl(opened, SET_SIZE, FIFO_BYTES);
    snprintf(path, sizeof path, "%s/ioctl%s", root, node);
    *listener = unix_floor_listen(path);
    return *listener < 0 ? -1 : opened;
}

void usb_floor_serve(int listener, int node, const door_floor_card *card) {
    int client;
    while ((client = accept(listener, NULL, NULL)) >= 0) {
        usb_device device = {.client = client, .node = node, .is_ready = true, .card = card};
        uint64_t request[3];
        tell_readiness(&device);
        while (receive(client, request, sizeof request) && serve_request(&device, request)) {
            fetch(&device);
            tell_readiness(&device);
        }
        close(client);
    }
}
#endif
