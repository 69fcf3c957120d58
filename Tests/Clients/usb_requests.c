/* Uses an RC-S380 with the requests of usbfs, without libusb: prints how the requests end, and the IDm of the card as often as
   it is asked. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/usbdevice_fs.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define TIMES 5

static int node;

static void print_error(const char *name, int result) { printf("%s: %d\n", name, result < 0 ? errno : 0); }

static int submit(struct usbdevfs_urb *block, unsigned char endpoint, void *buffer, int length) {
    memset(block, 0, sizeof *block);
    block->type = USBDEVFS_URB_TYPE_BULK;
    block->endpoint = endpoint;
    block->buffer = buffer;
    block->buffer_length = length;
    return ioctl(node, USBDEVFS_SUBMITURB, block);
}

static int transfer(unsigned char endpoint, void *buffer, int length) {
    struct usbdevfs_urb block, *reaped = NULL;
    struct pollfd ready = {.fd = node, .events = POLLOUT};
    if (submit(&block, endpoint, buffer, length) != 0) return -1;
    while (ioctl(node, USBDEVFS_REAPURBNDELAY, &reaped) != 0) poll(&ready, 1, -1);
    return reaped == &block && block.status == 0 ? block.actual_length : -1;
}

static int frame(const unsigned char *data, unsigned char count, unsigned char *bytes) {
    unsigned char sum = 0;
    memcpy(bytes, (unsigned char[]){0, 0, 255, 255, 255, count, 0, (unsigned char)-count}, 8);
    for (int index = 0; index < count; index++) sum += bytes[8 + index] = data[index];
    bytes[8 + count] = (unsigned char)-sum;
    bytes[9 + count] = 0;
    return count + 10;
}

static int command(const unsigned char *data, unsigned char count, unsigned char answer[300]) {
    unsigned char bytes[300];
    if (transfer(2, bytes, frame(data, count, bytes)) < 0 || transfer(0x81, answer, 300) != 6) return -1;
    return transfer(0x81, answer, 300);
}

/* Reaps three blocks, waiting for each. */
static void *wait_for_three(void *unused) {
    struct usbdevfs_urb *reaped;
    for (int index = 0; index < 3; index++)
        if (ioctl(node, USBDEVFS_REAPURB, &reaped) == 0)
            printf("reaped %02X with %d bytes\n", reaped->endpoint, reaped->actual_length);
    return unused;
}

static void use_thread(void) {
    unsigned char bytes[300], answers[2][300];
    struct usbdevfs_urb blocks[3];
    pthread_t thread;
    submit(&blocks[0], 2, bytes, frame((unsigned char[]){0xD6, 0x20}, 2, bytes));
    for (int index = 0; index < 2; index++) submit(&blocks[1 + index], 0x81, answers[index], 300);
    pthread_create(&thread, NULL, wait_for_three, NULL);
    pthread_join(thread, NULL);
}

static void show_errors(void) {
    unsigned char bytes[64];
    unsigned interface = 0;
    struct usbdevfs_urb block, *reaped = NULL;
    int other = open("/dev/bus/usb/001/002", O_RDWR);
    print_error("claim", ioctl(node, USBDEVFS_CLAIMINTERFACE, &interface));
    print_error("claim what another file has claimed", ioctl(other, USBDEVFS_CLAIMINTERFACE, &interface));
    close(other);
    print_error("use an unknown request", ioctl(node, _IO('U', 99)));
    print_error("use a request of a terminal", ioctl(node, 0x5413, bytes));
    print_error("use an unknown endpoint", submit(&block, 0x83, bytes, sizeof bytes));
    print_error("send too much", submit(&block, 2, bytes, 1 << 17));
    print_error("write", (int)write(node, bytes, 1));
    print_error("reap nothing", ioctl(node, USBDEVFS_REAPURBNDELAY, &reaped));
    submit(&block, 0x81, bytes, sizeof bytes);
    print_error("reap what is pending", ioctl(node, USBDEVFS_REAPURBNDELAY, &reaped));
    print_error("discard", ioctl(node, USBDEVFS_DISCARDURB, &block));
    print_error("discard again", ioctl(node, USBDEVFS_DISCARDURB, &block));
    print_error("reap what is discarded", ioctl(node, USBDEVFS_REAPURB, &reaped));
    printf("its status: %d\n", reaped == &block ? block.status : 0);
}

static void show_descriptors(void) {
    unsigned char bytes[256], name[64];
    struct usbdevfs_ctrltransfer control = {0x80, 6, 0x0302, 0, sizeof name, 1000, name};
    ssize_t first = read(node, bytes, 18), rest = read(node, bytes + 18, sizeof bytes - 18);
    printf("descriptors of %zd and %zd bytes, product %02X%02X\n", first, rest, bytes[11], bytes[10]);
    printf("a name of %d bytes\n", ioctl(node, USBDEVFS_CONTROL, &control));
}

int main(void) {
    static const unsigned char rf[] = {0xD6, 0x00, 1, 1, 15, 1}, protocol[] = {0xD6, 0x02, 0, 24};
    static const unsigned char polling[] = {0xD6, 0x04, 0x6E, 0, 6, 0, 255, 255, 1, 0};
    unsigned char answer[300];
    DIR *bus = opendir("/dev/bus/usb");
    if (bus) closedir(bus);
    node = open("/dev/bus/usb/001/002", O_RDWR | O_CLOEXEC);
    if (node < 0) return 1;
    show_descriptors();
    show_errors();
    use_thread();
    command(rf, sizeof rf, answer);
    command(protocol, sizeof protocol, answer);
    for (int count = 0; count < TIMES; count++) {
        if (command(polling, sizeof polling, answer) < 37) {
            fprintf(stderr, "there is no card\n");
            return 1;
        }
        for (int index = 0; index < 8; index++) printf("%02X", answer[17 + index]);
        printf("\n");
    }
    return close(node);
}
