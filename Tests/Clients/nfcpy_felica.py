"""A reader of transit cards on unmodified nfcpy: prints its result as JSON.

usage: nfcpy_felica.py [PATH]    PATH in the format of nfc.ContactlessFrontend, or a serial port with a PN532; default:
       $TAPSIM_NFCPY, otherwise $TAPSIM_TTY
"""
import json
import sys

import nfc
import nfc.clf
import nfc.tag.tt3

import transit
from nfcpy_frontend import open_frontend

HISTORY = nfc.tag.tt3.ServiceCode(transit.HISTORY >> 6, transit.HISTORY & 0x3F)


def read_blocks(tag, numbers):
    blocks = [nfc.tag.tt3.BlockCode(number, service=0) for number in numbers]
    return tag.read_without_encryption([HISTORY], blocks)


def history(tag):
    data = read_blocks(tag, range(0, 12)) + read_blocks(tag, range(12, 20))
    return [data[offset:offset + 16] for offset in range(0, len(data), 16)]


def refusal_of_13_blocks(tag):
    try:
        read_blocks(tag, range(13))
    except nfc.tag.tt3.Type3TagCommandError as error:
        return "%04X" % error.errno
    return None


def main():
    found = {}
    with open_frontend(*sys.argv[1:]) as frontend:
        target = frontend.sense(nfc.clf.RemoteTarget("212F"))
        if target is None:
            sys.exit("no FeliCa card in the field")
        tag = nfc.tag.activate(frontend, target)
        found["type"] = "%s %s" % (tag.type, tag.product)
        found["systems"] = ["%04X" % code for code in tag.request_system_code()]
        found["polled"] = {}
        for code in tag.request_system_code():
            tag.idm, tag.pmm = tag.polling(code)
            found["polled"]["%04X" % code] = tag.idm.hex().upper()
        found["dump"] = tag.dump()
        tag.idm, tag.pmm = tag.polling(0x0003)
        found["trips"] = transit.trips(history(tag))
        found["refused"] = refusal_of_13_blocks(tag)
    json.dump(found, sys.stdout, indent=1)
    print()


main()
