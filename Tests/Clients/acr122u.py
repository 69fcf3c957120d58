"""An ACS ACR122U with its PC/SC driver: commands go to its PN532 by direct transmit."""
import sys

from card_reader import connect, send

TYPE_A_106, FELICA_212 = 0x00, 0x01
IN_COMMUNICATE_THRU, IN_LIST_PASSIVE_TARGET = 0x42, 0x4A


class ACR122U:
    def __init__(self, name="ACR122"):
        self.connection = connect(name)

    def firmware(self):
        """The name and version, which have no status word: pyscard treats the last two characters as one."""
        data, sw1, sw2 = self.connection.transmit([0xFF, 0x00, 0x48, 0x00, 0x00])
        return bytes(data + [sw1, sw2]).decode("ascii")

    def pn532(self, command, data):
        frame = bytes([0xD4, command]) + data
        answer = send(self.connection, bytes([0xFF, 0x00, 0x00, 0x00, len(frame)]) + frame)
        if answer[:2] != bytes([0xD5, command + 1]):
            sys.exit("the PN532 answers %s" % answer.hex().upper())
        return answer[2:]

    def find(self, kind, data=b""):
        """Selects a card and returns its target data, or None if there is no card."""
        answer = self.pn532(IN_LIST_PASSIVE_TARGET, bytes([1, kind]) + data)
        return answer[2:] if answer[0] else None

    def exchange(self, frame):
        """Sends a frame to the card and returns the answer, or None without a complete answer."""
        answer = self.pn532(IN_COMMUNICATE_THRU, frame)
        return answer[1:] if answer[0] == 0 else None
