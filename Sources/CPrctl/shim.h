/* What TapDoors wants of Linux's prctl, a variadic function, which Swift does not see; only TapDoors imports it. */
#include <sys/prctl.h>

/* Makes this process the parent of processes below it that lose theirs. */
static inline int adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }
