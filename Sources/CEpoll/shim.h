/* epoll, Linux's queue of what happens to descriptors; only TapDoors imports it. */
#include <stdint.h>
#include <sys/epoll.h>

/* What is asked for, and how the end of a connection is told: constants of these are not all seen from Swift. */
static const uint32_t arrivals_told_once = (uint32_t)EPOLLIN | (uint32_t)EPOLLRDHUP | (uint32_t)EPOLLET;
static const uint32_t arrivals_at_the_end = (uint32_t)EPOLLRDHUP | (uint32_t)EPOLLHUP | (uint32_t)EPOLLERR;
