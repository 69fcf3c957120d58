#!/usr/bin/env python3
"""Tests the index of a run in a real headless Chromium.

    test_index.py [--tapsim PATH] [--shots FOLDER] [unittest options]

Has the same requirements as test_page.py. The pages are built from samples and opened from disk; with --tapsim, also an index
written by `run` of that command.
"""

import subprocess
import unittest

from selenium.webdriver.support.ui import WebDriverWait

import browser

HOSTILE = "</script><script>document.title = 'broken'</script><b>\u202e\x1b[31m"


def case(number, **rest):
    return {"scenario": "kiosk", "title": "A kiosk reads the balance", "file": "kiosk.yaml", "seed": 1, "number": number, **rest}


def kiosk():
    return {"v": 1, "tapsim": "1.0", "cases": [
        case(1, name="one customer", passed=True, page="kiosk-1/trace.html", card_time=41_400_000, stdout="balance 3120\ndone\n", again="tapsim run"),
        case(2, name="pulls the card away", passed=False, page="kiosk-2/trace.html", card_time=12_000_000, more=3,
             failures=["expect.result /balance   expected 3120, got nothing"], stderr="Traceback\n", again="tapsim run kiosk.yaml --case 2"),
        case(3, name="later", failures=[], more=0)]}


def hostile():
    return {"v": 1, "tapsim": HOSTILE, "cases": [
        {"scenario": HOSTILE, "title": HOSTILE, "file": HOSTILE, "seed": HOSTILE, "number": HOSTILE, "name": HOSTILE, "passed": False,
         "page": "//example.com/x", "failures": [HOSTILE, None, 3], "more": HOSTILE, "stdout": HOSTILE, "stderr": {}, "again": HOSTILE}, None, 3]}


class IndexCase(browser.PageCase):
    page, samples = "index", {"kiosk": kiosk, "hostile": hostile}


class Index(IndexCase):
    def test_every_case_has_verdict_title_output_and_page(self):
        self.open("kiosk")
        self.shot("first")
        self.assertEqual(self.text("h1"), "1 of 2 passed.")
        self.assertIn("1 case was skipped.", self.text(".verdict"))
        self.assertEqual([mark.get_attribute("aria-label") for mark in self.all(".case h2 .mark")], ["Passed", "Failed", "Skipped"])
        self.assertEqual([link.get_attribute("href").rsplit("/", 2)[1:] for link in self.all(".case a")],
                         [["kiosk-1", "trace.html"], ["kiosk-2", "trace.html"]])
        passed, failed, skipped = self.all(".case")
        for text in ("kiosk: one customer", "A kiosk reads the balance", "kiosk.yaml", "41 ms card time"):
            self.assertIn(text, passed.text)
        self.assertNotIn("balance 3120", passed.text, "the output of a passed case is folded")
        passed.find_element("css selector", "summary").click()
        self.assertIn("balance 3120\ndone", passed.text)
        for text in ("expected 3120, got nothing", "3 more", "Traceback", "tapsim run kiosk.yaml --case 2"):
            self.assertIn(text, failed.text)
        self.assertNotIn("No page", skipped.text)

    def test_it_fits_and_can_be_read_in_light_and_dark(self):
        for name in ("kiosk", "hostile"):
            for scheme, width in (("light", 1280), ("dark", 420)):
                self.open(name, width=width)
                self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
                with self.subTest(page=name, scheme=scheme):
                    self.shot(scheme)
                    self.assert_fits()
                    self.assertEqual(self.poor_contrast(), [])

    def test_no_text_is_obeyed(self):
        self.open("hostile")
        self.assertIn("Failed", self.browser.title)
        self.assertEqual(self.unseen_characters(), [])
        self.assertEqual(self.all(".case a"), [], "no address outside the folder")
        self.assertEqual(self.all("#app b"), [])

    def test_no_text_of_one_language_remains_in_the_other(self):
        self.assertGreater(browser.check_words(self, "index"), 25)
        self.open("kiosk")
        self.find("#language").click()
        self.assertEqual(self.text("h1"), "2 件中 1 件が成功しました。")


SCENARIO = """
format: 1
scenario: kiosk
cards: {suica: {template: suica, balance: 3120}}
client: {builtin: transit-history}
cases: [{name: whole}, {name: wrong, expect: {result: {/balance: 1}}}]
"""


class RealIndex(IndexCase):
    """The index that tapsim writes for a run."""

    @classmethod
    def setUpClass(cls):
        if browser.TAPSIM is None:
            raise unittest.SkipTest("needs --tapsim")
        super().setUpClass()
        place = cls.folder / "index"
        place.mkdir()
        (place / "file.yaml").write_text(SCENARIO, encoding="utf-8")
        run = subprocess.run([browser.TAPSIM, "run", "file.yaml"], cwd=place, capture_output=True, text=True)
        assert run.returncode == 1, run.stdout + run.stderr
        cls.pages["real"] = next(place.glob(".tapsim/runs/*/index.html"))

    def test_each_link_opens_the_page_of_its_case(self):
        for number, verdict in enumerate(("Passed", "Failed")):
            self.open("real")
            self.shot("real")
            self.all(".case a")[number].click()
            WebDriverWait(self.browser, 10).until(lambda browser: "trace.html" in browser.current_url)
            self.assertIn(verdict, self.text(".badge"))


if __name__ == "__main__":
    browser.main()
