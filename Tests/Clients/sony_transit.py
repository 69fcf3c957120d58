"""A reader of transit cards for Sony's readers, block by block like their PC/SC driver: prints the trips as JSON.

usage: sony_transit.py [READER]      READER is a part of the reader's name (default: Sony)
"""
import json
import sys

from card_reader import connect, send
from transit import HISTORY, trips

GET_IDM = bytes.fromhex("FFCA000000")
SELECT_SERVICE = bytes.fromhex("FFA4000102")


def main():
    connection = connect(sys.argv[1] if len(sys.argv) > 1 else "Sony")
    idm = send(connection, GET_IDM)
    send(connection, SELECT_SERVICE + HISTORY.to_bytes(2, "little"))
    records = [send(connection, bytes([0xFF, 0xB0, 0x00, block, 0x00])) for block in range(20)]
    json.dump({"idm": idm.hex().upper(), "trips": trips(records)}, sys.stdout, indent=1)
    print()


main()
