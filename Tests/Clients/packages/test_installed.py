"""A test as a user of the wheel would write it, with a client that needs only Python."""
import json
import pathlib
import subprocess
import sys

import pytest

CLIENT = pathlib.Path(__file__).with_name("udp_felica.py")
if not CLIENT.exists():
    CLIENT = pathlib.Path(__file__).parents[1] / "udp_felica.py"


@pytest.mark.tapsim(transport="nfcpy")
@pytest.mark.card("suica", balance=3120, trips=20)
def test_balance(card):
    client = subprocess.run([sys.executable, str(CLIENT)], stdout=subprocess.PIPE, timeout=60, check=True)
    assert json.loads(client.stdout)["balance"] == 3120
    card.verify(counts={"felica.read": 2}, never=["felica.write"])
