/* The ciphers of OpenSSL; only TapCrypto imports them. */
#include <openssl/evp.h>
