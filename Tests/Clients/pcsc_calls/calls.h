// A table of PC/SC calls, made in order; see main.c for its language.
#ifndef CALLS_H
#define CALLS_H

#include <stddef.h>
#include <stdio.h>
#include <winscard.h>

enum { MAX_WORDS = 16, MAX_TEXT = 4096, MAX_NAMES = 128 };

// A call as its words, and its result as text.
typedef struct {
    char *words[MAX_WORDS];
    int count;
    char line[MAX_TEXT];
    char result[MAX_TEXT];
} Call;

// The reader under test, and the value of its event counter at the start of the sequence.
extern const char *reader;
extern unsigned baseline;

// Makes a call of the library and writes its result; false if there is no such call.
int make_call(Call *call);
// The word of a call at an index, or a default if the call is shorter.
const char *word(const Call *call, int index, const char *otherwise);
// Appends to the result of a call.
void give(Call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Releases all contexts and cards of a sequence.
void clean_up(void);

// Words for codes and numbers, and back. Unknown words end the program.
const char *code_name(LONG code);
void give_state(Call *call, DWORD state);
void give_bits(Call *call, DWORD bits);
void give_bytes(Call *call, const BYTE *bytes, DWORD count);
const char *protocol_name(DWORD protocol);
DWORD share_mode(const char *word);
DWORD protocols(const char *word);
DWORD disposition(const char *word);
DWORD attribute(const char *word);
DWORD event_states(const char *words);
DWORD number(const char *word);
DWORD bytes_of(const char *hex, BYTE *bytes, DWORD room);
__attribute__((noreturn)) void stop(const char *why, const char *what);

#endif
