// Makes the PC/SC calls of a table and prints one line for each: its words and its result, without handles, addresses
// and times, so that two services with the same behavior produce the same text.
//
// usage: pcsc_calls READER TABLE
//
// Each line of the table is one of
//   == TITLE empty|CARD          a new sequence: contexts are released, the reader is empty or has a new card
//   WORDS                        a call, see calls.c
//   later NAME WORDS             the same on its own thread
//   blocked NAME                 whether that call still waits
//   join NAME                    its result
//   tap CARD, remove CARD        a card arrives or leaves, and the service has noticed
//   swap CARD CARD               a card leaves and another arrives at once, and the service has noticed both
//   snatch CARD                  a card leaves, and the next call follows at once
//   gone EVENTS                  the service reports an empty reader, and this many events since the sequence began
//   pause MILLISECONDS
// The caller of this program moves the cards: it prints `@tap CARD`, `@remove CARD` or `@swap CARD CARD`, and
// the next line of standard input confirms that this is done.
#include "calls.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The time in seconds for the service to notice a card that arrives or leaves, and for an unblocked call to end.
enum { SETTLE_LIMIT = 10, CALL_LIMIT = 15 };

static char table[1 << 20];
static char inside[64];
static SCARDCONTEXT observer;

typedef struct {
    Call call;
    pthread_t thread;
    volatile int is_done;
} Later;

static Later *laters[MAX_NAMES];

// Splits a line into words.
static void split(Call *call, const char *line) {
    char *save = NULL;
    memset(call, 0, sizeof *call);
    snprintf(call->line, sizeof call->line, "%s", line);
    for (char *part = strtok_r(call->line, " ", &save); part; part = strtok_r(NULL, " ", &save)) {
        if (call->count == MAX_WORDS) stop("too many words", line);
        call->words[call->count++] = part;
    }
}

static void never_returns(int signal) {
    static const char text[] = "pcsc_calls: a call never returns\n";
    (void)signal;
    if (write(STDERR_FILENO, text, sizeof text - 1)) _exit(2);
    _exit(2);
}

static void print(const char *line, const char *result) {
    printf("%s -> %s\n", line, result);
    fflush(stdout);
}

// Requests cards to arrive or leave.
static void ask(const char *what, const char *name, const char *other) {
    char reply[64];
    printf("@%s %s%s%s\n", what, name, *other ? " " : "", other);
    fflush(stdout);
    if (!fgets(reply, sizeof reply, stdin)) stop("nobody moves cards", name);
}

// Waits until the service reports the current state of the reader: a number of events later, with or without a card.
static DWORD settle(DWORD from, int events, int is_present) {
    SCARD_READERSTATE state = { .szReader = reader };
    for (int round = 0; round < SETTLE_LIMIT * 100; round++) {
        state.dwCurrentState = SCARD_STATE_UNAWARE;
        if (SCardGetStatusChange(observer, 0, &state, 1) != SCARD_S_SUCCESS) stop("no such reader", reader);
        unsigned counted = ((state.dwEventState >> 16) - from) & 0xFFFF;
        if (counted == (unsigned)events && !(state.dwEventState & SCARD_STATE_PRESENT) == !is_present)
            return state.dwEventState >> 16;
        usleep(10000);
    }
    stop("the service does not see that a card came or went", reader);
}

static DWORD counter(void) {
    SCARD_READERSTATE state = { .szReader = reader };
    if (SCardGetStatusChange(observer, 0, &state, 1) != SCARD_S_SUCCESS) stop("no such reader", reader);
    return state.dwEventState >> 16;
}

static void tap(const char *name) {
    DWORD from = counter();
    snprintf(inside, sizeof inside, "%s", name);
    ask("tap", name, "");
    settle(from, 1, 1);
}

static void take_away(const char *name) {
    DWORD from = counter();
    ask("remove", name, "");
    inside[0] = 0;
    settle(from, 1, 0);
}

static void swap(const char *name, const char *other) {
    DWORD from = counter();
    ask("swap", name, other);
    snprintf(inside, sizeof inside, "%s", other);
    settle(from, 2, 1);
}

static void begin_sequence(const char *title, const char *content) {
    for (int name = 0; name < MAX_NAMES; name++)
        if (laters[name]) stop("nobody joined a call", title);
    clean_up();
    if (inside[0]) take_away(inside);
    if (strcmp(content, "empty") != 0) tap(content);
    baseline = counter();
    printf("%s\n", title);
    fflush(stdout);
}

static void *run_later(void *argument) {
    Later *later = argument;
    if (!make_call(&later->call)) stop("no such call", later->call.words[0]);
    later->is_done = 1;
    return NULL;
}

static Later *named(const char *name) {
    Later *later = laters[(unsigned char)name[0] % MAX_NAMES];
    if (!later) stop("nothing runs under this name", name);
    return later;
}

static void start_later(const char *name, const char *line) {
    Later *later = calloc(1, sizeof *later);
    split(&later->call, line);
    laters[(unsigned char)name[0] % MAX_NAMES] = later;
    if (pthread_create(&later->thread, NULL, run_later, later)) stop("no thread", name);
    // Long enough for the call to be in progress.
    usleep(200000);
}

static void join(const char *line, const char *name) {
    Later *later = named(name);
    for (int round = 0; round < CALL_LIMIT * 100 && !later->is_done; round++) usleep(10000);
    if (!later->is_done) stop("a call never returns", later->call.words[0]);
    print(line, later->call.result);
    pthread_join(later->thread, NULL);
    laters[(unsigned char)name[0] % MAX_NAMES] = NULL;
    free(later);
}

// Performs commands that are not library calls; false if the command is unknown.
static int perform(const char *line, const Call *call) {
    const char *what = call->words[0], *name = word(call, 1, "");
    if (strcmp(what, "later") == 0) {
        start_later(name, strstr(line, name) + strlen(name));
    } else if (strcmp(what, "blocked") == 0) {
        usleep(300000);
        print(line, named(name)->is_done ? "has returned" : "still waits");
    } else if (strcmp(what, "join") == 0) {
        join(line, name);
    } else if (strcmp(what, "tap") == 0) {
        tap(name);
    } else if (strcmp(what, "remove") == 0) {
        take_away(name);
    } else if (strcmp(what, "swap") == 0) {
        swap(name, word(call, 2, NULL));
    } else if (strcmp(what, "gone") == 0) {
        settle((inside[0] = 0, baseline), (int)number(name), 0);
    } else if (strcmp(what, "snatch") == 0) {
        inside[0] = 0;
        ask("remove", name, "");
    } else if (strcmp(what, "pause") == 0) {
        usleep((useconds_t)number(name) * 1000);
    } else {
        return 0;
    }
    return 1;
}

static void run(const char *line) {
    Call call;
    split(&call, line);
    alarm(CALL_LIMIT);
    if (call.count == 0 || call.words[0][0] == '#') return;
    if (strcmp(call.words[0], "==") == 0) {
        begin_sequence(line, call.words[call.count - 1]);
    } else if (!perform(line, &call)) {
        if (!make_call(&call)) stop("no such call", line);
        print(line, call.result);
    }
}

int main(int count, char **arguments) {
    if (count != 3) stop("usage", "pcsc_calls READER TABLE");
    reader = arguments[1];
    FILE *file = fopen(arguments[2], "r");
    if (!file) stop("no such table", arguments[2]);
    size_t length = fread(table, 1, sizeof table - 1, file);
    fclose(file);
    table[length] = 0;
    signal(SIGALRM, never_returns);
    if (SCardEstablishContext(SCARD_SCOPE_SYSTEM, NULL, NULL, &observer) != SCARD_S_SUCCESS)
        stop("no service", "set PCSCLITE_CSOCK_NAME");
    for (char *rest = table, *line; (line = strsep(&rest, "\n"));) run(line);
    clean_up();
    if (inside[0]) take_away(inside);
    SCardReleaseContext(observer);
    return 0;
}
