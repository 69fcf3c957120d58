#!/usr/bin/env python3
"""Sends commands to a FeliCa card over nfcpy's UDP protocol with an extra byte at the end, whatever the result.

usage: trailing_bytes.py [PATH]      udp:ADDRESS:PORT; default: $TAPSIM_NFCPY
"""
import os
import socket
import sys

# Seconds. Polling waits for a required answer; the others for an optional answer, whose time is in the trace.
PATIENCE = 60
GLANCE = 0.05


class Reader:
    def __init__(self, path):
        _, address, port = path.split(":")
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.peer = (address, int(port))

    def exchange(self, payload, patience):
        frame = bytes([len(payload) + 1]) + payload
        self.socket.settimeout(patience)
        self.socket.sendto(("212F " + frame.hex()).encode(), self.peer)
        try:
            return bytes.fromhex(self.socket.recv(1024).split()[1].decode())[1:]
        except TimeoutError:
            return None


def main():
    reader = Reader(sys.argv[1] if len(sys.argv) > 1 else os.environ["TAPSIM_NFCPY"])
    polling = bytes.fromhex("0000030000")
    idm = reader.exchange(polling, PATIENCE)[1:9]
    for command in (
        b"\x02" + idm + b"\x01\x0f\x09",
        b"\x04" + idm,
        b"\x06" + idm + b"\x01\x0f\x09\x01\x80\x00",
        polling,
    ):
        reader.exchange(command + b"\x00", GLANCE)


main()
