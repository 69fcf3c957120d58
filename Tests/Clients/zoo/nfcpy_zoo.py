"""Reads the NDEF message of a tag with nfcpy and prints it as JSON; correct, or with one mistake.

usage: nfcpy_zoo.py MISTAKE UID
  MISTAKE  `correct`, or a name after MISTAKE in a comment
  UID      the UID of the tag to read

With a mistake the client reads once; the correct client reads until two readings agree.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import nfc.clf
from nfcpy_frontend import open_frontend

ATTEMPTS = 3


class Unreadable(Exception):
    """An error of a tag or a reader."""


def activate(frontend, known):
    target = frontend.sense(nfc.clf.RemoteTarget("106A"))
    if target is None:
        raise Unreadable("no tag lies on the reader")
    tag = nfc.tag.activate(frontend, target)
    if tag is None:
        raise Unreadable("the tag is of no type that can be read")
    if bytes(tag.identifier) != known:
        raise Unreadable("another tag lies on the reader")
    return tag


def read(frontend, known, mistake):
    """Reads a tag once."""
    tag = activate(frontend, known)
    message = tag.ndef
    if message is None:
        # MISTAKE none-is-empty: a tag that could not be read has no message.
        if mistake == "none-is-empty":
            return {"uid": known.hex().upper(), "records": []}
        raise Unreadable("the tag holds no message that can be read")
    # MISTAKE first-record: there is always one.
    if mistake == "first-record":
        return {"uid": known.hex().upper(), "records": [message.records[0].uri]}
    contents = [getattr(record, "uri", None) or bytes(record.data).hex() for record in message.records]
    return {"uid": known.hex().upper(), "records": contents}


def attempt(known, mistake):
    with open_frontend() as frontend:
        found = read(frontend, known, mistake)
        # Activation reads the message, so the tag must be activated again.
        if mistake == "correct" and read(frontend, known, mistake) != found:
            raise Unreadable("two readings of the tag differ")
        return found


def main(mistake, known):
    problem = None
    for _ in range(ATTEMPTS if mistake == "correct" else 1):
        try:
            print(json.dumps(attempt(known, mistake)))
            return
        except Exception as error:
            # nfcpy and ndeflib raise many kinds of errors; the correct client reports them.
            if mistake == "first-record" and isinstance(error, IndexError):
                raise
            problem = error
    # MISTAKE hides-errors: whatever it was, a person is shown an empty list.
    if mistake == "hides-errors":
        print(json.dumps({"uid": known.hex().upper(), "records": []}))
        return
    sys.exit("%s" % problem)


main(sys.argv[1], bytes.fromhex(sys.argv[2]))
