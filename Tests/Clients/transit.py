"""The history of Japanese transit cards: FeliCa packets, LEN first, and their records."""
import sys

SYSTEM = 0x0003
HISTORY = 0x090F
POLLING = bytes([6, 0x00, SYSTEM >> 8, SYSTEM & 0xFF, 0x01, 0x00])


def read_history(idm, exchange):
    """Reads the 20 records, as many at once as cards allow; `exchange` sends a packet and returns the answer."""
    return read_blocks(idm, exchange, 0, 12) + read_blocks(idm, exchange, 12, 8)


def read_blocks(idm, exchange, first, count):
    elements = bytes(byte for number in range(first, first + count) for byte in (0x80, number))
    packet = bytes([0x06]) + idm + bytes([1, HISTORY & 0xFF, HISTORY >> 8, count]) + elements
    answer = exchange(bytes([len(packet) + 1]) + packet)
    if answer[1] != 0x07 or answer[10] != 0:
        sys.exit("the card refuses to be read: %s" % answer.hex().upper())
    return [answer[13 + 16 * n:29 + 16 * n] for n in range(count)]


def trips(records):
    """Returns date and balance of the non-empty records."""
    return [
        {"date": "%04d-%02d-%02d" % (2000 + (r[4] >> 1), (r[4] & 1) << 3 | r[5] >> 5, r[5] & 0x1F),
         "balance": r[10] | r[11] << 8}
        for r in records if r[0]
    ]
