"""Prints the balance after each of the newest trips of a transit card, with nfcpy.

usage: python3 trips.py PATH      as nfcpy takes it: usb, tty:USB0:pn532, udp:ADDRESS:PORT
"""
import functools
import json
import sys

import nfc
import nfc.clf
import nfc.tag.tt3

HISTORY = nfc.tag.tt3.ServiceCode(0x090F >> 6, 0x090F & 0x3F)
NEWEST = 10
# The least number of seconds that the UDP driver waits for an answer. A card needs milliseconds, a busy machine more.
PATIENCE = 0.5


def wait_longer(exchange, target, data, timeout):
    return exchange(target, data, max(timeout, PATIENCE) if timeout else timeout)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with nfc.ContactlessFrontend(sys.argv[1]) as frontend:
        if sys.argv[1].startswith("udp:"):
            frontend.device.send_cmd_recv_rsp = functools.partial(wait_longer, frontend.device.send_cmd_recv_rsp)
        target = frontend.sense(nfc.clf.RemoteTarget("212F"), iterations=5, interval=0.1)
        if target is None:
            sys.exit("no FeliCa card")
        tag = nfc.tag.activate(frontend, target)
        try:
            tag.idm, tag.pmm = tag.polling(0x0003)
            blocks = [nfc.tag.tt3.BlockCode(number, service=0) for number in range(NEWEST)]
            data = tag.read_without_encryption([HISTORY], blocks)
        except nfc.tag.tt3.Type3TagCommandError as error:
            sys.exit("the card cannot be read: %s" % error)
    records = [data[start:start + 16] for start in range(0, len(data), 16)]
    balances = [record[10] | record[11] << 8 for record in records if record[0]]
    print(json.dumps({"idm": tag.idm.hex().upper(), "balances": balances}))


main()
