#!/usr/bin/env python3
"""Reads the balance and the number of trips of a transit card over nfcpy's UDP protocol, with time-outs for a busy
machine, and prints them as JSON.

usage: udp_felica.py [PATH]      udp:ADDRESS:PORT; default: $TAPSIM_NFCPY
"""
import json
import os
import socket
import sys

PATIENCE = 60


class Reader:
    def __init__(self, path):
        _, address, port = path.split(":")
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.settimeout(PATIENCE)
        self.peer = (address, int(port))

    def exchange(self, payload):
        frame = bytes([len(payload) + 1]) + payload
        self.socket.sendto(("212F " + frame.hex()).encode(), self.peer)
        answer = self.socket.recv(1024).split()[1]
        return bytes.fromhex(answer.decode())[1:]


def main():
    reader = Reader(sys.argv[1] if len(sys.argv) > 1 else os.environ["TAPSIM_NFCPY"])
    idm = reader.exchange(bytes.fromhex("0000030000"))[1:9]
    trips = []
    for first, count in ((0, 12), (12, 8)):
        blocks = b"".join(bytes([0x80, number]) for number in range(first, first + count))
        answer = reader.exchange(b"\x06" + idm + b"\x01\x0f\x09" + bytes([count]) + blocks)
        data = answer[12:]
        trips += [data[offset:offset + 16] for offset in range(0, len(data), 16)]
    trips = [trip for trip in trips if trip[0]]
    json.dump({"idm": idm.hex().upper(), "trips": len(trips), "balance": trips[0][10] | trips[0][11] << 8}, sys.stdout)
    print()


main()
