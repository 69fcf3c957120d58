"""Lists the nodes of a FeliCa card with nfcpy and a PN532 on a serial port: prints their number as JSON.

usage: nfcpy_search.py [--no-floor]      with --no-floor it waits only as long as the PMm states; nfcpy waits at least 2 ms
"""
import json
import sys

import nfc.clf
import nfc.tag
import nfc.tag.tt3_sony

from nfcpy_frontend import open_frontend


def nodes(tag):
    found = []
    while (node := tag.search_service_code(len(found))) is not None:
        found.append(node)
    return len(found)


def main():
    if "--no-floor" in sys.argv:
        # The module uses this name to pick the longer of two times.
        nfc.tag.tt3_sony.max = lambda time_of_pmm, _: time_of_pmm
    with open_frontend() as frontend:
        tag = nfc.tag.activate(frontend, frontend.sense(nfc.clf.RemoteTarget("212F")))
        try:
            found = {"nodes": nodes(tag)}
        except nfc.tag.TagCommandError as error:
            found = {"error": str(error)}
    json.dump(found, sys.stdout)
    print()


main()
