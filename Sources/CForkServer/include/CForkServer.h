// The source of the library that makes a fork server of a client, as text that ends with a zero.
const char *fork_server_source(void);
