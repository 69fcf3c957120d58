"""A reader of NTAG215 tags for the ACR122U: prints the links of the NDEF message as JSON.

usage: acr122u_ntag.py [PASSWORD]      PASSWORD is the tag's password, eight hexadecimal digits
"""
import json
import sys

import ndef

from acr122u import ACR122U, TYPE_A_106

READ, PWD_AUTH = 0x30, 0x1B
FIRST_USER_PAGE = 4
NDEF_MESSAGE = 0x03


def select(reader):
    tag = reader.find(TYPE_A_106)
    if tag is None:
        sys.exit("no type A tag on the reader")
    return tag[4:4 + tag[3]]


def read(reader, page):
    """Reads four pages; after a refusal the tag is silent and must be selected again."""
    pages = reader.exchange(bytes([READ, page]))
    if pages is None or len(pages) != 16:
        select(reader)
        return None
    return pages


def links(reader):
    data = read(reader, FIRST_USER_PAGE)
    if data is None:
        return None
    start = data.index(NDEF_MESSAGE) + 2
    end = start + data[start - 1]
    while len(data) < end:
        data += read(reader, FIRST_USER_PAGE + len(data) // 4)
    return [record.uri for record in ndef.message_decoder(data[start:end]) if isinstance(record, ndef.UriRecord)]


def authenticate(reader, password):
    """Sends the password; returns the PACK of the tag, or None if the password is wrong."""
    pack = reader.exchange(bytes([PWD_AUTH]) + password)
    if pack is None or len(pack) != 2:
        select(reader)
        return None
    return pack.hex().upper()


def main():
    reader = ACR122U()
    found = {"uid": select(reader).hex().upper(), "links": links(reader)}
    if len(sys.argv) > 1:
        found["pack"] = authenticate(reader, bytes.fromhex(sys.argv[1]))
        found["links with password"] = links(reader)
    json.dump(found, sys.stdout, indent=1)
    print()


main()
