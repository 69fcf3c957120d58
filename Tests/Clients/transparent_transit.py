"""A reader of transit cards over the transparent session of PC/SC part 3: prints the trips as JSON.

usage: transparent_transit.py [READER]      READER is a part of the reader's name (default: the first reader)
"""
import json
import sys

from card_reader import connect, send
from transit import POLLING, read_history, trips

MANAGE, EXCHANGE, SWITCH = 0, 1, 2
START = bytes.fromhex("8100")
END = bytes.fromhex("8200")
FELICA = bytes.fromhex("8F020300")
TIMEOUT = bytes.fromhex("5F4604") + (100_000).to_bytes(4, "little")


def session(connection, kind, objects):
    answer = dict(tlvs(send(connection, bytes([0xFF, 0xC2, 0x00, kind, len(objects)]) + objects + b"\0")))
    if answer.get(0xC0) != bytes.fromhex("009000"):
        sys.exit("the reader reports %s" % answer.get(0xC0, b"").hex().upper())
    return answer


def tlvs(data):
    while data:
        size = 2 if data[0] & 0x1F == 0x1F else 1
        tag, length, data = int.from_bytes(data[:size], "big"), data[size], data[size + 1:]
        if length & 0x80:
            size = length & 0x7F
            length, data = int.from_bytes(data[:size], "big"), data[size:]
        yield tag, data[:length]
        data = data[length:]


def exchange(connection, packet):
    return session(connection, EXCHANGE, TIMEOUT + bytes([0x95, len(packet)]) + packet)[0x97]


def main():
    connection = connect(sys.argv[1] if len(sys.argv) > 1 else "")
    session(connection, MANAGE, START)
    session(connection, SWITCH, FELICA)
    idm = exchange(connection, POLLING)[2:10]
    records = read_history(idm, lambda packet: exchange(connection, packet))
    session(connection, MANAGE, END)
    json.dump({"idm": idm.hex().upper(), "trips": trips(records)}, sys.stdout, indent=1)
    print()


main()
