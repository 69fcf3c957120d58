#include "usb_pipe.h"

#include <libusb-1.0/libusb.h>
#include <stddef.h>

#include "client.h"

static libusb_context *context;
static libusb_device_handle *device;
static uint8_t out, in;

static bool check(const char *call, int result) {
    return result >= 0 || failed("%s: %s", call, libusb_error_name(result));
}

// Finds the bulk endpoints of the first interface.
static bool find_endpoints(void) {
    struct libusb_config_descriptor *configuration;
    int result = libusb_get_active_config_descriptor(libusb_get_device(device), &configuration);
    if (!check("libusb_get_active_config_descriptor", result)) return false;
    const struct libusb_interface_descriptor *interface = configuration->interface[0].altsetting;
    for (int i = 0; i < interface->bNumEndpoints; i++) {
        const struct libusb_endpoint_descriptor *endpoint = &interface->endpoint[i];
        if ((endpoint->bmAttributes & 3) != LIBUSB_TRANSFER_TYPE_BULK) continue;
        if (endpoint->bEndpointAddress & LIBUSB_ENDPOINT_IN) in = endpoint->bEndpointAddress;
        else out = endpoint->bEndpointAddress;
    }
    libusb_free_config_descriptor(configuration);
    return (in && out) || failed("the reader has no bulk endpoints");
}

bool open_pipe(uint16_t vendor, uint16_t product) {
    if (!check("libusb_init", libusb_init(&context))) return false;
    device = libusb_open_device_with_vid_pid(context, vendor, product);
    if (!device) return failed("no reader %04x:%04x is there", vendor, product);
    return check("libusb_claim_interface", libusb_claim_interface(device, 0)) && find_endpoints();
}

void close_pipe(void) {
    if (device) {
        libusb_release_interface(device, 0);
        libusb_close(device);
    }
    if (context) libusb_exit(context);
    device = NULL;
    context = NULL;
}

bool send_bytes(const uint8_t *bytes, int count) {
    int sent = 0;
    int result = libusb_bulk_transfer(device, out, (uint8_t *)bytes, count, &sent, TRANSFER_MILLISECONDS);
    return check("libusb_bulk_transfer", result) && (sent == count || failed("the reader took %d of %d bytes", sent, count));
}

int receive_bytes(uint8_t bytes[LONGEST_MESSAGE], unsigned milliseconds) {
    int count = 0;
    int result = libusb_bulk_transfer(device, in, bytes, LONGEST_MESSAGE, &count, milliseconds);
    return check("libusb_bulk_transfer", result) ? count : -1;
}
