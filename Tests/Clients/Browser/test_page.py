#!/usr/bin/env python3
"""Tests the page of a run in a real headless Chromium.

    test_page.py [--tapsim PATH] [--shots FOLDER] [unittest options]

Requires the Debian packages chromium and chromium-driver, and selenium. The pages are built from the sample runs of
samples.py and opened from disk; with --tapsim, also pages that this command writes for its runs. With --shots, a screenshot of
each panel is saved in FOLDER.
"""

import base64
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

import browser
import samples

ROW_LIMIT = 90          # rows of the list in the document, however many the run has
PAGE_LIMIT = 2 << 20    # bytes of a page of 10,000 exchanges


class RunPageCase(browser.PageCase):
    samples = samples.SAMPLES

    def tab(self, name):
        self.find(f"#tab-{name}").click()
        self.assertEqual(self.find("#panel").get_attribute("aria-labelledby"), f"tab-{name}")
        self.shot(name)
        return self.text("#panel")

    def selected(self):
        return " ".join(self.text("#rows [aria-selected=true]").split())


class TakenAway(RunPageCase):
    """A card is removed while the reader reads, as seen by a non-programmer."""

    def test_the_verdict_comes_first_and_its_position_is_selected(self):
        self.open("suica")
        self.shot("first")
        self.assertIn("Failed", self.text(".badge"))
        self.assertEqual(self.text("h1"), "The card was taken away 3.1 ms after the reader began to read, before the card had answered.")
        self.assertEqual(self.text(".then"), "It did not come back. The program then ended with exit code 1.")
        self.assertIn("In the result, /trips/length should be 20, but it was 0.", " ".join(self.text(".unmet").split()))
        self.assertIn("4 32.6 Read 090F blocks 12..19 no answer", self.selected())
        self.assertEqual(self.browser.title, "Failed: the card is taken away too early \u2013 TapSim")
        self.assert_fits()

    def test_the_list_has_exchanges_marks_and_the_events_between(self):
        self.open("suica")
        rows = self.lines("#spacer .row")
        self.assertEqual(len(rows), 16)
        self.assertIn("\u25cf Field on", rows[0])
        self.assertIn("suica comes before the reader", rows[1])
        self.assertIn("OUT waiting for a card", rows[2])
        self.assertTrue(any(row.startswith("F 35.7 The card is taken away.") for row in rows), rows)
        self.assertTrue(any("ERR read failed" in row for row in rows), rows)
        failing = self.find("#rows [aria-selected=true]")
        self.assertEqual([mark.get_attribute("aria-label") for mark in failing.find_elements(By.CSS_SELECTOR, ".mark")], ["failure", "fault"])

    def test_calls_are_folded_in(self):
        self.open("suica")
        self.assertEqual(self.all("#spacer .call"), [])
        self.press(Keys.ARROW_RIGHT)
        self.assertEqual(self.lines("#spacer .call .wide"), ["APDU Read 090F, 8 blocks FF B0 09 0F 08"])
        self.press(Keys.ARROW_LEFT)
        self.assertEqual(self.all("#spacer .call"), [])
        self.press("c")
        calls = self.lines("#spacer .call .wide")
        self.assertEqual(len(calls), 5)
        self.assertEqual(calls[0], "APDU Polling for system 0003 FF A2 00 00 06 06 00 00 03 01 00 \u2192 01 01 01 01 01 01 01 01 90 00")
        self.assertEqual(self.find("#show-calls").get_attribute("aria-pressed"), "true")

    def test_bytes_have_fields_with_meanings(self):
        self.open("suica")
        panel = self.tab("exchange")
        for words in ("Exchange 4", "The reader sends", "30 bytes", "service code", "090F", "usage history", "Nobody answers", "without power",
                      "The program asked for this", "FF B0 09 0F 08"):
            self.assertIn(words, panel)
        field = self.find(".seg[data-key=e]")
        self.assertEqual(field.text.replace("\n", " "), "0F 09")
        ActionChains(self.browser).move_to_element(field).perform()
        self.assertEqual(self.text("#tip"), "service code  \u00b7  090F  \u00b7  usage history".replace("  ", " "))
        self.assertIn("lit", self.find(".fields tr[data-group='4']").get_attribute("class"))

    def test_several_fields_of_one_byte_share_its_letter(self):
        self.open("suica", "#2")
        self.assertIn("Read 008B block 0", self.selected())
        self.press("j")
        self.press("j")
        self.assertEqual(self.browser.execute_script("return location.hash"), "#3")
        self.press("k")
        self.press("k")
        rows = self.lines(".frame:nth-of-type(2) .fields tbody tr")
        self.assertIn("g 21 card type 2 adult", rows)
        self.assertIn("region 0 Kanto", rows)

    def test_the_time_bar_shows_field_cards_exchanges_faults_and_deadlines(self):
        self.open("suica")
        self.assertEqual([item.text for item in self.all("#time .lane")], ["field", "suica", "exchanges", "faults"])
        for part in (".lane-field", ".lane-card", ".lane-exchange", ".lane-silent", ".fault-mark", ".fail-mark", ".deadline"):
            self.assertTrue(self.all("#time " + part), part)
        bar = self.find("#time svg")
        ActionChains(self.browser).move_to_element_with_offset(bar, 100 - bar.size["width"] // 2, 0).click().perform()
        self.assertIn("1 0.0 Polling 0003", self.selected())

    def test_the_scenario_has_its_lines_marked(self):
        self.open("suica")
        self.tab("scenario")
        self.assertEqual(self.lines(".source-line.is-bad .num"), ["15", "18"])
        self.assertEqual(self.lines(".source-line.is-fault .num"), ["25"])
        self.assertEqual(self.lines(".source-line.is-here .num"), ["24", "25"])
        self.assertEqual(self.lines(".source-line.is-case .num"), ["22"])
        self.assertEqual(self.all("[data-line='18'] .mark")[0].text, "\u2715")

    def test_output_up_to_the_moment(self):
        self.open("suica")
        self.tab("output")
        self.assertEqual(self.lines(".output > .out-line code"), ["waiting for a card", f"IDm {samples.IDM}", "balance 3120 yen"])
        self.assertEqual(self.lines(".after .out-line code")[:2], ["read failed: 6F 00", "trips 0"])
        self.press(Keys.END)
        self.find("#rows").send_keys(Keys.END)
        self.assertEqual(self.lines(".after .out-line code"), [])

    def test_expectations_with_the_nearest_exchange(self):
        self.open("suica")
        self.find("#more-failures").click()
        panel = self.tab("expect")
        for words in ("expect.result", "Scenarios/felica/suica-history.yaml:18", "expected\n20", "got\n0", "exit 1", "rf.lose_tag",
                      "The card is taken away.", "the client never asked for the key versions", "the client ended with exit code 1"):
            self.assertIn(words, panel)
        self.find("#rows").send_keys(Keys.HOME)
        self.find(".failure .link").click()
        self.assertIn("Read 090F blocks 12..19", self.selected())
        self.assertIn("Exchange 4", self.text("#panel"))

    def test_the_history_is_a_table(self):
        self.open("suica")
        panel = self.tab("memory")
        for words in ("FeliCa, RC-S962", "unchanged", "System 0003", "System FE00", "System 8BDC", "No services.", "usage history", "cyclic, read only, no key", "20 blocks"):
            self.assertIn(words, panel)
        history = ".service:nth-of-type(2) "
        self.assertEqual(self.lines(history + "th")[2:], ["terminal", "process", "date", "from", "to", "balance", "number", "region"])
        self.assertEqual(len(self.all(history + "tbody tr")), 20)
        self.assertEqual(self.lines(history + "tbody tr")[0], "0 fare gate 16h fare 2026-11-18 001-230 001-204 3120 yen 298 0 Kanto")

    def test_the_command_is_copied(self):
        self.open("suica")
        self.assertEqual(self.text("#reproduce"), "tapsim run Scenarios/felica/suica-history.yaml --case 2 --seed 1")
        self.find("#copy").click()
        WebDriverWait(self.browser, 5).until(lambda _: self.text("#copy") == "Copied")
        self.assertEqual(self.browser.execute_script("return document.getElementById('said').textContent"), "Copied")


class Keyboard(RunPageCase):
    def test_rows_faults_failures_and_panels(self):
        self.open("long")
        self.press("j")
        self.assertIn("The answer does not arrive.", self.selected())
        self.press("j", "j", "k")
        self.assertIn("9501 ", self.selected())
        self.press("f")
        self.assertIn("12000 ", self.selected())
        self.press("f")
        self.assertIn("2500 ", self.selected())
        ActionChains(self.browser).key_down(Keys.SHIFT).send_keys("f").key_up(Keys.SHIFT).perform()
        self.assertIn("12000 ", self.selected())
        self.press("e")
        self.assertIn("9500 ", self.selected())
        for key, name in zip("12345", ("exchange", "scenario", "output", "expect", "memory")):
            self.press(key)
            self.assertEqual(self.find(f"#tab-{name}").get_attribute("aria-selected"), "true")

    def test_search_finds_words_numbers_and_bytes(self):
        self.open("long")
        self.press("/")
        self.assertEqual(self.browser.switch_to.active_element.get_attribute("id"), "search")
        self.press("page 2a")
        self.assertEqual(self.text("#count"), "77 of 10,007")
        self.press(Keys.ENTER)
        self.assertIn("READ page 2A", self.selected())
        self.look_for("30 2a")
        self.assertIn(" of 10,007", self.text("#count"))
        self.look_for("1234")
        self.assertTrue(any(" 1233.7" in row or row.startswith("1234 ") for row in self.lines("#spacer .row")), self.lines("#spacer .row"))
        self.look_for("no such thing")
        self.assertEqual(self.text("#none"), "Nothing matches.")
        self.press(Keys.ESCAPE)
        self.assertEqual(self.text("#count"), "10,007 rows")

    def look_for(self, words):
        self.find("#rows").click()
        self.press("/", words)

    def test_only_marked_and_help(self):
        self.open("long")
        self.find("#show-marked").click()
        self.assertEqual(self.text("#count"), "8 of 10,007")
        self.press("?")
        self.assertIn("next fault", self.text("#help"))
        self.shot("help")
        self.press(Keys.ESCAPE)
        WebDriverWait(self.browser, 5).until(lambda _: not self.all("#help"))

    def test_tabs_move_with_arrows_and_have_roles(self):
        self.open("suica")
        self.find("#tab-exchange").send_keys(Keys.ARROW_RIGHT)
        self.assertEqual(self.browser.switch_to.active_element.get_attribute("id"), "tab-scenario")
        for role in ("listbox", "tablist", "tabpanel", "tooltip", "status", "option"):
            self.assertTrue(self.all(f"[role={role}]"), role)
        nameless = self.browser.execute_script(
            "return [...document.querySelectorAll('button, input, [role=img]')].filter(e => !(e.innerText || e.getAttribute('aria-label') || '').trim()).length")
        self.assertEqual(nameless, 0)
        active = self.find("#rows").get_attribute("aria-activedescendant")
        self.assertEqual(self.find("#" + active).get_attribute("aria-selected"), "true")
        self.press(Keys.TAB)
        outline = self.browser.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
        self.assertEqual(outline, "solid", "the focus must be seen")


class Long(RunPageCase):
    def test_ten_thousand_exchanges_are_few_elements(self):
        self.assertLess(self.pages["long"].stat().st_size, PAGE_LIMIT)
        self.open("long")
        self.shot("first")
        count = "return document.getElementById('spacer').children.length"
        self.assertLess(self.browser.execute_script(count), ROW_LIMIT)
        self.assertLess(self.browser.execute_script("return document.querySelectorAll('#time *').length"), 200)
        self.assertLess(self.browser.execute_script("return document.querySelectorAll('*').length"), 1200)
        rows = self.find("#rows")
        for part in (0, 0.31, 0.77, 1):
            self.browser.execute_script("arguments[0].scrollTop = arguments[0].scrollHeight * arguments[1]", rows, part)
            WebDriverWait(self.browser, 5).until(lambda _: self.browser.execute_script("""
                const r = document.getElementById('rows').getBoundingClientRect();
                const e = document.elementFromPoint(r.left + 60, r.top + r.height / 2);
                return e && e.closest('#spacer .row') !== null"""))
            self.assertLess(self.browser.execute_script(count), ROW_LIMIT)
        self.find("#rows").click()
        self.press("/", "7001", Keys.ENTER, "/", Keys.ESCAPE)
        rows = self.lines("#spacer .row")
        at = next(index for index, row in enumerate(rows) if "Exchanges 5001 to 7000 are not on this page" in row)
        self.assertIn("3 calls not kept", rows[at])
        self.assertIn(" 7001 ", " " + rows[at + 1])


class Readers(RunPageCase):
    def test_a_refused_command_suggests_a_fix(self):
        self.open("refused")
        self.shot("first")
        self.assertEqual(self.text("h1"), "The reader refused a command of the program: Select a card type (SLE, ACR38).")
        self.assertIn("try --model acr122u", self.text(".then"))
        self.assertIn("R", self.selected())
        self.assertIn("FF A4 00 00 01 06", self.text("#panel"))
        self.assertIn("6A 81", self.text("#panel"))
        self.assertIn("ntag.read should be sent 1.. times, but it was 0.", " ".join(self.text(".unmet").split()))

    def test_the_memory_of_an_ntag(self):
        self.open("password")
        self.assertIn("The program crashed (signal 11).", self.text(".then"))
        panel = self.tab("memory")
        for words in ("NTAG215", "UID 04 A1 B2 C3 D4 E5 80", "protected from page 4 on (AUTH0)", "counter 0 \u2192 1", "https://example.com/42",
                      "https://example.com/44", "7 changes", "capability container", "dynamic lock bytes"):
            self.assertIn(words, panel)
        self.assertEqual(len(self.all(".cell")), 135)
        letters = [cell.text for cell in self.all(".cell")[:10]]
        self.assertEqual(letters, ["L", "L", "\u0394", "\u00b7", "\u0394LP", "\u0394LP", "\u0394LP", "\u0394LP", "P", "\u0394P"])
        self.assertEqual(self.lines("[data-page='9'] del, [data-page='9'] ins"), ["32", "34"])
        self.find("#only-changes").click()
        self.assertEqual(len(self.all("[data-page]")), 7)

    def test_a_program_that_is_wrong_without_faults(self):
        self.open("program")
        self.assertEqual(self.text("h1"), "In the result, /balance should be 3120, but it was 12300.")
        self.assertIn("Card and reader did nothing unusual.", self.text(".then"))
        self.assertEqual(self.all(".unmet"), [], "the headline says it")
        self.assertEqual(self.all("#go"), [], "no exchange is to blame")
        self.assertEqual(self.find("#tab-expect").get_attribute("aria-selected"), "true")

    def test_a_failed_search_is_not_blamed_if_a_later_one_succeeds(self):
        self.open("model")
        self.assertEqual(self.text("h1"), "Expected: exit 0. What happened: exit 1: no RC-S380 found.")
        self.assertIn("Card and reader did nothing unusual.", self.text(".then"))
        self.assertEqual(self.all("#go"), [], "no exchange is to blame")

    def test_a_program_that_fails_before_it_reaches_a_reader(self):
        self.open("import")
        self.assertEqual(self.text("h1"), "Expected: exit 0. What happened: exit 1: ModuleNotFoundError: No module named 'nfc'.")
        self.assertIn("The program never sent a command to a card.", self.text(".then"))
        self.find("#more-failures").click()
        self.assertIn("the client to open a reader", self.text("#panel"))

    def test_differing_words_are_highlighted(self):
        self.open("lines")
        self.assertEqual(self.lines("h1 b"), ["3120", "312"])
        self.assertIn("balance 3120 yen", self.text("h1"))
        self.assertLess(len(self.text("h1")), 300)
        self.tab("expect")
        self.assertEqual(self.lines(".failure b"), ["3120", "312"])

    def test_faults_and_cards_that_move_are_rows(self):
        self.open("injected")
        self.find("#show-events").click()
        rows = self.lines("#spacer .row")
        self.assertTrue(any("The answer does not arrive." in row for row in rows), rows)
        self.assertTrue(any("suica is taken away" in row for row in rows), rows)
        self.assertFalse(any("Field on" in row for row in rows), rows)

    def test_no_card_and_little_else(self):
        self.open("nocard")
        self.assertEqual(self.text("h1"), "The program asked for a card when none lay before the reader.")
        self.assertIn("APDU Get the UID FF CA 00 00 00 \u2192 no card", self.selected())
        self.assertIn("The program did nothing any more and was stopped.", self.text(".then"))
        self.assertIn("The scenario's text is not in this file.", self.tab("scenario"))
        self.assertIn("The program printed nothing.", self.tab("output"))
        self.assertIn("No memory of a card was kept.", self.tab("memory"))

    def test_the_text_of_an_exchange_without_errors(self):
        self.open("password")
        self.assertEqual(self.text("h1"), "At exchange 3 something else was expected; the card answered NAK 0  wrong password.".replace("  ", " "))

    def test_corrupted_and_short_frames(self):
        self.open("password", "#1")
        self.assertIn("7 bits", self.text("#panel"))
        self.press("j")
        self.assertIn("wrong CRC", self.text("#panel"))
        self.assertIn("D", self.selected())

    def test_a_block_that_changed(self):
        self.open("passed")
        self.shot("first")
        self.assertEqual(self.text("h1"), "Everything that was expected happened.")
        panel = self.tab("memory")
        self.assertIn("2 changes", panel)
        self.assertEqual(self.lines(".records del"), ["3120 yen", "3120 yen"])
        self.assertEqual(self.lines(".records ins"), ["2910 yen", "2910 yen"])
        self.assertIn("All expectations were met.", self.tab("expect"))


class SideBySide(RunPageCase):
    def test_the_first_difference_is_marked_and_selected(self):
        self.open("compare")
        self.shot("first")
        self.assertIn("The runs differ first at exchange 4.", self.text(".compared"))
        rows = self.lines("#spacer .row")
        self.assertEqual(len(rows), 5)
        self.assertEqual([re.search("[=\u2260]", row).group() for row in rows], ["=", "=", "=", "\u2260", "\u2260"])
        self.assertIn("no answer", self.selected())
        self.assertIn("8 blocks", self.selected())
        self.assertIn("only in A", rows[4])
        titles = self.lines(".half-title")
        self.assertIn("A this run", titles)
        self.assertIn("B other run", titles)
        self.press("k", "d")
        self.assertIn("\u2260", self.selected())
        self.tab("output")
        self.assertIn("B other run", " ".join(self.lines("#panel h3")))
        self.assert_fits()
        self.find("#compare").click()
        self.assertEqual(self.lines(".list-head span")[3:], ["reader sends", "card answers"])


class Hostile(RunPageCase):
    def test_nothing_in_the_data_is_interpreted(self):
        self.open("hostile")
        self.shot("first")
        for name in ("exchange", "scenario", "output", "expect", "memory"):
            self.tab(name)
        for card in self.all(".panel-head .toggle")[:2]:
            self.find(".panel-head .toggle:nth-child(2)").click()
        self.press("c")
        self.find("#rows").send_keys(Keys.HOME)
        for _ in range(32):
            self.press("j")
        self.press("/", "onerror")
        self.browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
        self.assertIsNone(self.browser.execute_script("return window.pwned ?? null"))
        self.assertEqual(self.all("#app img, #app script, #app iframe, #app a, #app [onerror], #app [onmouseover]"), [])
        self.assertEqual(len(self.all("script")), 2)
        self.assertEqual(self.unseen_characters(), [])
        text = self.browser.execute_script("return document.getElementById('app').textContent")
        for shown in ("\u2039U+202E\u203aevil", "\u2039ESC\u203a[31mred\u2039BEL\u203a", "\u2039U+200B\u203a", "<img src=x", "</script><script>"):
            self.assertIn(shown, text)

    def test_the_layout_is_stable(self):
        for width in (1280, 900):
            self.open("hostile", width=width)
            self.assertLessEqual(self.browser.execute_script("return document.documentElement.scrollWidth"), width)

    def test_a_truncated_page_reports_this(self):
        whole = self.pages["suica"].read_text("utf-8")
        for name, text, words in (
                ("cut", re.sub(r'(<script type="application/json" id="run">\n.{2000}).*?(\n</script>)', r"\1\2", whole, flags=re.S), "cannot be read"),
                ("newer", whole.replace('{"v":1,', '{"v":2,', 1), "format 2")):
            path = self.folder / f"{name}.html"
            path.write_text(text, encoding="utf-8")
            self.pages[name] = path
            self.open(name)
            self.assertIn(words, self.text("h1"))


class Looks(RunPageCase):
    def test_everything_fits_at_900_and_1280(self):
        for name in ("suica", "passed", "refused", "password", "long", "compare"):
            for width in (1280, 900):
                self.open(name, width=width)
                for tab in ("exchange", "scenario", "output", "expect", "memory"):
                    self.find(f"#tab-{tab}").click()
                    with self.subTest(page=name, width=width, tab=tab):
                        self.assert_fits()
                        self.shot(f"{width}-{tab}")

    def test_dark(self):
        self.open("suica")
        light = self.browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        dark = self.browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        self.assertNotEqual(light, dark)
        self.assertLess(sum(map(int, re.findall(r"\d+", dark)[:3])), 150)
        self.shot("dark")
        self.assertEqual(self.poor_contrast(), [])

    def test_text_can_be_read_in_light(self):
        self.open("suica")
        self.assertEqual(self.poor_contrast(), [])

    def test_print_opens_everything(self):
        self.open("suica")
        pdf = base64.b64decode(self.browser.print_page())
        self.assertTrue(pdf.startswith(b"%PDF"))
        if browser.SHOTS:
            (browser.SHOTS / "suica-print.pdf").write_bytes(pdf)
        self.assertEqual(self.all("#printed"), [], "the sheet is gone after printing")
        if shutil.which("pdftotext"):
            paper = subprocess.run(["pdftotext", "-layout", "-", "-"], input=pdf, capture_output=True, check=True).stdout.decode()
            for words in ("3.1 ms", "--case 2 --seed 1", "The program asked for this", "raise SystemExit(1)", "vending machine", "RC-SA00"):
                self.assertIn(words, paper)
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        WebDriverWait(self.browser, 5).until(lambda _: self.all("#printed"))
        sheet = self.text("#printed")
        for words in ("The program asked for this", "trips: 20", "raise SystemExit(1)", "expect.result", "vending machine", "Field on"):
            self.assertIn(words, sheet)
        command = self.find("#reproduce")
        self.assertLessEqual(*self.browser.execute_script("return [arguments[0].scrollWidth, arguments[0].clientWidth]", command))
        self.assertFalse(self.find(".bench").is_displayed())
        self.assertEqual(self.browser.execute_script("return getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})

    def test_the_language_button(self):
        self.open("suica")
        self.find("#language").click()
        self.assertEqual(self.browser.execute_script("return document.documentElement.lang"), "ja")
        self.assertEqual(self.text("h1"), "リーダーが読み取りを始めてから 3.1 ms 後、応答が届く前にカードが離されました。")
        self.assertIn("Read 090F blocks 12..19", self.selected())
        for name, words in (("exchange", "リーダーが送る"), ("scenario", "一致しなかった期待値"), ("output", "ここから後の出力"), ("expect", "最も近い通信"), ("memory", "システム 0003")):
            self.assertIn(words, self.tab(name))
        self.assertIn("カードが離れる rf.lose_tag(point=inside_answer)", " ".join(self.tab("exchange").split()))
        self.assertIn("rf.lose_tag カードが離れる", " ".join(self.tab("expect").split()))
        self.find("#language").click()
        self.assertEqual(self.text("#language"), "日本語")
        self.assertIn("rf.lose_tag The card is taken away.", " ".join(self.tab("expect").split()))


TAKEN = """
format: 1
scenario: taken-away
cards: {suica: {template: suica, balance: 3120, trips: 20}}
client: {builtin: transit-history}
faults: [{when: {command: felica.read, nth: 2}, do: rf.lose_tag}]
expect: {result: {/balance: 3120}}
"""

TAG = """
format: 1
scenario: tag
cards:
  tag: {ic: NTAG215, ndef: [{uri: "https://example.com/?a=</script><b>"}], config: {auth0: 8, pwd: 01 02 03 04}}
client: {builtin: dump}
expect: {client: {exit: 7}}
"""


PROGRAM = """\
format: 1
scenario: program
reader: acr122u
cards: {tag: {template: ndef}}
client:
  run:
    - PYTHON
    - -c
    - |
      import time
      from smartcard.System import readers
      connection = readers()[0].createConnection()
      connection.connect()
      print("first", flush=True)
      time.sleep(0.3)
      for command in ("FF B0 00 04 10", "FF A4 00 00 02 0F 09"):
          connection.transmit(list(bytes.fromhex(command)))
      print("last")
expect: {client: {exit: 7}}
"""


class RealRuns(RunPageCase):
    """Pages written by tapsim."""

    @classmethod
    def setUpClass(cls):
        if browser.TAPSIM is None:
            raise unittest.SkipTest("needs --tapsim")
        super().setUpClass()
        for name, text in (("taken-away", TAKEN), ("tag", TAG), ("program", PROGRAM)):
            folder = cls.folder / name
            folder.mkdir()
            (folder / "file.yaml").write_text(text.replace("PYTHON", sys.executable), encoding="utf-8")
            command = [browser.TAPSIM, "run", "file.yaml", "--allow-client"]
            run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            assert run.returncode == 1, run.stdout + run.stderr
            cls.pages[name] = next(folder.glob(".tapsim/runs/*/*/trace.html"))

    def test_a_removed_card_is_reported_first(self):
        self.open("taken-away")
        self.shot("real-taken-away")
        self.assertRegex(self.text("h1"), r"^The card was taken away .* before the card had answered\.$")
        panel = self.tab("exchange")
        self.assertIn("Exchange 4", panel)
        self.assertIn("A card leaves the field.", panel)
        self.assertIn("090F", self.tab("memory"))

    def test_a_program_shows_its_calls_and_its_output_up_to_then(self):
        self.open("program")
        rows = self.text("#rows")
        self.assertIn("FF A4 00 00 02 0F 09", rows)
        self.assertNotIn("SCardConnect", rows)
        self.press("c")
        rows = self.text("#rows")
        self.assertIn("SCardConnect", rows)
        self.assertIn("FF B0 00 04 10", rows)
        self.open("program", "#7")
        output = self.tab("output")
        self.assertLess(output.index("first"), output.index("later than what is selected"))
        self.assertLess(output.index("later than what is selected"), output.index("last"))

    def test_a_program_with_many_exchanges_that_never_repeats_itself_stays_small(self):
        # Even the shorter run would exceed this limit if everything were kept.
        count = 9_990 if "TAPSIM_LONG" in os.environ else 4_990
        folder = self.folder / "different"
        folder.mkdir()
        write = "connection.transmit([0xFF, 0xD6, 0, 8, 4, *i.to_bytes(4, 'big')]); connection.transmit([0xFF, 0xB0, 0, 8, 16])"
        loop = PROGRAM.replace("time.sleep(0.3)", f"for i in range({count // 2}): {write}")
        (folder / "file.yaml").write_text(loop.replace("PYTHON", sys.executable), encoding="utf-8")
        subprocess.run([browser.TAPSIM, "run", "file.yaml", "--allow-client"], cwd=folder, capture_output=True)
        page = next(folder.glob(".tapsim/runs/*/*/trace.html"))
        self.assertGreater((page.parent / "trace.jsonl").read_bytes().count(b'"kind":"frame"'), count)
        self.assertLess(page.stat().st_size, PAGE_LIMIT)
        self.pages["different"] = page
        self.open("different", f"#{count}")
        self.assertIn(f"Exchange {count}", self.tab("exchange"))
        self.assertIn("FF D6 00 08 04", self.tab("exchange"))

    def test_two_runs_are_shown_side_by_side(self):
        folder = self.folder / "program"
        kept = lambda: sorted(trace.parent for trace in folder.glob(".tapsim/runs/*/*/trace.jsonl"))
        runs = kept()
        again = [browser.TAPSIM, "run", "file.yaml", "--allow-client", "--seed", "9"]
        subprocess.run(again, cwd=folder, capture_output=True)
        runs += [run for run in kept() if run not in runs]
        command = [browser.TAPSIM, "trace", "diff", *map(str, runs), "--page", str(folder / "both.html")]
        self.assertEqual(subprocess.run(command, capture_output=True).returncode, 1)
        self.pages["both"] = folder / "both.html"
        self.open("both")
        self.assertIn("A  this run".replace("  ", " "), self.text("body"))
        self.assertIn("B  the other".split("  ")[0], self.text("body"))

    def test_the_fields_of_an_answer_show_the_records_inside(self):
        self.open("taken-away", "#3")
        self.assertRegex(self.tab("exchange"), r"attributes and balance; .*balance: 3120 yen")

    def test_the_memory_of_a_tag_is_shown(self):
        self.open("tag")
        memory = self.tab("memory")
        self.assertIn("capability container", memory)
        self.assertIn("NDEF URI", memory)
        self.assertIn("https://example.com/", memory)
        self.shot("real-tag")
        self.assertIn("exit 7", self.tab("expect"))


class Japanese(RunPageCase):
    language = "ja"

    def test_a_japanese_browser_gets_japanese(self):
        self.open("suica")
        self.shot("ja")
        self.assertIn("失敗", self.text(".badge"))
        self.assertEqual(self.browser.execute_script("return document.documentElement.lang"), "ja")

    def test_no_text_of_one_language_remains_in_the_other(self):
        self.assertGreater(browser.check_words(self, "page"), 120)


if __name__ == "__main__":
    browser.main()
