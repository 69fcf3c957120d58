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

   The server ends when its socket is closed, together with the process group of the last copy. */
#define _GNU_SOURCE
/* Their declarations have other parameter types than callers see. */
#define connect declared_connect
#define sendto declared_sendto
#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
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
        return next(path_of(path), flags, mode);                                                                      \
    }
#define OPEN_AT(name)                                                                                                  \
    int name(int folder, const char *path, int flags, ...) {                                                          \
        va_list arguments;                                                                                            \
        va_start(arguments, flags);                                                                                   \
        mode_t mode = mode_of(flags, arguments);                                                                      \
        va_end(arguments);                                                                                            \
        int (*next)(int, const char *, int, ...) = next_of(#name);                                                    \
        return next(folder, path_of(path), flags, mode);                                                              \
    }
OPEN(open)
OPEN_AT(openat)
#ifdef __GLIBC__
OPEN(open64)
OPEN_AT(openat64)
int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags) { return open64(path, flags); }
#endif
