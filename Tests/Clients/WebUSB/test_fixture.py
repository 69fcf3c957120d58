"""A suite as a user would write it for a WebUSB page: the unmodified page and the fixture `webusb_page`."""
import pytest
from selenium.webdriver.support.ui import WebDriverWait

import page

ORIGIN = page.serve()
LIMIT = 60

pytestmark = [pytest.mark.webusb(ORIGIN), pytest.mark.card("suica", idm="01010A1020304050", balance=3120, trips=20)]


def message(browser):
    """Clicks and returns the final text of the page."""
    browser.find_element("id", "read").click()
    WebDriverWait(browser, LIMIT).until(lambda _: browser.find_element("tag name", "body").get_attribute("data-state") in page.ENDS)
    return browser.find_element("id", "message").text


@pytest.mark.tapsim(transport="usb", model="rc-s380")
def test_the_page_shows_the_card_or_reports_a_missing_card(card, webusb_page):
    webusb_page.get(ORIGIN + "/rcs380.html")
    assert message(webusb_page) == "The card was read."
    assert webusb_page.find_element("id", "idm").text == "01010A1020304050"
    assert webusb_page.find_element("id", "balance").text == "3120"
    card.verify(counts={"felica.read": 10}, never=["felica.write"])
    card.remove()
    assert message(webusb_page).startswith("No card answers.")
    card.tap()
    assert message(webusb_page) == "The card was read."


@pytest.mark.tapsim(transport="usb", model="rc-s300")
def test_the_page_shows_when_the_reader_leaves_and_returns(card, webusb_page):
    def events(count):
        WebDriverWait(webusb_page, LIMIT).until(lambda _: len(webusb_page.find_elements("css selector", "#events li")) == count)
        return webusb_page.find_element("id", "events").text

    webusb_page.get(ORIGIN + "/rcs300.html")
    card.unplug()
    assert events(1).endswith("was unplugged.")
    assert message(webusb_page) == "No reader was chosen."
    card.plug()
    assert events(2).endswith("was plugged in.")
    assert message(webusb_page) == "The card was read."


@pytest.mark.tapsim(transport="usb", model="rc-s380")
def test_the_next_test_has_its_own_browser_and_reader(webusb_page):
    webusb_page.get(ORIGIN + "/rcs380.html")
    assert message(webusb_page) == "The card was read."
