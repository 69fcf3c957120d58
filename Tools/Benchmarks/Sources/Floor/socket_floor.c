#if defined(__linux__)
#define _GNU_SOURCE
#include "door_floor.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int closed(int socket) {
    close(socket);
    return -1;
}

static bool set_path(struct sockaddr_un *address, const char *path) {
    address->sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address->sun_path) return false;
    strcpy(address->sun_path, path);
    return true;
}

int unix_floor_listen(const char *path) {
    struct sockaddr_un address = {0};
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool works = listener >= 0 && set_path(&address, path) &&
                 bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 4) == 0;
    return works ? listener : closed(listener);
}

int unix_floor_connect(const char *path) {
    struct sockaddr_un address = {0};
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool works = connection >= 0 && set_path(&address, path) &&
                 connect(connection, (struct sockaddr *)&address, sizeof address) == 0;
    return works ? connection : closed(connection);
}

int tcp_floor_listen(uint16_t *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool works = listener >= 0 && bind(listener, (struct sockaddr *)&address, size) == 0 && listen(listener, 4) == 0 &&
                 getsockname(listener, (struct sockaddr *)&address, &size) == 0;
    *port = ntohs(address.sin_port);
    return works ? listener : closed(listener);
}

int tcp_floor_connect(uint16_t port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool works = connection >= 0 && setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int)) == 0 &&
                 connect(connection, (struct sockaddr *)&address, sizeof address) == 0;
    return works ? connection : closed(connection);
}
#endif
