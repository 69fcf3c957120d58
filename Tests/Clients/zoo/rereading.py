"""Retries for the clients of the zoo: a few attempts, each with its own context and connection, and for the correct
client a second reading that must agree."""
import json
import sys

from pcsc_light import Card, Context, PCSCError

ATTEMPTS, PATIENCE = 3, 100


class Unreadable(Exception):
    """An error of a card or a reader."""


def attempt(context, read, known, mistake):
    """Reads a card once, and again in the correct client."""
    reader = context.reader()
    context.wait_for_card(reader, PATIENCE)
    card = Card(context, reader)
    try:
        found = read(card, known, mistake)
        if mistake == "correct" and read(card, known, mistake) != found:
            raise Unreadable("two readings of the card differ")
        return found
    finally:
        card.close()


def main(read):
    """Reads the card whose IDm or UID is the second argument, with the mistake in the first, and prints it as JSON."""
    mistake, known = sys.argv[1], bytes.fromhex(sys.argv[2])
    problem = None
    for _ in range(ATTEMPTS):
        try:
            context = Context()
        except PCSCError as error:
            problem = error
            continue
        try:
            found = attempt(context, read, known, mistake)
            break
        except (PCSCError, Unreadable) as error:
            problem = error
        finally:
            context.release()
    else:
        sys.exit(str(problem))
    print(json.dumps(found))
