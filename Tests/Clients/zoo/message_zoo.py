"""Reads the NDEF message of an NTAG with the commands of PC/SC part 3 and prints its records as JSON; correct, or with one
mistake that only some valid tags reveal.

usage: message_zoo.py MISTAKE UID
  MISTAKE  `correct`, or a name after MISTAKE in a comment
  UID      the UID of the tag to read
"""
from pcsc_light import PCSCError
from rereading import PATIENCE, Unreadable, main

GET_UID = bytes.fromhex("FFCA000000")
SUCCESS, UID_LENGTH, PAGE, READ_LENGTH, FIRST_PAGE, LAST_PAGE = 0x9000, 7, 4, 16, 4, 0x86
NULL, MESSAGE, TERMINATOR, LONG = 0x00, 0x03, 0xFE, 0xFF
CHUNKED, SHORT_RECORD, HAS_ID, UTF_16 = 0x20, 0x10, 0x08, 0x80
PREFIXES = [
    "", "http://www.", "https://www.", "http://", "https://", "tel:", "mailto:", "ftp://anonymous:anonymous@", "ftp://ftp.",
    "ftps://", "sftp://", "smb://", "nfs://", "ftp://", "dav://", "news:", "telnet://", "imap:", "rtsp://", "urn:", "pop:",
    "sip:", "sips:", "tftp:", "btspp://", "btl2cap://", "btgoep://", "tcpobex://", "irdaobex://", "file://", "urn:epc:id:",
    "urn:epc:tag:", "urn:epc:pat:", "urn:epc:raw:", "urn:epc:", "urn:nfc:"]


class Memory:
    """The data area of a tag, read on demand."""

    def __init__(self, card, mistake):
        self.card, self.mistake, self.bytes = card, mistake, b""
        container = self.pages(3)[:PAGE]
        if container[:2] != b"\xE1\x10" or container[3] >> 4:
            raise Unreadable("the tag holds no message that can be read")
        # MISTAKE knows-one-size: every tag is one of the size that was on the desk.
        if mistake == "knows-one-size" and container[2] != 0x3E:
            raise Unreadable("the tag is not an NTAG215")
        self.size = container[2] * 8

    def pages(self, page):
        command = bytes([0xFF, 0xB0, 0, page, READ_LENGTH])
        try:
            data, status = self.card.transmit(command)
        except PCSCError:
            # MISTAKE joins-tags: whatever tag lies there after an error, the message goes on there.
            if self.mistake != "joins-tags":
                raise
            self.card.connect_again(PATIENCE)
            data, status = self.card.transmit(command)
        if status != SUCCESS or len(data) != READ_LENGTH:
            raise Unreadable("the reader reports %04X" % status)
        return data

    def take(self, start, count):
        # MISTAKE needs-terminator: the message ends where FE is, and is looked for until it comes.
        if start + count > self.size and self.mistake != "needs-terminator":
            raise Unreadable("the message ends behind the data area")
        while len(self.bytes) < start + count:
            self.bytes += self.pages(FIRST_PAGE + len(self.bytes) // PAGE)
        # MISTAKE forgets-last-page: an area ends where its last page begins.
        end = self.size - PAGE if self.mistake == "forgets-last-page" and count > 3 else start + count
        return self.bytes[start:min(start + count, end)]


def length(memory, place):
    """Returns the length of a TLV block and the offset of its value."""
    value = memory.take(place, 1)[0]
    # MISTAKE one-byte-length: a length of FF is 255.
    if value == LONG and memory.mistake != "one-byte-length":
        return int.from_bytes(memory.take(place + 1, 2), "big"), place + 3
    return value, place + 1


def message(memory):
    """Returns the value of the NDEF message block."""
    place, found = 0, None
    # MISTAKE first-block: the message is the first block of every tag.
    if memory.mistake == "first-block":
        count, start = length(memory, 1)
        return memory.take(start, count)
    if memory.mistake == "needs-terminator":
        while TERMINATOR not in memory.bytes:
            memory.take(len(memory.bytes), 1)
    while place < memory.size:
        kind = memory.take(place, 1)[0]
        # MISTAKE reads-remains: the last block is the newest message, whatever ended before it.
        if kind == TERMINATOR and memory.mistake == "reads-remains":
            place += 1
            continue
        if kind == TERMINATOR:
            break
        if kind == NULL:
            place += 1
            continue
        count, start = length(memory, place + 1)
        if kind == MESSAGE:
            found = memory.take(start, count)
            if memory.mistake != "reads-remains":
                return found
        # MISTAKE skips-one-byte: a block with a length of three bytes is skipped as if it had one.
        if memory.mistake == "skips-one-byte" and start > place + 2:
            start, count = place + 2, LONG
        # MISTAKE loops-on-empty: a block without a value leads nowhere.
        place = place if memory.mistake == "loops-on-empty" and count == 0 else start + count
    if found is None:
        raise Unreadable("the tag holds no message")
    return found


def text(payload, mistake):
    """Returns the language and the text of a text record."""
    count = payload[0] & 0x3F
    # MISTAKE two-letters: a language code has two letters.
    if mistake == "two-letters":
        count = 2
    # MISTAKE five-bits: what is above the fifth bit of a length is reserved.
    if mistake == "five-bits":
        count &= 0x1F
    code = "utf-16-be" if payload[0] & UTF_16 else "utf-8"
    # MISTAKE latin-1: every byte is a letter.
    if mistake == "latin-1":
        return payload[1:1 + count].decode("ascii"), payload[1 + count:].decode("latin-1")
    # MISTAKE drops-accents: what is no ASCII is left out.
    if mistake == "drops-accents":
        return payload[1:1 + count].decode("ascii"), payload[1 + count:].decode("ascii", "ignore")
    # MISTAKE forgets-utf-16: every text is UTF-8, as far as it can be read.
    if mistake == "forgets-utf-16":
        return payload[1:1 + count].decode("ascii"), payload[1 + count:].decode("utf-8", "replace")
    # MISTAKE two-byte-letters: no letter has more than two bytes in memory, as the font of the display says.
    if mistake == "two-byte-letters":
        words = payload[1 + count:].decode(code)
        return payload[1:1 + count].decode("ascii"), "".join(letter for letter in words if ord(letter) < 0x10000)
    # MISTAKE trusts-text: what a tag says is UTF-8 is UTF-8.
    if mistake == "trusts-text":
        return payload[1:1 + count].decode(), payload[1 + count:].decode(code)
    try:
        return payload[1:1 + count].decode("ascii"), payload[1 + count:].decode(code)
    except UnicodeDecodeError:
        raise Unreadable("a text on the tag is damaged")


def records(data, mistake):
    """Returns the records of a message."""
    found, begun = [], None
    while data:
        head, has_id = data[0], 1 if data[0] & HAS_ID else 0
        # MISTAKE short-records: a payload is never longer than 255 bytes, so the last byte of its length will do.
        width = 1 if head & SHORT_RECORD else 4
        if len(data) < 2 + width + has_id:
            raise Unreadable("a record ends in its header")
        count = int.from_bytes(data[2:2 + width], "big")
        if mistake == "short-records":
            count &= 0xFF
        start = 2 + width + has_id
        kind = data[start:start + data[1]]
        begin = start + data[1] + (data[start - 1] if has_id else 0)
        if mistake not in ("short-records", "one-byte-length", "forgets-last-page") and begin + count > len(data):
            raise Unreadable("a record is longer than its message")
        payload = data[begin:begin + count]
        if begun:
            kind, payload = begun[0], begun[1] + payload
        # MISTAKE ignores-chunks: every record is whole.
        begun = (kind, payload) if head & CHUNKED and mistake != "ignores-chunks" else None
        if begun:
            data = data[begin + count:]
            continue
        if kind == b"U" and payload:
            try:
                # MISTAKE short-table: the beginnings of links are those that somebody has seen.
                known = PREFIXES[:5] + [""] * 31 if mistake == "short-table" else PREFIXES
                found.append({"uri": known[payload[0]] + payload[1:].decode()})
            except (LookupError, UnicodeDecodeError):
                raise Unreadable("a link on the tag is damaged")
        elif kind == b"T" and payload:
            language, words = text(payload, mistake)
            found.append({"language": language, "text": words})
        else:
            found.append({"type": kind.hex()})
        # MISTAKE stops-at-first: a tag has one record. Who has lost count stops there, too.
        if mistake in ("short-records", "one-byte-length", "stops-at-first"):
            break
        data = data[begin + count:]
    if begun:
        raise Unreadable("the last chunk of a record is missing")
    return found


def read(card, known, mistake):
    uid, status = card.transmit(GET_UID)
    if status != SUCCESS or uid != known:
        raise Unreadable("another tag lies on the reader")
    memory = Memory(card, mistake)
    data = message(memory)
    # MISTAKE past-end: the message goes on until its last page ends.
    if mistake == "past-end":
        begin = memory.bytes.index(data)
        data = bytes([data[0], data[1], min(255, data[2] + 5)]) + memory.bytes[begin + 3:begin + len(data) + 5]
        return {"records": [{"uri": PREFIXES[data[4]] + data[5:].decode("latin-1")}]}
    return {"uid": uid.hex().upper(), "records": records(data, mistake)}


main(read)
