#!/usr/bin/env python3
"""Tests the page of a campaign in a real headless Chromium.

    test_campaign.py [--tapsim PATH] [--shots FOLDER] [unittest options]

Has the same requirements as test_page.py. The pages are built from the sample campaigns of campaigns.py and opened from disk; with
--tapsim, also a page written by `fuzz` of that command.
"""

import base64
import json
import pathlib
import re
import shutil
import subprocess
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

import browser
import campaigns
import samples

PAGE_LIMIT = 2 << 20        # bytes of a page of 20,000 runs
LISTENER_LIMIT = 100        # event listeners, however many cells there are
MOVE_LIMIT = 400            # milliseconds of script time for a step in the largest grid, on a busy machine


class CampaignCase(browser.PageCase):
    page, samples = "campaign", campaigns.SAMPLES

    def row(self, name):
        """Returns the letters of a row in order."""
        return self.browser.execute_script("""
            const line = [...document.querySelectorAll('.line')].find(line => line.querySelector('.fault-name').textContent === arguments[0]);
            const first = line.parentElement.querySelector('.column').offsetLeft;
            const letters = [];
            for (const cell of line.querySelectorAll('.cell')) letters[(cell.offsetLeft - first - 1) / 22] = cell.textContent;
            return Array.from(letters, letter => letter ?? ' ').join('');""", name)

    def cell(self, name):
        return self.browser.execute_script("return [...document.querySelectorAll('.cell')].find(cell => cell.run.name === arguments[0])", name)

    def chosen(self):
        return self.browser.execute_script("const cell = document.querySelector('.cell.chosen'); return cell && cell.run.name")

    def details(self):
        return " ".join(self.text("#details").split())

    def shown_rows(self):
        return self.browser.execute_script("""
            return [...document.querySelectorAll('.block-of:not([hidden]) .line:not([hidden]) .fault-name')].map(name => name.textContent)""")


class Found(CampaignCase):
    def test_the_sentence_comes_first(self):
        self.open("found")
        self.shot("first")
        self.assertEqual(self.text("h1"), "5 causes of findings in 39 runs: crash 1, hang 1, wrong result 9, silent loss 2.")
        self.assertIn("Findings", self.text(".badge"))
        self.assertIn("39 runs with 9 faults at 11 places. 1 run did not reach its fault.", self.text(".then"))
        self.assertEqual(self.browser.title, "Findings: kiosk \u2013 TapSim")
        self.assert_fits()

    def test_runs_that_were_not_performed_are_a_separate_state(self):
        self.open("stopped")
        self.assertEqual(self.text("h1"), "1 cause of findings in 4 of 13 runs, ended by --time: wrong result 1.")
        self.assertEqual([self.row(name) for name in ("rf.silence", "felica.pmm", "rf.lose_tag")], ["..W~~~", "~~~~~~", "e"])
        self.assertIn("not run 9", " ".join(self.text(".legend").split()))
        self.browser.execute_script("arguments[0].click()", self.cell("felica.pmm@2"))
        self.assertIn("The campaign ended before this run.", self.details())

    def test_every_letter_is_in_its_row_and_column(self):
        self.open("found")
        for name, letters in (campaigns.GRID | campaigns.CALL_GRID).items():
            self.assertEqual(self.row(name), letters.rstrip(), name)
        self.assertEqual(self.lines(".block-of h3"), ["Exchanges", "Calls of PC/SC"])
        self.assertEqual(self.lines(".column .n"), list("123456") + list("12345"))
        self.assertEqual(self.find(".column .is").get_attribute("textContent"), campaigns.READS[0])

    def test_the_legend_counts(self):
        self.open("found")
        self.assertEqual(self.lines(".legend .meaning"), [
            ". correct 17", "e clear error 8", "C crash 1", "H hang 1", "W wrong result 9", "S silent loss 2", "- not reached 1"])
        self.assertIn("blank: cannot be injected there", self.text(".legend"))
        self.browser.execute_script("document.querySelectorAll('.meaning')[4].focus()")
        self.assertIn("with another result than the baseline runs", self.text("#tip"))

    def test_the_first_finding_is_described_next_to_the_grid(self):
        self.open("found")
        self.assertEqual(self.chosen(), "felica.reorder@4")
        details = self.details()
        for words in ("wrong result", "/trips/0/number is 287, not 298, and it exits 0", "The blocks of the answer are not in the requested order", "exchange 4",
                      "Read 090F blocks 0..11", "felica.read 2", "with another result than the baseline runs", "look at exchange 4",
                      "tapsim fuzz kiosk.yaml --case 1 --seed 1 --only felica.reorder@4"):
            self.assertIn(words, details)

    def test_a_cell_with_a_page_is_a_link_that_opens_it(self):
        self.open("found")
        target = self.pages["found"].parent / "kiosk-1/felica.reorder@5/trace.html"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("<title>its trace</title>", encoding="utf-8")
        self.cell("felica.reorder@5").click()
        self.assertEqual(self.browser.title, "its trace")
        self.browser.back()
        WebDriverWait(self.browser, 5).until(lambda _: self.all(".cell.chosen"))
        self.assertEqual(self.chosen(), "felica.reorder@5", "one comes back to the cell one left")
        self.press(Keys.ENTER)
        self.assertEqual(self.browser.title, "its trace")
        self.browser.back()
        self.find("#trace").click()
        self.assertEqual(self.browser.title, "its trace")

    def test_a_cell_without_a_page_selects_itself(self):
        self.open("found")
        address = self.browser.current_url.split("#")[0]
        for name, words in (("rf.silence@3", "The answer does not arrive."), ("pcsc.slow@c5", "No trace of this run was kept")):
            self.assertEqual(self.cell(name).tag_name, "span")
            self.cell(name).click()
            self.assertEqual(self.chosen(), name)
            self.assertIn(words, self.details())
            self.assertEqual(self.all("#trace"), [])
            self.assertEqual(self.browser.current_url.split("#")[0], address)
        self.assertIn("call 5", self.details())
        self.assertIn("disconnect 1", self.details())

    def test_an_address_can_name_a_run(self):
        self.open("found", "#0:pcsc.removed_inside@c3")
        self.assertEqual(self.chosen(), "pcsc.removed_inside@c3")
        self.open("found", "#7:%E0%A4%A")
        self.assertEqual(self.chosen(), "felica.reorder@4")

    def test_findings_are_grouped_by_verdict_and_reason(self):
        self.open("found")
        self.assertEqual([re.sub(r" The client.*", "", line) for line in self.lines(".kind h4")], ["C crash 1", "H hang 1", "W wrong result 9", "S silent loss 2"])
        wrong = self.lines(".kind:nth-of-type(3) .reasons li")
        self.assertEqual(len(wrong), 2)
        self.assertIn("/balance is 0, not 3120, and it exits 0 8 times", wrong[0])
        self.assertIn("felica.torn_block @3 @4 @5 @6", wrong[0])
        self.assertIn("/trips/0/number is 287", wrong[1])
        self.find(".go[aria-label='felica.torn_block@5']").click()
        self.assertEqual(self.chosen(), "felica.torn_block@5")

    def test_findings_of_a_cause_are_grouped_with_the_text_of_the_shortest_run(self):
        self.open("causes")
        reordered, repeated = self.lines(".kind .reasons li")
        self.assertIn("in run 4 3 times", reordered)
        self.assertIn("felica.reorder @4 @5 @6", reordered)
        self.assertIn("in run 3 known", repeated)

    def test_causes_of_combinations_are_listed_below_the_grid_with_their_folder(self):
        self.open("combined")
        found, = self.lines(".combinations li")
        self.assertIn("signal SIGSEGV in run 3 2 times", found)
        self.assertIn("rf.silence@3+felica.status@5", found)
        self.assertTrue(self.find(".combinations a").get_attribute("href").endswith("findings/01-crash/trace.html"))

    def test_the_command_is_copied(self):
        self.open("found")
        self.browser.execute_script("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }")
        self.find("#copy").click()
        WebDriverWait(self.browser, 5).until(lambda _: self.text("#copy") == "Copied")
        self.assertEqual(self.browser.execute_script("return window.copied"), "tapsim fuzz kiosk.yaml --case 1 --seed 1 --only felica.reorder@4")

    def test_places_are_listed_on_request(self):
        self.open("found")
        self.find(".folded summary").click()
        WebDriverWait(self.browser, 5).until(lambda _: self.all(".places li"))
        self.assertEqual(self.lines(".places li")[3], "4 Read 090F blocks 0..11")
        self.assertEqual(self.lines(".places li")[-2:], ["c4 transmit 2", "c5 disconnect 1"])

    def test_a_pointer_over_a_cell_describes_it(self):
        self.open("found")
        self.browser.execute_script("arguments[0].dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))", self.cell("felica.zero_blocks@5"))
        self.assertEqual(self.text("#tip").split("\n"), ["felica.zero_blocks, exchange 5", "silent loss", "`/trips` has 8 of 20 items, and it exits 0"])
        self.browser.execute_script("arguments[0].dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))", self.find(".fault-name"))
        self.assertIn("rf.lose_tag", self.text("#tip"))


class Filters(CampaignCase):
    def test_only_findings_keeps_their_rows_and_columns(self):
        self.open("found")
        self.find("#only").click()
        self.shot("only")
        self.assertEqual(self.shown_rows(), ["felica.reorder", "felica.zero_blocks", "felica.torn_block", "pcsc.removed_inside", "pcsc.slow"])
        self.assertEqual(self.lines(".column .n"), ["3", "4", "5", "6", "4", "5"])
        self.assertEqual(self.row("felica.reorder"), " WWW")
        self.assertEqual(self.text("#count"), "5 of 9 rows")
        self.assertEqual(self.chosen(), "felica.reorder@4")
        self.press("o")
        self.assertEqual(len(self.shown_rows()), 9)

    def test_by_name(self):
        self.open("found")
        self.press("/", "TORN")
        self.assertEqual(self.shown_rows(), ["felica.torn_block"])
        self.assertEqual(self.lines(".block-of:not([hidden]) h3"), ["Exchanges"])
        self.assertEqual(self.lines(".kind h4"), ["W wrong result 4 The client succeeded, but with another result than the baseline runs."])
        self.press(Keys.ENTER)
        self.assertEqual(self.chosen(), "felica.torn_block@3")
        self.press("/", "nothing like it")
        self.assertTrue(self.find("#none").is_displayed())
        self.press(Keys.ESCAPE)
        self.assertEqual(len(self.shown_rows()), 9)
        self.assertFalse(self.find("#none").is_displayed())


class Keyboard(CampaignCase):
    def test_arrows_move_in_the_grid(self):
        self.open("found")
        for key, name in ((Keys.ARROW_RIGHT, "felica.reorder@5"), (Keys.ARROW_UP, "rf.flip_bits@5"), (Keys.HOME, "rf.flip_bits@1"),
                          (Keys.ARROW_LEFT, "rf.flip_bits@1"), (Keys.ARROW_DOWN, "felica.pmm@1"), (Keys.ARROW_DOWN, "pcsc.removed_inside@c2"),
                          (Keys.ARROW_DOWN, "pcsc.slow@c2"), (Keys.END, "pcsc.slow@c5"), (Keys.ARROW_DOWN, "pcsc.slow@c5"),
                          (Keys.ARROW_UP, "pcsc.removed_inside@c5")):
            self.press(key)
            self.assertEqual(self.chosen(), name)
            self.assertEqual(self.browser.execute_script("return document.activeElement.run.name"), name)
        label = self.find(".cell.chosen").get_attribute("aria-label")
        self.assertEqual(label, "pcsc.removed_inside, call 5: correct")

    def test_findings_can_be_visited_in_order(self):
        self.open("found")
        self.press("f")
        self.assertEqual(self.chosen(), "felica.reorder@5")
        self.press("F", "F")
        self.assertEqual(self.chosen(), "pcsc.slow@c5", "round to the last")
        self.press("f")
        self.assertEqual(self.chosen(), "felica.reorder@4")

    def test_one_cell_is_reached_by_tab_and_help_lists_keys(self):
        self.open("found")
        self.assertEqual(len(self.all(".cell[tabindex='0']")), 1)
        self.press("?")
        self.assertIn("move in the grid", self.text("#help"))
        self.assertIn("open the trace of the cell", self.text("#help"))
        self.shot("help")
        self.press(Keys.ESCAPE)
        # The event after closing removes it from the page.
        WebDriverWait(self.browser, 5).until(lambda _: not self.all("#help"))

    def test_the_selected_cell_is_visible(self):
        for width in (1000, 800):
            self.open("large", width=width, height=600)
            for keys in ((Keys.END,), (Keys.ARROW_DOWN,) * 30, (Keys.HOME,), (Keys.ARROW_UP,) * 30):
                self.press(*keys)
                over = self.browser.execute_script("""
                    const cell = document.querySelector('.cell.chosen'), box = cell.getBoundingClientRect();
                    const at = document.elementFromPoint(box.left + 10, box.top + 10);
                    return at === cell ? null : at ? at.className : 'outside';""")
                self.assertIsNone(over, "neither a head nor the details lie over it")


class Several(CampaignCase):
    def test_cases_are_stacked_vertically(self):
        self.open("several")
        self.shot("first")
        self.assertEqual(self.lines(".case h2"), ["\u2715 tag: writes a link", "\u2715 kiosk: leaks", "\u2713 kiosk: is fine"])
        self.assertEqual(self.text("h1"), "1 cause of findings in 19 runs: wrong result 2.")
        self.assertIn("There are findings without any fault as well.", self.text(".then"))
        self.assertEqual(self.lines(".cases-list li"), ["\u2715 tag: writes a link W 2", "\u2715 kiosk: leaks", "\u2713 kiosk: is fine"])
        self.assertEqual(self.lines(".case > p:first-of-type"), [
            "1 cause of findings in 7 runs: wrong result 2. 7 runs with 2 faults at 6 places.",
            "The program has findings without any fault. 6 runs with 1 fault at 6 places.",
            "No findings: every fault ended in a correct result or a clear error. 6 runs with 1 fault at 6 places."])
        self.find(".cases-list a[href='#case-2']").click()
        self.assertLess(self.browser.execute_script("return document.getElementById('case-2').getBoundingClientRect().top"), 800)

    def test_the_result_of_the_baseline_run_is_shown(self):
        self.open("several")
        self.assertEqual(self.lines(".clean li"), ["\u2715 leak a context was not released", "\u2715 protocol misuse at exchange 3 it read 090F twice"])
        self.assertEqual(self.lines(".warned li"), ["! the client never waited for the card it may miss one that comes late"])

    def test_cards_read_back_and_a_command_with_arguments(self):
        self.open("several")
        self.assertEqual(self.text(".backs"), "as before the run 3, as after the baseline run 2, unreadable 1")
        self.cell("mem.tear:inside=50%@4").click()
        self.assertEqual(self.text("#reproduce"), 'tapsim fuzz tag.yaml --only mem.tear:inside=50%@4 -- ./write "a b"')
        self.assertIn("card read back unreadable", self.details())

    def test_arrows_continue_in_the_next_case(self):
        self.open("several")
        self.cell("mem.tear:inside=100%@5").click()
        self.press(Keys.ARROW_DOWN)
        self.assertEqual(self.chosen(), "rf.silence@5")
        self.assertIn("#1:", self.browser.current_url)

    def test_filters_apply_to_all_cases(self):
        self.open("several")
        self.press("/", "silence")
        self.assertEqual(self.shown_rows(), ["rf.silence", "rf.silence"])
        self.assertEqual(self.text("#count"), "2 of 4 rows")


class Other(CampaignCase):
    def test_no_findings(self):
        self.open("clean")
        self.shot("first")
        self.assertEqual(self.text("h1"), "No findings: every fault ended in a correct result or a clear error.")
        self.assertIn("is-ok", self.find(".verdict").get_attribute("class"))
        self.assertIn("No findings", self.text(".badge"))
        self.assertIn("Select a cell of the grid.", self.details())
        self.press("f")
        self.press(Keys.ARROW_DOWN)
        self.assertEqual(self.chosen(), "rf.lose_tag@1")
        self.press("o")
        self.assertTrue(self.find("#none").is_displayed())

    def test_faults_that_were_never_reached_are_named(self):
        self.open("unreached")
        self.assertEqual(self.text("h1"), "No findings, but no run reached its fault.")
        self.assertEqual(self.lines(".never code"), ["felica.pmm"])
        self.assertEqual(self.row("felica.pmm"), "-")

    def test_no_runs(self):
        self.open("nothing")
        self.assertEqual(self.text("h1"), "Nothing was run: no fault fits this program here.")
        self.assertEqual(self.all(".grid-scroll, #search"), [])
        self.press("f", "o", "/", Keys.ARROW_DOWN)

    def test_each_verdict_has_its_letter_and_colour(self):
        self.open("verdicts")
        self.shot("first")
        looks = self.browser.execute_script("""
            return Object.fromEntries([...document.querySelectorAll('.line')].map(line => {
              const cell = line.querySelector('.cell'); return [cell.textContent, getComputedStyle(cell).backgroundColor + getComputedStyle(cell).color]; }));""")
        self.assertEqual(set(looks), set(campaigns.VERDICTS))
        self.assertEqual(len(set(looks.values())), len(looks), "no two verdicts look alike")

    def test_events_of_a_phone_have_a_grid(self):
        self.open("phone")
        self.assertEqual(self.lines(".block-of h3"), ["Exchanges", "The phone"])
        self.assertEqual(self.row("phone.cancel"), " H")
        self.assertEqual(self.chosen(), "phone.cancel@p2")
        self.assertIn("event 2 of the phone session.connect 1", self.details())
        self.assertEqual(self.text("h1"), "1 cause of findings in 7 runs: hang 1.")

    def test_a_truncated_page_reports_this(self):
        whole = self.pages["found"].read_text("utf-8")
        self.pages["cut"] = self.folder / "cut.html"
        self.pages["cut"].write_text(re.sub(r'(id="run">\n.{2000}).*?(\n</script>)', r"\1\2", whole, flags=re.S), encoding="utf-8")
        self.open("cut")
        self.assertIn("cannot be read", self.text("h1"))
        self.assertIn("tapsim fuzz", self.text(".verdict"))


class Hostile(CampaignCase):
    def test_nothing_in_the_data_is_interpreted(self):
        self.open("hostile")
        self.shot("first")
        self.press("f", "o", "o", Keys.ARROW_DOWN, Keys.ARROW_RIGHT, "c", "/", "evil", Keys.ESCAPE)
        for summary in self.all(".folded summary"):
            summary.click()
        self.browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
        for cell in self.all("span.cell"):
            self.browser.execute_script("arguments[0].click(); arguments[0].dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))", cell)
        self.assertIsNone(self.browser.execute_script("return window.pwned ?? null"))
        self.assertEqual(self.all("#app img, #app script, #app iframe, #app [onerror], #app [onclick], #app [onmouseover]"), [])
        self.assertEqual(len(self.all("script")), 2)
        self.assertEqual(self.unseen_characters(), [])
        self.assertIn("\u2039U+202E\u203aevil", self.text("#cases"))

    def test_links_stay_in_the_folder_of_the_page(self):
        self.open("hostile")
        folder = self.pages["hostile"].parent.as_uri()
        links = self.browser.execute_script("return [...document.querySelectorAll('a.cell')].map(link => link.href)")
        self.assertEqual(len(links), 4)
        for link in links:
            self.assertTrue(link.startswith(folder), link)

    def test_a_name_cannot_close_its_quotes(self):
        self.open("hostile")
        self.cell("'; rm -rf ~ #@1").click()
        self.assertIn("''\\''; rm -rf ~ #@1'", self.text("#reproduce"))

    def test_the_layout_is_stable(self):
        for width in (1280, 900):
            self.open("hostile", width=width)
            self.assertLessEqual(self.browser.execute_script("return document.documentElement.scrollWidth"), width)


class Large(CampaignCase):
    def test_sixty_thousand_cells_are_quick(self):
        self.open("large")
        self.shot("first")
        self.assertEqual(self.text("h1"), "200 causes of findings in 60,000 runs: wrong result 622, silent loss 290.")
        self.assertTrue(self.browser.execute_script("""
            const cell = document.querySelector('.cell.chosen').getBoundingClientRect(), grid = document.querySelector('.grid-scroll').getBoundingClientRect();
            return scrollY === 0 && cell.right < grid.right && cell.left > grid.left;"""), "the first finding is in sight")
        count = len(campaigns.large()["cases"][0]["runs"])
        elements = self.browser.execute_script("return [document.querySelectorAll('.cell').length, document.querySelectorAll('*').length]")
        self.assertEqual(elements[0], count)
        self.assertLess(elements[1], count + 6000, "one element a cell")
        self.browser.execute_cdp_cmd("Performance.enable", {})
        metrics = {entry["name"]: entry["value"] for entry in self.browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]}
        self.assertLess(metrics["JSEventListeners"], LISTENER_LIMIT + 100)
        took = self.browser.execute_script("""
            const start = performance.now();
            for (const key of ['ArrowDown', 'ArrowRight', 'f', 'ArrowUp', 'F']) {
              document.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
              document.body.offsetHeight;
            }
            return (performance.now() - start) / 5;""")
        self.assertLess(took, MOVE_LIMIT)

    def test_headers_stay_visible(self):
        self.open("large")
        before = self.browser.execute_script("return [document.querySelector('.corner'), document.querySelectorAll('.fault-name')[60]].map(e => e.getBoundingClientRect().left)")
        self.browser.execute_script("Object.assign(document.querySelector('.grid-scroll'), {scrollLeft: 5000, scrollTop: 1200})")
        after = self.browser.execute_script("return [document.querySelector('.corner'), document.querySelectorAll('.fault-name')[60]].map(e => e.getBoundingClientRect().left)")
        self.assertEqual(before, after)
        self.assertTrue(self.browser.execute_script("""
            const scroll = document.querySelector('.grid-scroll').getBoundingClientRect();
            return Math.abs(document.querySelector('.heads').getBoundingClientRect().top - scroll.top) < 3;"""))
        self.shot("scrolled")

    def test_many_reasons_are_shown_on_request(self):
        self.open("large")
        before = len(self.all(".reasons li"))
        self.browser.execute_script("document.querySelector('.kind > .more').click()")
        self.assertGreater(len(self.all(".reasons li")), before)
        self.assertEqual(self.browser.execute_script("return document.querySelector('.go').run.verdict.name"), "wrong result")

    def test_twenty_thousand_runs_are_a_small_file(self):
        page = samples.join(campaigns.large(150, 134), "campaign")
        self.assertLess(len(page.encode()), PAGE_LIMIT)


class Looks(CampaignCase):
    def test_everything_fits(self):
        for name in ("found", "several", "verdicts", "large", "clean"):
            for width in (1280, 900, 420):
                self.open(name, width=width)
                with self.subTest(page=name, width=width):
                    self.shot(str(width))
                    self.assert_fits()

    def test_text_can_be_read_in_light_and_dark(self):
        for name in ("found", "several", "verdicts"):
            self.open(name)
            self.assertEqual(self.poor_contrast(), [], name)
            light = self.browser.execute_script("return getComputedStyle(document.body).backgroundColor")
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
            self.assertNotEqual(self.browser.execute_script("return getComputedStyle(document.body).backgroundColor"), light)
            self.assertEqual(self.poor_contrast(), [], name)
            self.shot("dark")

    def test_print_opens_everything(self):
        self.open("several")
        pdf = base64.b64decode(self.browser.print_page())
        self.assertTrue(pdf.startswith(b"%PDF"))
        self.assertEqual(self.all("#printed"), [], "the sheet is gone after printing")
        if browser.SHOTS:
            (browser.SHOTS / "several-print.pdf").write_bytes(pdf)
        if shutil.which("pdftotext"):
            paper = subprocess.run(["pdftotext", "-layout", "-", "-"], input=pdf, capture_output=True, check=True).stdout.decode()
            for words in ("1 cause of findings in 19", "tag: writes a link", "a context was not released", "is fine", "Request Service", "mem.tear:inside=50%",
                          "tapsim fuzz tag.yaml --only mem.tear:inside=50%@4"):
                self.assertIn(words, paper)
        self.open("found")
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        WebDriverWait(self.browser, 5).until(lambda _: self.all("#printed"))
        lines = self.browser.execute_script("return [...document.querySelectorAll('#printed .paper > div')].map(line => line.textContent)")
        self.assertEqual(lines[:5], ["".ljust(20) + "123456", *(name.ljust(20) + campaigns.GRID[name] for name in list(campaigns.GRID)[:4])])
        self.assertEqual(self.browser.execute_script("return document.querySelectorAll('#printed .paper b').length"), 13)
        self.assertFalse(self.find("main").is_displayed())
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})

    def test_a_large_grid_is_printed_in_parts(self):
        self.open("large")
        self.browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
        parts = self.browser.execute_script("return [...document.querySelectorAll('#printed .paper')].map(part => part.lastChild.textContent.length)")
        self.assertEqual(len(parts), 6)
        self.assertLess(max(parts), 120)
        letters = self.browser.execute_script("""
            return [...document.querySelectorAll('#printed .paper')].map(part => part.lastChild.textContent.slice(arguments[0])).join('');""", len("felica.fault_000:bits=149") + 2)
        self.assertEqual(len(letters), 400)


class Japanese(CampaignCase):
    language = "ja"

    def test_a_japanese_browser_gets_japanese(self):
        self.open("found")
        self.shot("ja")
        self.assertEqual(self.text("h1"), "39 回の実行で、問題の原因が 5 件見つかりました: クラッシュ 1、ハング 1、誤った結果 9、無言の欠落 2。")
        self.assertEqual(self.browser.execute_script("return document.documentElement.lang"), "ja")
        tips = self.browser.execute_script("return [...document.querySelectorAll('.fault-name, .meaning')].map(e => e.dataset.tip || '')")
        self.assertIn("rf.silence\n応答が届かない", tips)
        self.assertIn("felica.reorder\nThe blocks of the answer are not in the requested order.", tips, "English if there is no Japanese")
        self.assertTrue(any(tip.startswith("カードの内容か基準実行の結果より少ししか出力せず") for tip in tips), tips)
        self.assertIn("felica.zero_blocks ブロックがゼロになる @5 @6", self.find(".found").text)
        self.find("#language").click()
        self.assertIn("5 causes of findings", self.text("h1"))
        self.assertNotIn("応答が届かない", self.browser.execute_script("return document.getElementById('app').outerHTML"))
        self.assertEqual(self.chosen(), "felica.reorder@4", "the selection stays")

    def test_no_text_of_one_language_remains_in_the_other(self):
        self.assertGreater(browser.check_words(self, "campaign"), 60)


SCENARIO = """
format: 1
scenario: kiosk
cards: {suica: {template: suica, balance: 3120, trips: 20}}
client: {builtin: transit-history}
"""


class RealCampaign(CampaignCase):
    """The page that tapsim writes for a campaign."""

    @classmethod
    def setUpClass(cls):
        if browser.TAPSIM is None:
            raise unittest.SkipTest("needs --tapsim")
        super().setUpClass()
        folder = cls.folder
        (folder / "file.yaml").write_text(SCENARIO, encoding="utf-8")
        command = [browser.TAPSIM, "fuzz", "file.yaml", "--only", "felica.torn_block", "--only", "rf.silence", "--json"]
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert run.returncode == 1, run.stdout + run.stderr
        cls.campaign = json.loads(run.stdout)
        cls.pages["real"] = next(folder.glob(".tapsim/runs/*/campaign.html"))

    def test_every_run_has_its_cell(self):
        self.open("real")
        self.shot("first")
        runs = self.campaign["cases"][0]["runs"]
        self.assertEqual(len(self.all(".cell")), len(runs))
        wrong = sum(run["verdict"] == "wrong result" for run in runs)
        self.assertGreater(wrong, 0)
        self.assertIn(f"in {len(runs)} runs", self.text("h1"))
        self.assertIn(f"wrong result {wrong}", self.text("h1"))
        self.assertIn("W", self.row("felica.torn_block"))
        self.assertIn("felica.torn_block", self.details())

    def test_a_finding_opens_its_trace(self):
        self.open("real")
        self.browser.execute_script("arguments[0].click()", self.cell("felica.torn_block@4"))
        WebDriverWait(self.browser, 10).until(lambda browser: "trace.html" in browser.current_url)
        self.assertIn("wrong result", self.text("body"))
        self.shot("trace-of-a-finding")


if __name__ == "__main__":
    browser.main()
