"""A reader of transit cards for the ACR122U: prints the trips as JSON.

usage: acr122u_transit.py [READER]      READER is a part of the reader's name (default: ACR122)
"""
import json
import sys

from acr122u import ACR122U, FELICA_212
from transit import POLLING, read_history, trips


def main():
    reader = ACR122U(*sys.argv[1:])
    card = reader.find(FELICA_212, POLLING[1:])
    if card is None:
        sys.exit("no transit card on the reader")
    idm = card[2:10]
    found = {"firmware": reader.firmware(), "idm": idm.hex().upper()}
    found["trips"] = trips(read_history(idm, reader.exchange))
    json.dump(found, sys.stdout, indent=1)
    print()


main()
