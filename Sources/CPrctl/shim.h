/* What TapDoors wants of Linux and Swift does not see: prctl is variadic, pipe2 an extension of the C library's. Only
   TapDoors imports it. */
#include <fcntl.h>
#include <sys/prctl.h>

/* Makes this process the parent of processes below it that lose theirs. */
static inline int adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

/* Makes a pipe whose ends no program inherits that is started meanwhile. */
static inline int make_closing_pipe(int *ends) {
    extern int pipe2(int *, int);
    return pipe2(ends, O_CLOEXEC);
}
