"""Prints the UID of the card in the first reader with py122u, or says what is wrong."""
import sys

from py122u import error, nfc

try:
    reader = nfc.Reader()
    reader.connect()
    print(bytes(reader.get_uid()).hex())
except error.Error as failure:
    sys.exit(f"error: {failure}")
