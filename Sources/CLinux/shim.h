/* Linux functions that TapSystem needs and Swift does not see: prctl is variadic, the others are extensions of the C library.
   Only TapSystem imports this file. It includes no header of the module Glibc, whose types would then belong to this module. */
#include <sys/prctl.h>

/* Makes this process the parent of descendants that lose their own parent. */
static inline int adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

/* pipe2 and accept4: with O_CLOEXEC or SOCK_CLOEXEC as flags, no program inherits the new descriptors, not even one that is
   started at the same moment. */
static inline int make_pipe(int *ends, int flags) {
    extern int pipe2(int *, int);
    return pipe2(ends, flags);
}

/* Makes a spawned program start in another folder. */
static inline int begin_in_folder(void *actions, const char *folder) {
    extern int posix_spawn_file_actions_addchdir_np(void *, const char *);
    return posix_spawn_file_actions_addchdir_np(actions, folder);
}

static inline int accept_socket(int listener, int flags) {
    struct sockaddr;
    extern int accept4(int, struct sockaddr *, unsigned *, int);
    return accept4(listener, 0, 0, flags);
}
