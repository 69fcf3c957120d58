"""What clients of the zoo do around a reading: a few attempts, each with a context and a connection of its own, and for who is
correct a second reading that has to agree."""
import json
import sys

from pcsc_light import Card, Context, PCSCError

ATTEMPTS, PATIENCE = 3, 100


class Unreadable(Exception):
    """What is wrong with a card or a reader."""


def attempt(context, read, known, mistake):
    """Reads a card once, and again if it matters."""
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
    """Reads the card whose number is the second argument, with the mistake that is the first, and prints it as JSON."""
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
