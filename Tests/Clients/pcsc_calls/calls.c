// The calls of the library, each with its arguments.
#include "calls.h"

#include <stdlib.h>
#include <string.h>

const char *reader;
unsigned baseline;

static SCARDCONTEXT contexts[MAX_NAMES];
static SCARDHANDLE cards[MAX_NAMES];
// The result of the last status change for each reader of the table, by its first letter.
static DWORD seen[MAX_NAMES];

const char *word(const Call *call, int index, const char *otherwise) {
    if (index < call->count) return call->words[index];
    if (!otherwise) stop("a call lacks words", call->words[0]);
    return otherwise;
}

// A context or card by its letter; #N stands for an invalid handle.
static unsigned long object(const unsigned long *objects, const char *name) {
    if (name[0] == '#') return number(name + 1);
    return objects[(unsigned char)name[0] % MAX_NAMES];
}

static SCARDCONTEXT context(const Call *call) {
    return (SCARDCONTEXT)object((unsigned long *)contexts, word(call, 1, NULL));
}

static SCARDHANDLE card(const Call *call) { return (SCARDHANDLE)object((unsigned long *)cards, word(call, 1, NULL)); }

static unsigned char slot(const char *name) { return (unsigned char)name[0] % MAX_NAMES; }

// The name of a reader of the table: R is the one under test, S its second slot.
static const char *reader_name(const char *name) {
    static __thread char text[512];
    if (strcmp(name, "null") == 0) return NULL;
    if (strcmp(name, "R") == 0) return reader;
    if (strcmp(name, "S") == 0) {
        snprintf(text, sizeof text, "%.*s1", (int)strlen(reader) - 1, reader);
    } else if (strcmp(name, "pnp") == 0) {
        snprintf(text, sizeof text, "\\\\?PnP?\\Notification");
    } else if (strcmp(name, "long") == 0) {
        memset(text, 'x', 300);
        text[300] = 0;
    } else {
        snprintf(text, sizeof text, "%s", name);
    }
    return text;
}

static void give_name(Call *call, const char *name) {
    size_t length = strlen(reader);
    if (strcmp(name, reader) == 0) give(call, " R");
    else if (strlen(name) == length && strncmp(name, reader, length - 1) == 0) give(call, " S");
    else give(call, " %s", name);
}

static void give_code(Call *call, LONG code) { give(call, "%s", code_name(code)); }

// establish CONTEXT [SCOPE]; the context "null" passes a null pointer.
static void establish(Call *call) {
    const char *name = word(call, 1, NULL);
    DWORD scope = number(word(call, 2, "2"));
    SCARDCONTEXT new = 0;
    if (strcmp(name, "null") == 0) {
        give_code(call, SCardEstablishContext(scope, NULL, NULL, NULL));
        return;
    }
    LONG code = SCardEstablishContext(scope, NULL, NULL, &new);
    contexts[slot(name)] = new;
    give_code(call, code);
    give(call, new ? " context" : " none");
}

// release CONTEXT
static void release(Call *call) { give_code(call, SCardReleaseContext(context(call))); }

// valid CONTEXT
static void valid(Call *call) { give_code(call, SCardIsValidContext(context(call))); }

typedef LONG Lister(SCARDCONTEXT, LPCSTR, LPSTR, LPDWORD);

static LONG list_groups(SCARDCONTEXT context, LPCSTR none, LPSTR names, LPDWORD length) {
    (void)none;
    return SCardListReaderGroups(context, names, length);
}

// Lists into a buffer of a given size, into a buffer allocated by the library (auto), or only the length (length).
static void list(Call *call, Lister *lister) {
    const char *how = word(call, 2, "2048");
    char buffer[2048], *names = buffer;
    DWORD length = 0;
    LONG code;
    if (strcmp(how, "no-length") == 0) {
        code = lister(context(call), NULL, buffer, NULL);
    } else if (strcmp(how, "length") == 0) {
        code = lister(context(call), NULL, NULL, &length);
        names = NULL;
    } else if (strcmp(how, "auto") == 0) {
        length = SCARD_AUTOALLOCATE;
        names = NULL;
        code = lister(context(call), NULL, (LPSTR)&names, &length);
    } else {
        length = number(how);
        code = lister(context(call), NULL, buffer, &length);
    }
    give_code(call, code);
    // Lengths depend on the name of the reader under test.
    give(call, length ? " some" : " none");
    if (code == SCARD_S_SUCCESS && names)
        for (const char *name = names; *name; name += strlen(name) + 1) give_name(call, name);
    if (strcmp(how, "auto") == 0 && names) give(call, " free %s", code_name(SCardFreeMemory(context(call), names)));
}

// readers CONTEXT [SIZE|auto|length|no-length]
static void readers(Call *call) { list(call, SCardListReaders); }

// groups CONTEXT [SIZE|auto|length|no-length]
static void groups(Call *call) { list(call, list_groups); }

// connect CONTEXT CARD MODE PROTOCOLS [READER]; the card "null" passes a null pointer.
static void connect_card(Call *call) {
    const char *name = word(call, 2, NULL);
    SCARDHANDLE new = 0;
    DWORD active = 0;
    LONG code = SCardConnect(
        context(call), reader_name(word(call, 5, "R")), share_mode(word(call, 3, NULL)),
        protocols(word(call, 4, NULL)), strcmp(name, "null") == 0 ? NULL : &new, &active);
    if (strcmp(name, "null") != 0) cards[slot(name)] = new;
    give_code(call, code);
    if (code == SCARD_S_SUCCESS) give(call, " %s%s", protocol_name(active), new ? "" : " no card");
}

// reconnect CARD MODE PROTOCOLS DISPOSITION
static void reconnect(Call *call) {
    DWORD active = 0;
    LONG code = SCardReconnect(
        card(call), share_mode(word(call, 2, NULL)), protocols(word(call, 3, NULL)),
        disposition(word(call, 4, NULL)), &active);
    give_code(call, code);
    if (code == SCARD_S_SUCCESS) give(call, " %s", protocol_name(active));
}

// disconnect CARD DISPOSITION
static void disconnect(Call *call) { give_code(call, SCardDisconnect(card(call), disposition(word(call, 2, NULL)))); }

// begin CARD
static void begin(Call *call) { give_code(call, SCardBeginTransaction(card(call))); }

// end CARD DISPOSITION
static void end(Call *call) { give_code(call, SCardEndTransaction(card(call), disposition(word(call, 2, NULL)))); }

// transmit CARD T0|T1|RAW HEX [SIZE]; an x in HEX is followed by a number of zero bytes.
static void transmit(Call *call) {
    static __thread BYTE command[MAX_BUFFER_SIZE_EXTENDED + 8], response[MAX_BUFFER_SIZE_EXTENDED];
    char hex[MAX_TEXT];
    SCARD_IO_REQUEST pci = { protocols(word(call, 2, NULL)), sizeof pci }, received = { 0, sizeof received };
    DWORD length = number(word(call, 4, "300"));
    snprintf(hex, sizeof hex, "%s", word(call, 3, NULL));
    char *zeroes = strchr(hex, 'x');
    if (zeroes) *zeroes++ = 0;
    memset(command, 0, sizeof command);
    DWORD count = bytes_of(hex, command, sizeof command);
    if (zeroes) count += number(zeroes);
    LONG code = SCardTransmit(card(call), &pci, command, count, &received, response, &length);
    give_code(call, code);
    if (code != SCARD_S_SUCCESS) {
        give(call, " length=%lu", length);
        return;
    }
    give_bytes(call, response, length);
}

// transmit-without CARD send|receive|length|pci
static void transmit_without(Call *call) {
    const char *what = word(call, 2, NULL);
    BYTE command[] = { 0xFF, 0xCA, 0, 0, 0 }, response[300];
    DWORD length = sizeof response;
    SCARD_IO_REQUEST pci = { SCARD_PROTOCOL_T1, sizeof pci };
    give_code(
        call, SCardTransmit(
                  card(call), strcmp(what, "pci") == 0 ? NULL : &pci, strcmp(what, "send") == 0 ? NULL : command,
                  sizeof command, NULL, strcmp(what, "receive") == 0 ? NULL : response,
                  strcmp(what, "length") == 0 ? NULL : &length));
}

// control CARD CODE HEX [SIZE]
static void control(Call *call) {
    BYTE command[300], response[300];
    DWORD count = bytes_of(word(call, 3, NULL), command, sizeof command), length = 0;
    LONG code = SCardControl(
        card(call), number(word(call, 2, NULL)), command, count, response, number(word(call, 4, "300")), &length);
    give_code(call, code);
    give_bytes(call, response, code == SCARD_S_SUCCESS ? length : 0);
}

// status CARD [NAME-SIZE ATR-SIZE | auto | nothing]
static void status(Call *call) {
    const char *how = word(call, 2, "200");
    char name_buffer[256] = "", *name = name_buffer;
    BYTE atr_buffer[256], *atr = atr_buffer;
    DWORD name_length, atr_length, state = 0, protocol = 0;
    LONG code;
    if (strcmp(how, "nothing") == 0) {
        give_code(call, SCardStatus(card(call), NULL, NULL, NULL, NULL, NULL, NULL));
        return;
    }
    if (strcmp(how, "auto") == 0) {
        name_length = atr_length = SCARD_AUTOALLOCATE;
        name = NULL;
        atr = NULL;
        code = SCardStatus(card(call), (LPSTR)&name, &name_length, &state, &protocol, (LPBYTE)&atr, &atr_length);
    } else {
        name_length = number(how);
        atr_length = number(word(call, 3, "33"));
        code = SCardStatus(card(call), name, &name_length, &state, &protocol, atr, &atr_length);
    }
    give_code(call, code);
    if (code != SCARD_S_SUCCESS) {
        give(call, " lengths=%s,%lu", name_length ? "some" : "0", atr_length);
        return;
    }
    give_name(call, name);
    give_state(call, state);
    give(call, " %s", protocol_name(protocol));
    give_bytes(call, atr, atr_length);
    if (strcmp(how, "auto") == 0) {
        SCardFreeMemory(0, name);
        SCardFreeMemory(0, atr);
    }
}

// getattrib CARD ATTRIBUTE [SIZE|auto|length]
static void getattrib(Call *call) {
    const char *how = word(call, 3, "264");
    BYTE buffer[512], *value = buffer;
    DWORD length = 0, id = attribute(word(call, 2, NULL));
    LONG code;
    memset(buffer, 0, sizeof buffer);
    if (strcmp(how, "auto") == 0) {
        length = SCARD_AUTOALLOCATE;
        value = NULL;
        code = SCardGetAttrib(card(call), id, (LPBYTE)&value, &length);
    } else if (strcmp(how, "length") == 0) {
        code = SCardGetAttrib(card(call), id, NULL, &length);
        value = NULL;
    } else {
        length = number(how);
        code = SCardGetAttrib(card(call), id, buffer, &length);
    }
    give_code(call, code);
    if (code == SCARD_S_SUCCESS && value && length > strlen(reader) && memcmp(value, reader, strlen(reader)) == 0)
        give(call, " R");
    else if (code == SCARD_S_SUCCESS && value)
        give_bytes(call, value, length);
    if (strcmp(how, "auto") == 0 && value) SCardFreeMemory(0, value);
}

// setattrib CARD ATTRIBUTE HEX
static void setattrib(Call *call) {
    BYTE value[300];
    DWORD count = bytes_of(word(call, 3, NULL), value, sizeof value);
    give_code(call, SCardSetAttrib(card(call), attribute(word(call, 2, NULL)), count ? value : NULL, count));
}

// The assumed state of a reader: words joined by +, or its last reported state, with or without its event count.
static DWORD current_state(const char *reader_word, const char *words) {
    if (strcmp(words, "same") == 0) return seen[slot(reader_word)];
    if (strcmp(words, "uncounted") == 0) return seen[slot(reader_word)] & 0xFFFF;
    return event_states(words);
}

// change CONTEXT MILLISECONDS|infinite [READER=STATE]…
static void change(Call *call) {
    SCARD_READERSTATE states[MAX_WORDS];
    char *names[MAX_WORDS];
    const char *time = word(call, 2, NULL);
    int count = call->count - 3;
    memset(states, 0, sizeof states);
    for (int index = 0; index < count; index++) {
        char *state = call->words[index + 3];
        names[index] = strsep(&state, "=");
        if (!state) stop("a reader without state", names[index]);
        const char *name = reader_name(names[index]);
        states[index].szReader = name ? strdup(name) : NULL;
        states[index].dwCurrentState = current_state(names[index], state);
    }
    LONG code = SCardGetStatusChange(
        context(call), strcmp(time, "infinite") == 0 ? INFINITE : number(time), states, (DWORD)count);
    give_code(call, code);
    for (int index = 0; index < count; index++) {
        free((void *)states[index].szReader);
        if (code != SCARD_S_SUCCESS) continue;
        seen[slot(names[index])] = states[index].dwEventState & ~(DWORD)SCARD_STATE_CHANGED;
        give(call, " %s:", names[index]);
        give_bits(call, states[index].dwEventState);
        if (states[index].dwEventState & SCARD_STATE_PRESENT)
            give_bytes(call, states[index].rgbAtr, states[index].cbAtr);
    }
}

// change-none CONTEXT COUNT: a null list of readers with a length
static void change_none(Call *call) {
    give_code(call, SCardGetStatusChange(context(call), 0, NULL, number(word(call, 2, NULL))));
}

// cancel CONTEXT
static void cancel(Call *call) { give_code(call, SCardCancel(context(call))); }

static const struct {
    const char *name;
    void (*make)(Call *);
} calls[] = {
    { "establish", establish }, { "release", release }, { "valid", valid }, { "readers", readers },
    { "groups", groups }, { "connect", connect_card }, { "reconnect", reconnect }, { "disconnect", disconnect },
    { "begin", begin }, { "end", end }, { "transmit", transmit }, { "transmit-without", transmit_without },
    { "control", control }, { "status", status }, { "getattrib", getattrib }, { "setattrib", setattrib },
    { "change", change }, { "change-none", change_none }, { "cancel", cancel },
};

int make_call(Call *call) {
    for (size_t index = 0; index < sizeof calls / sizeof *calls; index++)
        if (strcmp(calls[index].name, call->words[0]) == 0) {
            calls[index].make(call);
            return 1;
        }
    return 0;
}

void clean_up(void) {
    for (int index = 0; index < MAX_NAMES; index++) {
        if (cards[index]) SCardDisconnect(cards[index], SCARD_LEAVE_CARD);
        if (contexts[index]) SCardReleaseContext(contexts[index]);
        cards[index] = 0;
        contexts[index] = 0;
        seen[index] = 0;
    }
}
