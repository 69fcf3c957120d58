/* Watches USB for an RC-S380 with libusb: opens it when it arrives, reads its firmware version, waits for more, and ends when
   it has gone and come back. Prints a line for each step. */
#include <libusb-1.0/libusb.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

static int arrivals;
static int is_new;

static int tell(libusb_context *context, libusb_device *device, libusb_hotplug_event event, void *unused) {
    (void)context, (void)device, (void)unused;
    if (event == LIBUSB_HOTPLUG_EVENT_DEVICE_ARRIVED) arrivals += 1, is_new = 1;
    printf("%s\n", event == LIBUSB_HOTPLUG_EVENT_DEVICE_ARRIVED ? "arrived" : "left");
    fflush(stdout);
    return 0;
}

/* Reads the firmware version; then waits for bytes that never arrive, until the reader leaves. */
static void use(libusb_context *context, int waits) {
    static unsigned char ask[] = {0, 0, 255, 255, 255, 2, 0, 254, 0xD6, 0x20, 0x0A, 0};
    unsigned char answer[64];
    int count = 0;
    libusb_device_handle *handle = libusb_open_device_with_vid_pid(context, 0x054C, 0x06C3);
    if (!handle || libusb_claim_interface(handle, 0)) {
        printf("cannot be opened\n");
        return;
    }
    int error = libusb_bulk_transfer(handle, 0x02, ask, sizeof ask, &count, 1000);
    error |= libusb_bulk_transfer(handle, 0x81, answer, sizeof answer, &count, 1000);
    printf("acknowledged in %d bytes\n", count);
    /* Thirteen bytes do not fit into four. */
    printf("four bytes: %s\n", libusb_error_name(libusb_bulk_transfer(handle, 0x81, answer, 4, &count, 1000)));
    printf("nothing more: %s\n", libusb_error_name(libusb_bulk_transfer(handle, 0x81, answer, 64, &count, 50)));
    printf("error %d\n", error);
    fflush(stdout);
    if (waits) {
        error = libusb_bulk_transfer(handle, 0x81, answer, 64, &count, 0);
        printf("while waiting: %s\n", libusb_error_name(error));
        printf("afterwards: %s\n", libusb_error_name(libusb_bulk_transfer(handle, 0x02, ask, sizeof ask, &count, 100)));
    }
    libusb_close(handle);
}

int main(void) {
    libusb_context *context;
    if (libusb_init(&context)) return 1;
    libusb_hotplug_register_callback(
        context, LIBUSB_HOTPLUG_EVENT_DEVICE_ARRIVED | LIBUSB_HOTPLUG_EVENT_DEVICE_LEFT, LIBUSB_HOTPLUG_ENUMERATE, 0x054C,
        0x06C3, LIBUSB_HOTPLUG_MATCH_ANY, tell, NULL, NULL);
    while (arrivals < 2 || is_new) {
        if (is_new) {
            is_new = 0;
            use(context, arrivals == 1);
        }
        struct timeval pause = {0, 50000};
        if (arrivals < 2) libusb_handle_events_timeout(context, &pause);
    }
    libusb_exit(context);
    return 0;
}
