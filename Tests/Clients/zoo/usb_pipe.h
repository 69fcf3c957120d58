// Bulk transfers with a reader on the USB, by libusb.
#ifndef ZOO_USB_PIPE_H
#define ZOO_USB_PIPE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    // Longest message of the readers here.
    LONGEST_MESSAGE = 320,
    // How long a reader may take for an answer; cards are given less by it.
    TRANSFER_MILLISECONDS = 1000,
};

// Opens the reader with a vendor and product and claims its first interface.
bool open_pipe(uint16_t vendor, uint16_t product);

// Gives everything back; does nothing without a pipe.
void close_pipe(void);

// Sends bytes to the reader.
bool send_bytes(const uint8_t *bytes, int count);

// Receives what the reader sends within a time; gives how many bytes came, or -1. A time of 0 has no end.
int receive_bytes(uint8_t bytes[LONGEST_MESSAGE], unsigned milliseconds);

#endif
