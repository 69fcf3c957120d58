/* What TapSystem wants of Linux and Swift does not see: prctl is variadic, the others are extensions of the C library's. Only
   TapSystem imports it. Headers that the module Glibc has stay out: their types would then be this module's. */
#include <sys/prctl.h>

/* Makes this process the parent of processes below it that lose theirs. */
static inline int adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

/* pipe2 and accept4; with O_CLOEXEC or SOCK_CLOEXEC as flags, nothing inherits what they make, not even a program that is
   started at the same moment. */
static inline int make_pipe(int *ends, int flags) {
    extern int pipe2(int *, int);
    return pipe2(ends, flags);
}

/* Makes a program that is started begin in another folder. */
static inline int begin_in_folder(void *actions, const char *folder) {
    extern int posix_spawn_file_actions_addchdir_np(void *, const char *);
    return posix_spawn_file_actions_addchdir_np(actions, folder);
}

static inline int accept_socket(int listener, int flags) {
    struct sockaddr;
    extern int accept4(int, struct sockaddr *, unsigned *, int);
    return accept4(listener, 0, 0, flags);
}
