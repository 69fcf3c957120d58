// Returns the source of the library that turns a client into a fork server, as zero-terminated text.
const char *fork_server_source(void);
