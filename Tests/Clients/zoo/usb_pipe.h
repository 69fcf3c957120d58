// Bulk transfers with a USB reader, using libusb.
#ifndef ZOO_USB_PIPE_H
#define ZOO_USB_PIPE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    // The longest message of these readers.
    LONGEST_MESSAGE = 320,
    // The time limit for a reader's answer; readers give cards less time.
    TRANSFER_MILLISECONDS = 1000,
};

// Opens the reader with a vendor and product and claims its first interface.
bool open_pipe(uint16_t vendor, uint16_t product);

// Releases everything; does nothing without a pipe.
void close_pipe(void);

// Sends bytes to the reader.
bool send_bytes(const uint8_t *bytes, int count);

// Receives data from the reader within a time limit; returns the number of bytes, or -1. A time of 0 means no limit.
int receive_bytes(uint8_t bytes[LONGEST_MESSAGE], unsigned milliseconds);

#endif
