/* A test in C that reads a virtual card through libpcsclite: what a test framework does around each test.
 *
 *   cc card_test.c $(pkg-config --cflags --libs libpcsclite) -o card_test && ./card_test [TAPSIM]
 *
 * libpcsclite reads PCSCLITE_CSOCK_NAME only once per process. A program that runs several tests, each with its own cards,
 * therefore starts every service with the same path: tapsim serve --socket PATH.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <winscard.h>

/* Starts `tapsim serve` and reads its ready line. The service ends when this process does, however it ends. */
static pid_t serve(const char *tapsim, const char *card, char *line, int size) {
    int ends[2];
    if (pipe(ends) != 0) { perror("pipe"); exit(3); }
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execlp(tapsim, tapsim, "serve", "--json", "--card", card, (char *)NULL);
        perror(tapsim);
        _exit(3);
    }
    close(ends[1]);
    FILE *output = fdopen(ends[0], "r");
    if (child < 0 || !output || !fgets(line, size, output)) { fprintf(stderr, "tapsim serve did not start\n"); exit(3); }
    fclose(output);
    return child;
}

/* Sets a variable to its value in the ready line; the paths there need no escapes. */
static void set_variable(const char *name, const char *line) {
    char key[64], value[256];
    snprintf(key, sizeof key, "\"%s\":\"", name);
    const char *start = strstr(line, key);
    if (!start || sscanf(start + strlen(key), "%255[^\"]", value) != 1) { fprintf(stderr, "no %s\n", name); exit(3); }
    setenv(name, value, 1);
}

static void check(const char *call, LONG code) {
    if (code == SCARD_S_SUCCESS) return;
    fprintf(stderr, "%s: %s\n", call, pcsc_stringify_error(code));
    exit(1);
}

int main(int count, char **arguments) {
    char line[4096];
    pid_t service = serve(count > 1 ? arguments[1] : "tapsim", "suica:idm=01010A1020304050,balance=3120", line, sizeof line);
    set_variable("PCSCLITE_CSOCK_NAME", line);

    SCARDCONTEXT context;
    SCARDHANDLE card;
    DWORD protocol, length;
    char names[1024];
    check("SCardEstablishContext", SCardEstablishContext(SCARD_SCOPE_SYSTEM, NULL, NULL, &context));
    length = sizeof names;
    check("SCardListReaders", SCardListReaders(context, NULL, names, &length));
    check("SCardConnect", SCardConnect(context, names, SCARD_SHARE_SHARED, SCARD_PROTOCOL_ANY, &card, &protocol));
    const unsigned char get_uid[] = {0xFF, 0xCA, 0x00, 0x00, 0x00};
    unsigned char answer[258];
    length = sizeof answer;
    check("SCardTransmit", SCardTransmit(card, protocol == SCARD_PROTOCOL_T0 ? SCARD_PCI_T0 : SCARD_PCI_T1,
                                         get_uid, sizeof get_uid, NULL, answer, &length));
    for (DWORD index = 0; index < length; index++) printf("%02X", answer[index]);
    printf("\n");
    const unsigned char expected[] = {0x01, 0x01, 0x0A, 0x10, 0x20, 0x30, 0x40, 0x50, 0x90, 0x00};
    int passed = length == sizeof expected && memcmp(answer, expected, length) == 0;
    SCardDisconnect(card, SCARD_LEAVE_CARD);
    SCardReleaseContext(context);

    kill(service, SIGTERM);
    waitpid(service, NULL, 0);
    return passed ? 0 : 1;
}
