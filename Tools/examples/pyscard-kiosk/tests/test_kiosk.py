"""Tests of the kiosk with virtual cards: `pytest` in the folder above."""
import pytest

import kiosk

pytestmark = pytest.mark.tapsim(model="rc-s380")


@pytest.mark.card("suica", balance=3120, trips=20)
def test_tells_the_balance(card):
    assert kiosk.read_card()["balance"] == 3120
    card.verify(counts={"felica.read": 1}, never=["felica.write"])


@pytest.mark.card("icoca", balance=90)
def test_reads_cards_of_other_companies(card):
    assert kiosk.read_card()["balance"] == 90


@pytest.mark.card("suica")
def test_asks_for_a_card(card):
    card.remove()
    with pytest.raises(kiosk.CardError, match="touch your card"):
        kiosk.read_card()


@pytest.mark.card("edy")
def test_refuses_a_card_without_a_history(card):
    with pytest.raises(kiosk.CardError, match="again"):
        kiosk.read_card()


@pytest.mark.card("suica")
def test_says_that_the_reader_is_gone(card):
    card.unplug()
    with pytest.raises(kiosk.CardError, match="not plugged in"):
        kiosk.read_card()
