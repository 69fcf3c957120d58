// The table's words for the library's numbers.
#include "calls.h"

#include <reader.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name;
    unsigned long value;
} Name;

#define SAME(name) { #name, (unsigned long)(name) }

static const Name codes[] = {
    SAME(SCARD_S_SUCCESS), SAME(SCARD_E_CANCELLED), SAME(SCARD_E_CANT_DISPOSE), SAME(SCARD_E_INSUFFICIENT_BUFFER),
    SAME(SCARD_E_INVALID_HANDLE), SAME(SCARD_E_INVALID_PARAMETER), SAME(SCARD_E_INVALID_VALUE),
    SAME(SCARD_E_NO_MEMORY), SAME(SCARD_E_NO_SERVICE), SAME(SCARD_E_NO_SMARTCARD), SAME(SCARD_E_NOT_READY),
    SAME(SCARD_E_NOT_TRANSACTED), SAME(SCARD_E_PROTO_MISMATCH), SAME(SCARD_E_READER_UNAVAILABLE),
    SAME(SCARD_E_SHARING_VIOLATION), SAME(SCARD_E_SYSTEM_CANCELLED), SAME(SCARD_E_TIMEOUT),
    SAME(SCARD_E_UNKNOWN_CARD), SAME(SCARD_E_UNKNOWN_READER), SAME(SCARD_E_UNSUPPORTED_FEATURE),
    SAME(SCARD_E_NO_READERS_AVAILABLE), SAME(SCARD_F_COMM_ERROR), SAME(SCARD_F_INTERNAL_ERROR),
    SAME(SCARD_F_UNKNOWN_ERROR), SAME(SCARD_W_REMOVED_CARD), SAME(SCARD_W_RESET_CARD),
    SAME(SCARD_W_UNPOWERED_CARD), SAME(SCARD_W_UNRESPONSIVE_CARD), SAME(SCARD_W_UNSUPPORTED_CARD), { NULL, 0 },
};

static const Name modes[] = {
    { "shared", SCARD_SHARE_SHARED }, { "exclusive", SCARD_SHARE_EXCLUSIVE }, { "direct", SCARD_SHARE_DIRECT },
    { NULL, 0 },
};

static const Name protocol_words[] = {
    { "none", 0 }, { "T0", SCARD_PROTOCOL_T0 }, { "T1", SCARD_PROTOCOL_T1 }, { "any", SCARD_PROTOCOL_ANY },
    { "RAW", SCARD_PROTOCOL_RAW }, { "T15", SCARD_PROTOCOL_T15 }, { "old", 0x1000 }, { NULL, 0 },
};

static const Name dispositions[] = {
    { "leave", SCARD_LEAVE_CARD }, { "reset", SCARD_RESET_CARD }, { "unpower", SCARD_UNPOWER_CARD },
    { "eject", SCARD_EJECT_CARD }, { NULL, 0 },
};

static const Name attributes[] = {
    { "atr", SCARD_ATTR_ATR_STRING }, { "vendor", SCARD_ATTR_VENDOR_NAME },
    { "name", SCARD_ATTR_DEVICE_FRIENDLY_NAME_A }, { "system-name", SCARD_ATTR_DEVICE_SYSTEM_NAME_A },
    { "presence", SCARD_ATTR_ICC_PRESENCE }, { "type", SCARD_ATTR_ICC_TYPE_PER_ATR },
    { "channel", SCARD_ATTR_CHANNEL_ID }, { NULL, 0 },
};

static const Name events[] = {
    { "unaware", SCARD_STATE_UNAWARE }, { "ignore", SCARD_STATE_IGNORE }, { "changed", SCARD_STATE_CHANGED },
    { "unknown", SCARD_STATE_UNKNOWN }, { "unavailable", SCARD_STATE_UNAVAILABLE }, { "empty", SCARD_STATE_EMPTY },
    { "present", SCARD_STATE_PRESENT }, { "atrmatch", SCARD_STATE_ATRMATCH }, { "exclusive", SCARD_STATE_EXCLUSIVE },
    { "inuse", SCARD_STATE_INUSE }, { "mute", SCARD_STATE_MUTE }, { "unpowered", SCARD_STATE_UNPOWERED },
    { NULL, 0 },
};

static const Name states[] = {
    { "unknown", SCARD_UNKNOWN }, { "absent", SCARD_ABSENT }, { "present", SCARD_PRESENT },
    { "swallowed", SCARD_SWALLOWED }, { "powered", SCARD_POWERED }, { "negotiable", SCARD_NEGOTIABLE },
    { "specific", SCARD_SPECIFIC }, { NULL, 0 },
};

void stop(const char *why, const char *what) {
    fprintf(stderr, "pcsc_calls: %s: %s\n", why, what);
    exit(2);
}

static DWORD value(const Name *names, const char *word) {
    for (; names->name; names++)
        if (strcmp(names->name, word) == 0) return names->value;
    return number(word);
}

DWORD number(const char *word) {
    char *end;
    unsigned long value = strtoul(word, &end, 0);
    if (*word == '\0' || *end != '\0') stop("no word and no number", word);
    return value;
}

const char *code_name(LONG code) {
    static __thread char unknown[24];
    for (const Name *name = codes; name->name; name++)
        if ((LONG)name->value == code) return name->name;
    snprintf(unknown, sizeof unknown, "0x%08lX", (unsigned long)code & 0xFFFFFFFF);
    return unknown;
}

const char *protocol_name(DWORD protocol) {
    static __thread char unknown[24];
    for (const Name *name = protocol_words; name->name; name++)
        if (name->value == protocol) return name->name;
    snprintf(unknown, sizeof unknown, "protocol-%lu", protocol);
    return unknown;
}

DWORD share_mode(const char *word) { return value(modes, word); }
DWORD protocols(const char *word) { return value(protocol_words, word); }
DWORD disposition(const char *word) { return value(dispositions, word); }
DWORD attribute(const char *word) { return value(attributes, word); }

DWORD event_states(const char *words) {
    char copy[128];
    DWORD bits = 0;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *rest = copy, *part; (part = strsep(&rest, "+"));) bits |= value(events, part);
    return bits;
}

static void give_names(Call *call, const Name *names, DWORD bits) {
    const char *separator = " ";
    for (; names->name; names++) {
        if (!(names->value & bits)) continue;
        give(call, "%s%s", separator, names->name);
        separator = "+";
        bits &= ~names->value;
    }
    if (bits) give(call, "%s0x%lX", separator, bits);
}

// The upper half counts events; only the number since the start of the sequence is the same everywhere.
static void give_counted(Call *call, const Name *names, DWORD state) {
    if (state == 0) {
        give(call, " nothing");
        return;
    }
    give_names(call, names, state & 0xFFFF);
    give(call, " events=%u", (unsigned)((state >> 16) - baseline) & 0xFFFF);
}

void give_bits(Call *call, DWORD bits) { give_counted(call, events, bits); }
void give_state(Call *call, DWORD state) { give_counted(call, states, state); }

void give_bytes(Call *call, const BYTE *bytes, DWORD count) {
    unsigned sum = 0;
    give(call, " %lu:", count);
    for (DWORD index = 0; index < count; index++) {
        if (index < 40) give(call, "%02X", bytes[index]);
        sum = sum * 31 + bytes[index];
    }
    if (count > 40) give(call, "... sum %08X", sum);
}

DWORD bytes_of(const char *hex, BYTE *bytes, DWORD room) {
    DWORD count = 0;
    if (strcmp(hex, "-") == 0) return 0;
    for (; hex[0] && hex[1] && count < room; hex += 2, count++) {
        char pair[3] = { hex[0], hex[1], 0 };
        char *end;
        bytes[count] = (BYTE)strtoul(pair, &end, 16);
        if (*end) stop("not hexadecimal", hex);
    }
    return count;
}

void give(Call *call, const char *format, ...) {
    va_list arguments;
    size_t length = strlen(call->result);
    va_start(arguments, format);
    vsnprintf(call->result + length, sizeof call->result - length, format, arguments);
    va_end(arguments);
}
