"""A suite as a user would write it for a card reader: unmodified pyscard and the fixture `card`."""
import threading

import pytest
from smartcard.CardRequest import CardRequest
from smartcard.Exceptions import NoCardException
from smartcard.System import readers
from smartcard.util import toBytes, toHexString


def transmit(connection, command):
    data, sw1, sw2 = connection.transmit(toBytes(command))
    return toHexString(data, 1), "%02X%02X" % (sw1, sw2)


def connect():
    connection = readers()[0].createConnection()
    connection.connect()
    return connection


def read_uid():
    return transmit(connect(), "FF CA 00 00 00")


@pytest.mark.card("suica", idm="01010A1020304050", balance=3120, trips=20)
def test_pcsc_reads_the_idm_of_a_felica_card(card):
    assert read_uid() == ("01010A1020304050", "9000")
    status = card.status()
    assert status["transports"][0]["used"]
    assert len(status["readers"]) == 1


@pytest.mark.card("ndef", uid="04112233445566")
def test_pcsc_reads_another_card_in_the_next_test_of_the_process(card):
    connection = connect()
    assert transmit(connection, "FF CA 00 00 00") == ("04112233445566", "9000")
    assert transmit(connection, "FF B0 00 04 04")[1] == "9000"
    card.verify(counts={"ntag.read": "1.."}, never=["ntag.write"], cards={"ndef": "unchanged"})
    assert any(exchange["command"]["hex"].startswith("30") for exchange in card.journal())


@pytest.mark.card("ndef")
def test_a_card_arrives_and_leaves(card):
    card.remove()
    with pytest.raises(NoCardException):
        connect()
    card.tap()
    assert read_uid()[1] == "9000"
    card.unplug()
    assert readers() == []
    card.plug()
    assert len(readers()) == 1


@pytest.mark.card("suica")
@pytest.mark.card("ndef", uid="04112233445566")
def test_a_waiting_program_notices_a_new_card(card):
    card.remove()
    tap = threading.Timer(0.1, lambda: card.tap("ndef"))
    tap.start()
    service = CardRequest(timeout=60).waitforcard()
    tap.join()
    service.connection.connect()
    assert transmit(service.connection, "FF CA 00 00 00") == ("04112233445566", "9000")


@pytest.mark.card("blank")
def test_a_card_can_be_reset(card):
    def page_8():
        return transmit(connect(), "FF B0 00 08 04")[0]

    assert page_8() == "00000000"
    card.set(pages={8: "01020304"})
    assert page_8() == "01020304"
    card.reset()
    # The reader has found the card again, but nothing was read from it.
    card.verify(never=["ntag.read"])
    assert page_8() == "00000000"
    card.verify(counts={"ntag.read": "1.."})


@pytest.mark.card("ndef")
@pytest.mark.tapsim(seed=7, model="acr122u")
def test_the_model_and_the_seed_are_chosen(card):
    assert card.seed == 7
    assert "ACR122U" in str(readers()[0])


@pytest.mark.xfail(strict=True, reason="what verify is for")
@pytest.mark.card("ndef")
def test_a_missing_write_fails_the_test(card):
    read_uid()
    card.verify(counts={"ntag.write": 1})
