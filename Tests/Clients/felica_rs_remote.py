"""A client of the felica-rs remote reader: `felica_rs_remote.py HOST:PORT`.

Sends the same requests as the example `remote_client` of felica-rs 1.0.1: polls at both bit rates, requests the systems, reads blocks.
"""

import json
import socket
import sys


class Driver:
    def __init__(self, address):
        host, port = address.rsplit(":", 1)
        self.stream = socket.create_connection((host, int(port)), timeout=20).makefile("rw", encoding="utf-8")

    def ask(self, **request):
        self.stream.write(json.dumps(request) + "\n")
        self.stream.flush()
        return json.loads(self.stream.readline())

    def poll(self, bitrate, system_code=0xFFFF, request_code=0):
        return self.ask(
            type="detect_type_f",
            bitrate=bitrate,
            system_code=system_code,
            request_code=request_code,
            time_slots=0,
        )

    def transceive(self, data, timeout_ms=None):
        frame = bytes([len(data) + 1]) + data
        return self.ask(type="transceive", bitrate="212F", data=frame.hex().upper(), timeout_ms=timeout_ms)


def main():
    driver = Driver(sys.argv[1])
    found = {rate: driver.poll(rate, request_code=1) for rate in ("212F", "424F")}
    found["plain"] = driver.poll("212F")
    found["absent"] = driver.poll("212F", 0x1234)
    idm = bytes.fromhex(found["212F"]["idm"])
    found["systems"] = driver.transceive(b"\x0c" + idm, 100)
    found["block"] = driver.transceive(b"\x06" + idm + bytes.fromhex("010F09018000"), 100)
    found["unknown"] = driver.ask(type="emulate")
    print(json.dumps(found))


main()
