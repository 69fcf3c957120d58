#include "client.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *mistake = "correct";
static char reason[256] = "nothing was tried";

bool makes(const char *name) { return strcmp(mistake, name) == 0; }
bool is_correct(void) { return makes("correct"); }

bool failed(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return false;
}

static uint8_t known[8];
static size_t known_length;

void expect_card(const char *digits) {
    while (known_length < sizeof known && sscanf(digits + 2 * known_length, "%2hhx", known + known_length) == 1) {
        known_length++;
    }
}

bool is_known(const uint8_t *identifier, size_t length) {
    if (known_length == 0) memcpy(known, identifier, known_length = length);
    return (known_length == length && !memcmp(known, identifier, length)) || failed("another card lies on the reader");
}

const char *why(void) { return reason; }
