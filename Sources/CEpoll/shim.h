/* What TapDoors wants of Linux and Swift does not see by itself; only TapDoors imports it. */
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/prctl.h>

/* What is asked for, and how the end of a connection is told: constants of these are not all seen from Swift. */
static const uint32_t arrivals_told_once = (uint32_t)EPOLLIN | (uint32_t)EPOLLRDHUP | (uint32_t)EPOLLET;
static const uint32_t arrivals_at_the_end = (uint32_t)EPOLLRDHUP | (uint32_t)EPOLLHUP | (uint32_t)EPOLLERR;

/* Makes this process the parent of processes below it that lose theirs. Swift takes no variadic function. */
static inline int adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }
