"""Reads cards with a PN532 over TCP, opened with pyserial's socket:// URLs: `pn532_socket.py HOST:PORT`.

Frames and the order of commands match adafruit-circuitpython-pn532 2.4.9 (SAMConfiguration, GetFirmwareVersion,
InListPassiveTarget, InDataExchange) and of pn532pi 1.7, which wakes the chip up before every frame.
"""

import json
import sys

import serial

WAKE_UP = bytes.fromhex("55 00 00 55")
ACK = bytes.fromhex("00 00 ff 00 ff 00")


class Chip:
    def __init__(self, address):
        self.port = serial.serial_for_url(f"socket://{address}", timeout=10)

    def ask(self, data):
        packet = bytes([0xD4]) + bytes(data)
        frame = bytes([0, 0, 0xFF, len(packet), -len(packet) & 0xFF]) + packet + bytes([-sum(packet) & 0xFF, 0])
        self.port.reset_input_buffer()
        self.port.write(WAKE_UP + frame)
        assert self.port.read(6) == ACK
        head = self.port.read(5)
        assert head[:3] == b"\x00\x00\xff" and (head[3] + head[4]) & 0xFF == 0, head
        body = self.port.read(head[3] + 2)
        assert body[:2] == bytes([0xD5, data[0] + 1]) and sum(body) & 0xFF == 0, body
        return body[2:-2]


def main():
    chip = Chip(sys.argv[1])
    found = {"firmware": chip.ask([0x02]).hex()}
    chip.ask([0x14, 1, 20, 1])
    chip.ask([0x32, 5, 0xFF, 1, 2])
    target = chip.ask([0x4A, 1, 0])
    if target[0]:
        found["uid"] = target[6 : 6 + target[5]].hex()
        found["page 4"] = chip.ask([0x40, 1, 0x30, 4])[1:].hex()
        found["written"] = chip.ask([0x40, 1, 0xA2, 10] + list(b"ABCD"))[0]
        found["page 10"] = chip.ask([0x40, 1, 0x30, 10])[1:5].hex()
    target = chip.ask([0x4A, 1, 1, 0, 0xFF, 0xFF, 1, 0])
    if target[0]:
        idm = target[4:12]
        found["idm"] = idm.hex()
        found["systems"] = chip.ask([0x40, 1, 10, 0x0C, *idm])[11:].hex()
        read = chip.ask([0x40, 1, 18, 6, *idm, 1, 0x0F, 0x09, 2, 0x80, 0, 0x80, 1])
        found["blocks"] = read[14:].hex()
    found["released"] = chip.ask([0x52, 0])[0]
    print(json.dumps(found))


main()
