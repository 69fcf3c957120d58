import os

import pytest
from selenium.webdriver.support.ui import WebDriverWait

ORIGIN = os.environ.get("ORIGIN", "http://localhost:8765")    # where the page is served
pytestmark = [
    pytest.mark.card("suica", idm="01010A1020304050"),
    pytest.mark.tapsim(transport="usb", model="rc-s380"),
    pytest.mark.webusb(ORIGIN),
]


def shown(page):
    page.find_element("id", "read").click()
    return WebDriverWait(page, 10).until(lambda page: page.find_element("id", "idm").text)


def test_the_idm_is_shown(webusb_page):
    webusb_page.get(ORIGIN + "/idm.html")
    assert shown(webusb_page) == "01010a1020304050"


def test_reports_no_card(card, webusb_page):
    card.remove()
    webusb_page.get(ORIGIN + "/idm.html")
    assert shown(webusb_page) == "no card"
