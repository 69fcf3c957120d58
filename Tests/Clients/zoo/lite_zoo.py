"""Reads three blocks of a FeliCa Lite-S over an ACR122U, with the MAC that proves their origin, and prints them as JSON;
correct, or with one mistake.

usage: lite_zoo.py MISTAKE IDM
  MISTAKE  `correct`, or a name after MISTAKE in a comment
  IDM      the IDm of the card to read

Source: FeliCa Lite-S User's Manual, "MAC generation": words of eight bytes are reversed; RC is the challenge, and its first
half the initial vector.
"""
import json
import sys

from pyDes import CBC, triple_des

from pcsc_light import Card, Context, PCSCError

ATTEMPTS, PATIENCE, WORD, BLOCK, BLOCKS = 3, 100, 8, 16, (1, 2, 3)
KEY, RC = bytes.fromhex("30313233343536373839414243444546"), bytes(range(0x10, 0x20))
RC_BLOCK, MAC_A_BLOCK = 0x80, 0x91
READ, WRITE, READ_SERVICE, WRITE_SERVICE = 0x06, 0x08, 0x0B, 0x09
SUCCESS = 0x9000


class Unreadable(Exception):
    """An error of a card or a reader."""


def reversed_words(data):
    return b"".join(data[start:start + WORD][::-1] for start in range(0, len(data), WORD))


def cbc(key, start, data):
    return triple_des(key, CBC, start).encrypt(data)


# The key in the byte order that the card stores.
SESSION_KEY = cbc(reversed_words(KEY), bytes(WORD), RC)


def mac_a(numbers, data):
    """Returns MAC_A over the block numbers, that of MAC_A last, and the block data."""
    head = b"".join(bytes([number, 0]) for number in numbers).ljust(WORD, b"\xFF")
    return cbc(SESSION_KEY, RC[:WORD], head[::-1] + reversed_words(data))[-WORD:][::-1]


def pn532(card, command):
    answer, status = card.transmit(bytes([0xFF, 0, 0, 0, len(command) + 1, 0xD4]) + command)
    if status != SUCCESS or answer[:2] != bytes([0xD5, command[0] + 1]):
        raise Unreadable("the reader reports %04X" % status)
    return answer[2:]


def poll(card, known):
    found = pn532(card, bytes.fromhex("4A010100FFFF0100"))
    if found[:1] != b"\x01" or found[4:12] != known:
        raise Unreadable("the card does not lie on the reader")


def send(card, idm, code, data, least):
    """Sends a packet and returns the data after the status flags of the answer."""
    packet = bytes([10 + len(data), code]) + idm + data
    answer = pn532(card, b"\x42" + packet)
    if answer[:1] != b"\0":
        raise Unreadable("the card is silent")
    answer = answer[1:]
    if len(answer) < 12 or answer[0] != len(answer) or answer[1] != code + 1 or answer[2:10] != idm:
        raise Unreadable("the answer of the card is damaged")
    if answer[10]:
        raise Unreadable("the card refuses with %s" % answer[10:12].hex().upper())
    if len(answer) != least:
        raise Unreadable("the card gives %d bytes instead of %d" % (len(answer), least))
    return answer[12:]


def elements(numbers):
    return bytes([len(numbers)]) + b"".join(bytes([0x80, number]) for number in numbers)


def read(card, idm, mistake):
    """Reads a card once."""
    poll(card, idm)
    # The words of the challenge are also sent reversed.
    send(card, idm, WRITE, bytes([1, WRITE_SERVICE, 0]) + elements([RC_BLOCK]) + reversed_words(RC), 12)
    numbers = BLOCKS + (MAC_A_BLOCK,)
    data = send(card, idm, READ, bytes([1, READ_SERVICE, 0]) + elements(numbers), 13 + BLOCK * len(numbers))
    blocks, mac = data[1:1 + BLOCK * len(BLOCKS)], data[-BLOCK:-WORD]
    # MISTAKE ignores-mac: it is there, and nobody computes what it should be.
    if mac != mac_a(numbers, blocks) and mistake != "ignores-mac":
        # MISTAKE prints-key: who has to find out what went wrong wants to know the key.
        if mistake == "prints-key":
            raise Unreadable("the MAC is not that of key %s" % KEY.hex())
        raise Unreadable("the MAC is not that of the card")
    return {"idm": idm.hex().upper(), "blocks": [blocks[at:at + BLOCK].hex() for at in range(0, len(blocks), BLOCK)]}


def main(mistake, known):
    problem = None
    for _ in range(ATTEMPTS if mistake == "correct" else 1):
        context = card = None
        try:
            context = Context()
            reader = context.reader()
            context.wait_for_card(reader, PATIENCE)
            card = Card(context, reader)
            found = read(card, known, mistake)
            break
        except (PCSCError, Unreadable) as error:
            problem = error
        finally:
            # MISTAKE forgets-card: the way out after an error passes by the connection.
            if card and not (problem and mistake == "forgets-card"):
                card.close()
            if context:
                context.release()
    else:
        sys.exit(str(problem))
    print(json.dumps(found))


main(sys.argv[1], bytes.fromhex(sys.argv[2]))
