/* A library preloaded into a client on Linux. When the client first reaches for a reader, it becomes a server that starts
   copies of itself, each with its own reader, so that the work before that point, such as Python's imports, is done once.

   TAPSIM_FORK_SERVER contains, one per line: the number of a socket, the process that started the client, and the addresses
   of the readers, each a path or a port of 127.0.0.1. The packets on the socket are:

     server  "ready" and the index of the address that the client reaches for, or why it cannot be a server, in words
     tapsim  strings that end with a zero: three files for the standard streams, as many addresses in place of the first,
             then variables as NAME=VALUE
     server  the process ID of the copy, an int32_t, and then, once the copy has ended, two of them: its wait status, and 1
             if it reached for an address other than the server's, else 0
     tapsim  a byte, after which the process ID may be reused

   The server ends when its socket is closed, together with the process group of the last copy.

   A copy also speaks to the readers on its USB bus itself. The library of umockdev, which shows the bus to it, carries out a
   request in up to seven messages and rests after each, so it would take most of the time of a run. */
#define _GNU_SOURCE
/* Their declarations have other parameter types than callers see. */
#define connect declared_connect
#define sendto declared_sendto
#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#undef connect
#undef sendto

#define MOST_ADDRESSES 16
#define MOST_BYTES 65536

static int line = -1;
static pid_t process;
/* The addresses given to the client, and the copy's own. */
static char *told[MOST_ADDRESSES], *own[MOST_ADDRESSES];
static int address_count;
/* The index of the address that the server reached for, and whether a copy reached for another, in shared memory. */
static int served;
static int32_t *strayed;

__attribute__((constructor)) static void begin(void) {
    const char *text = getenv("TAPSIM_FORK_SERVER");
    char *copy = text ? strdup(text) : NULL, *rest = NULL;
    const char *number = copy ? strtok_r(copy, "\n", &rest) : NULL;
    const char *parent = number ? strtok_r(NULL, "\n", &rest) : NULL;
    char *address;
    /* Nobody would learn how a child of the client ends, so a child never serves. */
    if (!parent || atoi(parent) != getppid()) return;
    line = atoi(number);
    process = getpid();
    while (address_count < MOST_ADDRESSES && (address = strtok_r(NULL, "\n", &rest))) told[address_count++] = address;
}

/* The reason why the client cannot be a server; NULL if it can. */
static const char *obstacle(void) {
    DIR *folder = opendir("/proc/self/task");
    struct sigaction ends;
    int count = 0;
    while (folder && readdir(folder)) count++;
    if (folder) closedir(folder);
    /* The entries are `.`, `..` and one thread: a copy has only one thread. */
    if (count != 3) return "it already has several threads when it opens a reader";
    /* The client's own handler might collect the status of a copy. */
    if (sigaction(SIGCHLD, NULL, &ends) != 0 || ends.sa_handler != SIG_DFL || ends.sa_flags & SA_NOCLDWAIT)
        return "it ignores SIGCHLD or handles it itself";
    return NULL;
}

/* The message for a copy, kept for as long as the copy runs. */
static char message[MOST_BYTES];

static void become_copy(const int streams[3], char *variable, const char *end) {
    for (int number = 0; number < 3; number++) dup2(streams[number], number);
    for (int number = 0; number < 3; number++)
        if (streams[number] > 2) close(streams[number]);
    close(line);
    line = -1;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != process) _exit(1);
    unsetenv("TAPSIM_FORK_SERVER");
    for (; variable < end; variable += strlen(variable) + 1) putenv(variable);
}

/* Starts a copy. Returns 0 in it. */
static pid_t start_copy(ssize_t length) {
    char *next = message, *end = message + length;
    int streams[3];
    for (int number = 0; number < 3; number++, next += strlen(next) + 1)
        streams[number] = open(next, (number ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
    for (int index = 0; index < address_count; index++, next += strlen(next) + 1) own[index] = next;
    pid_t copy = fork();
    if (copy == 0) become_copy(streams, next, end);
    for (int number = 0; copy != 0 && number < 3; number++) close(streams[number]);
    return copy;
}

static void tell(const int32_t *numbers, size_t count) { send(line, numbers, count * sizeof *numbers, MSG_NOSIGNAL); }

static void tell_end(pid_t copy) {
    siginfo_t end = {0};
    while (waitid(P_PID, copy, &end, WEXITED | WNOWAIT) != 0)
        /* Nobody knows how the copy ended, so no status would be right. */
        if (errno != EINTR) _exit(1);
    int32_t status = end.si_code == CLD_EXITED ? (end.si_status & 0xFF) << 8 : end.si_status & 0x7F;
    tell((int32_t[]){status, *strayed}, 2);
}

static void *any_of(const char *name) { return dlsym(RTLD_DEFAULT, name); }

/* Keeps Python's garbage collector away from the objects that exist by now: a copy that scans them, at the latest when it
   ends, writes to nearly every page. Source: The Python Library Reference, gc.freeze. */
static void freeze_objects(void) {
    int (*is_running)(void) = any_of("Py_IsInitialized");
    int (*take_lock)(void) = any_of("PyGILState_Ensure");
    void (*release_lock)(int) = any_of("PyGILState_Release");
    void *(*import)(const char *) = any_of("PyImport_ImportModule");
    void *(*call)(void *, const char *, const char *, ...) = any_of("PyObject_CallMethod");
    void (*forget_error)(void) = any_of("PyErr_Clear");
    if (!is_running || !take_lock || !release_lock || !import || !call || !forget_error || !is_running()) return;
    int state = take_lock();
    void *collector = import("gc");
    if (!collector || !call(collector, "freeze", NULL)) forget_error();
    release_lock(state);
}

/* Serves until the socket is closed; returns in each copy. */
static void serve(int address) {
    char ready[32];
    const char *reason = obstacle();
    served = address;
    strayed = mmap(NULL, sizeof *strayed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (strayed == MAP_FAILED) reason = "it cannot share memory with its copies";
    if (reason) {
        send(line, reason, strlen(reason), MSG_NOSIGNAL);
        close(line);
        line = -1;
        return;
    }
    freeze_objects();
    send(line, ready, (size_t)snprintf(ready, sizeof ready, "ready %d", address), MSG_NOSIGNAL);
    for (;;) {
        ssize_t length = recv(line, message, sizeof message - 1, 0);
        if (length < 0 && errno == EINTR) continue;
        if (length <= 0) _exit(0);
        message[length] = 0;
        *strayed = 0;
        pid_t copy = start_copy(length);
        if (copy == 0) return;
        if (copy < 0) _exit(1);
        setpgid(copy, copy);
        tell((int32_t[]){copy}, 1);
        tell_end(copy);
        char byte;
        ssize_t count;
        while ((count = recv(line, &byte, 1, 0)) < 0 && errno == EINTR) {}
        /* Nobody else is left to end the processes that the copy has started. */
        if (count <= 0) kill(-copy, SIGKILL);
        waitpid(copy, NULL, 0);
    }
}

/* Replaces a socket with a new one of the same kind, under the same number. */
static void renew(int number) {
    static const int options[] = {SO_RCVTIMEO, SO_SNDTIMEO, SO_BROADCAST};
    int domain = 0, type = 0, flags = fcntl(number, F_GETFL), close_on_exec = fcntl(number, F_GETFD);
    socklen_t size = sizeof domain;
    getsockopt(number, SOL_SOCKET, SO_DOMAIN, &domain, &size);
    getsockopt(number, SOL_SOCKET, SO_TYPE, &type, &size);
    int fresh = socket(domain, type, 0);
    if (fresh < 0) return;
    for (size_t index = 0; index < sizeof options / sizeof *options; index++) {
        char value[sizeof(struct timeval)];
        socklen_t length = sizeof value;
        if (getsockopt(number, SOL_SOCKET, options[index], value, &length) == 0)
            setsockopt(fresh, SOL_SOCKET, options[index], value, length);
    }
    fcntl(fresh, F_SETFL, flags);
    dup2(fresh, number);
    close(fresh);
    fcntl(number, F_SETFD, close_on_exec);
}

/* Returns the address to use instead of a reader's; NULL if the address is not a reader's. The first call turns the client
   into a server. A socket from before then belongs to the server, so each copy gets its own under that number, unless the
   number is -1. */
static const char *replaced(const char *address, int socket_number) {
    for (int index = 0; index < address_count; index++) {
        if (strcmp(told[index], address) != 0) continue;
        if (line >= 0 && getpid() == process) {
            serve(index);
            if (line < 0 && socket_number >= 0) renew(socket_number);
        }
        if (own[index] && index != served) *strayed = 1;
        return own[index] ? own[index] : address;
    }
    return NULL;
}

typedef union {
    struct sockaddr any;
    struct sockaddr_un local;
    struct sockaddr_in internet;
    struct sockaddr_in6 internet6;
} socket_address;

/* Returns the same address, or a copy of it that leads to another reader. */
static const struct sockaddr *redirected(
    int number, const struct sockaddr *address, socklen_t *length, socket_address *copy) {
    const char *other;
    char port[8];
    if (!address || *length > sizeof *copy || *length < sizeof address->sa_family) return address;
    memset(copy, 0, sizeof *copy);
    memcpy(copy, address, *length);
    switch (address->sa_family) {
    case AF_UNIX:
        other = replaced(copy->local.sun_path, number);
        if (!other) return address;
        memset(copy->local.sun_path, 0, sizeof copy->local.sun_path);
        strncpy(copy->local.sun_path, other, sizeof copy->local.sun_path - 1);
        *length = sizeof copy->local;
        return &copy->any;
    case AF_INET:
    case AF_INET6:
        /* The port is at the same offset in both. */
        snprintf(port, sizeof port, "%d", ntohs(copy->internet.sin_port));
        other = replaced(port, number);
        if (!other) return address;
        copy->internet.sin_port = htons((uint16_t)atoi(other));
        return &copy->any;
    default: return address;
    }
}

static void *next_of(const char *name) { return dlsym(RTLD_NEXT, name); }

int connect(int number, const struct sockaddr *address, socklen_t length) {
    socket_address copy;
    int (*next)(int, const struct sockaddr *, socklen_t) = next_of("connect");
    address = redirected(number, address, &length, &copy);
    return next(number, address, length);
}

ssize_t sendto(int number, const void *bytes, size_t count, int flags, const struct sockaddr *address, socklen_t length) {
    socket_address copy;
    ssize_t (*next)(int, const void *, size_t, int, const struct sockaddr *, socklen_t) = next_of("sendto");
    address = redirected(number, address, &length, &copy);
    return next(number, bytes, count, flags, address, length);
}

/* The readers on USB that a copy has open: for each file the socket over which TapSim carries out its requests, or 0. */
#define MOST_FILES 1024
#define NO_DEVICE (-2)

static struct {
    int socket;
    pthread_mutex_t lock;
} devices[MOST_FILES];

static int is_device(int number) { return number >= 0 && number < MOST_FILES && devices[number].socket; }

/* Opens the node of a reader and connects to its socket. Returns NO_DEVICE for whatever the library of umockdev opens. */
static int open_device(const char *path, int flags) {
    static const char folder[] = "/dev/bus/usb/";
    const char *root = getenv("UMOCKDEV_DIR");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char node[sizeof address.sun_path];
    if (line >= 0 || !own[0] || !root || !path || strncmp(path, folder, sizeof folder - 1) != 0) return NO_DEVICE;
    /* Nobody can wait for blocks with a file that is only read. */
    if ((flags & O_ACCMODE) != O_RDWR) return NO_DEVICE;
    size_t length = (size_t)snprintf(address.sun_path, sizeof address.sun_path, "%s/ioctl%s", root, path);
    if (length >= sizeof address.sun_path) return NO_DEVICE;
    snprintf(node, sizeof node, "%s%s", root, path);
    /* Not through the library of umockdev, which would serve the file too. */
    int number = (int)syscall(SYS_openat, AT_FDCWD, node, flags);
    if (number < 0) return NO_DEVICE;
    int fresh = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (number >= MOST_FILES || fresh < 0 || connect(fresh, (struct sockaddr *)&address, sizeof address) != 0) {
        close(number);
        if (fresh >= 0) close(fresh);
        return NO_DEVICE;
    }
    pthread_mutex_init(&devices[number].lock, NULL);
    devices[number].socket = fresh;
    return number;
}

typedef struct {
    int socket;
    size_t begin, end;
    char bytes[4096];
} answer_bytes;

static void take(answer_bytes *answer, void *memory, size_t count) {
    while (count > 0) {
        if (answer->begin == answer->end) {
            ssize_t received = recvfrom(answer->socket, answer->bytes, sizeof answer->bytes, 0, NULL, NULL);
            /* As the library of umockdev does when TapSim has gone. */
            if (received <= 0) _exit(1);
            answer->begin = 0;
            answer->end = (size_t)received;
        }
        size_t part = answer->end - answer->begin < count ? answer->end - answer->begin : count;
        memcpy(memory, answer->bytes + answer->begin, part);
        answer->begin += part;
        memory = (char *)memory + part;
        count -= part;
    }
}

/* Requests and orders; see Sources/TapTransports/USB/PreloadMessage.swift. */
enum { DONE = 3, WRITE_MEMORY = 6, READ = 7, WRITE = 8, WHOLE_IOCTL = 16 };

/* Obeys orders until the request is done. Returns its result, which is -1 with an error number. */
static long obey(int socket, int *error) {
    answer_bytes answer = {.socket = socket};
    for (;;) {
        unsigned long order[3];
        take(&answer, order, sizeof order);
        if (order[0] == WRITE_MEMORY) take(&answer, (void *)order[1], order[2]);
        if (order[0] != DONE) continue;
        *error = (int)order[2];
        return (long)order[1];
    }
}

/* Sends a request, whose parts follow its three words, and returns its result. */
static long ask(int number, unsigned long kind, unsigned long second, unsigned long third, struct iovec parts[3]) {
    unsigned long words[3] = {kind, second, third};
    struct msghdr request = {.msg_iov = parts, .msg_iovlen = 3};
    sigset_t all, before;
    int error;
    parts[0] = (struct iovec){words, sizeof words};
    /* A handler that does not return would leave a request half done. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_mutex_lock(&devices[number].lock);
    if (sendmsg(devices[number].socket, &request, MSG_NOSIGNAL) < 0) _exit(1);
    long result = obey(devices[number].socket, &error);
    pthread_mutex_unlock(&devices[number].lock);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (result == -1) errno = error;
    return result;
}

/* Requests by their numbers. Source: Linux, include/uapi/linux/usbdevice_fs.h and asm-generic/ioctl.h. */
enum { SUBMIT = 0x550A, REAP_AT_ONCE = 0x550D };

/* The parts of a block that a program submits. */
typedef struct {
    unsigned char kind, endpoint;
    char unused[14];
    void *buffer;
    int length;
} request_block;

/* The memory that a request reads: its argument, and the buffer of a block that goes to the device. */
static void collect(uint32_t request, void *argument, struct iovec parts[3]) {
    const uint32_t reads = UINT32_C(1) << 31;
    const request_block *block = argument;
    if (!(request & reads)) return;
    parts[1] = (struct iovec){argument, request >> 16 & 0x3FFF};
    if ((request & 0xFFFF) != SUBMIT || (block->kind != 2 && block->endpoint & 0x80)) return;
    if (block->length > 0 && block->length <= 65536) parts[2] = (struct iovec){block->buffer, (size_t)block->length};
}

/* A node is writable if a block can be reaped, and is deleted when the device is unplugged. */
static int has_nothing_to_reap(int number) {
    struct pollfd node = {.fd = number, .events = POLLOUT};
    struct stat state;
    return poll(&node, 1, 0) == 0 && fstat(number, &state) == 0 && state.st_nlink > 0;
}

int ioctl(int number, unsigned long request, ...) {
    static int (*next)(int, unsigned long, ...);
    struct iovec parts[3] = {{NULL, 0}};
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (!is_device(number)) {
        if (!next) next = next_of("ioctl");
        return next(number, request, argument);
    }
    if ((request & 0xFFFF) == REAP_AT_ONCE && has_nothing_to_reap(number)) {
        errno = EAGAIN;
        return -1;
    }
    collect((uint32_t)request, argument, parts);
    unsigned long count = parts[1].iov_len + parts[2].iov_len;
    return (int)ask(number, WHOLE_IOCTL, (request & UINT32_MAX) | count << 32, (unsigned long)argument, parts);
}

ssize_t read(int number, void *bytes, size_t count) {
    static ssize_t (*next)(int, void *, size_t);
    struct iovec parts[3] = {{NULL, 0}};
    if (is_device(number)) return ask(number, READ, (unsigned long)bytes, count, parts);
    if (!next) next = next_of("read");
    return next(number, bytes, count);
}

ssize_t write(int number, const void *bytes, size_t count) {
    static ssize_t (*next)(int, const void *, size_t);
    struct iovec parts[3] = {{NULL, 0}};
    if (is_device(number)) return ask(number, WRITE, (unsigned long)bytes, count, parts);
    if (!next) next = next_of("write");
    return next(number, bytes, count);
}

int close(int number) {
    static int (*next)(int);
    if (!next) next = next_of("close");
    if (is_device(number)) {
        next(devices[number].socket);
        devices[number].socket = 0;
    }
    return next(number);
}

static const char *path_of(const char *path) {
    const char *other = path ? replaced(path, -1) : NULL;
    return other ? other : path;
}

/* libusb lists its devices with this call, before it starts a thread. */
DIR *opendir(const char *path) {
    DIR *(*next)(const char *) = next_of("opendir");
    return next(path_of(path));
}

static mode_t mode_of(int flags, va_list arguments) {
    /* O_TMPFILE includes the bit of O_DIRECTORY. */
    int makes_file = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
    return makes_file ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...) {                                                                      \
        va_list arguments;                                                                                            \
        va_start(arguments, flags);                                                                                   \
        mode_t mode = mode_of(flags, arguments);                                                                      \
        va_end(arguments);                                                                                            \
        int (*next)(const char *, int, ...) = next_of(#name);                                                         \
        int device = open_device(path, flags);                                                                        \
        return device == NO_DEVICE ? next(path_of(path), flags, mode) : device;                                       \
    }
#define OPEN_AT(name)                                                                                                  \
    int name(int folder, const char *path, int flags, ...) {                                                          \
        va_list arguments;                                                                                            \
        va_start(arguments, flags);                                                                                   \
        mode_t mode = mode_of(flags, arguments);                                                                      \
        va_end(arguments);                                                                                            \
        int (*next)(int, const char *, int, ...) = next_of(#name);                                                    \
        int device = open_device(path, flags);                                                                        \
        return device == NO_DEVICE ? next(folder, path_of(path), flags, mode) : device;                               \
    }
OPEN(open)
OPEN_AT(openat)
#ifdef __GLIBC__
OPEN(open64)
OPEN_AT(openat64)
int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags) { return open64(path, flags); }
#endif
