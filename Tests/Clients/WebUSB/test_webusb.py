#!/usr/bin/env python3
"""Tests the pages of this folder in Chromium with virtual readers: their display, the findings of tapsim fuzz, and the
pytest fixture.

    test_webusb.py --tapsim PATH [unittest options]

Requires the Debian packages chromium, chromium-driver and umockdev, and the Python packages selenium and pytest.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import page

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[2]
SCENARIO = FOLDER / "pages.yaml"
# The page of each reader model.
PAGES = {"rc-s380": "rcs380.html", "rc-s300": "rcs300.html"}
# Faults in the third read: no answer or a silent card, a refusal or a removed card, and wrong data.
FAULTS = {
    "rc-s380": {"felica.silent_command@4", "felica.status@4", "felica.torn_block@4"},
    "rc-s300": {"rf.silence@4", "rf.lose_tag@4", "felica.truncate@4"}}
# The mistakes in buggy.js, and their verdicts from tapsim fuzz.
TABLE = json.loads((FOLDER.parent / "zoo/mistakes.json").read_text(encoding="utf-8"))
MISTAKES = {
    row["name"]: (row["only"], row["verdict"])
    for client in TABLE["clients"] if client["client"] == "page" for row in client["mistakes"]}
# Each run starts Chromium, and a campaign has three baseline runs.
IS_LONG = "TAPSIM_LONG" in os.environ
# The mistakes of a page in one campaign.
CAMPAIGNS = (["flags", "patience"], ["length"], ["partial"])
TAPSIM = None


def tapsim(verb, *arguments):
    """Runs tapsim in the checkout, whose scripts use this Python; returns the exit code and the printed document."""
    environment = dict(os.environ, TAPSIM=str(TAPSIM), PATH=f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}")
    result = subprocess.run(
        [TAPSIM, verb, SCENARIO.relative_to(ROOT), "--json", "--trace", "off", *arguments], cwd=ROOT, env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if not result.stdout.startswith("{"):
        raise AssertionError(f"tapsim {verb} ended with {result.returncode}: {result.stdout}{result.stderr}")
    return result.returncode, json.loads(result.stdout)


def parameters(model, mistakes=()):
    query = f"?mistake={','.join(mistakes)}" if mistakes else ""
    return ["--param", f"model={model}", "--param", f"page={PAGES[model]}{query}"]


def fuzz(model, faults, mistakes=()):
    """Returns the verdicts by fault and place."""
    only = [word for fault in faults for word in ("--only", fault)]
    code, document = tapsim("fuzz", "--case", "the card is read", *only, *parameters(model, mistakes))
    if "cases" not in document:
        raise AssertionError(document)
    case, = document["cases"]
    return code, {f"{run['fault']}@{run['exchange']}": run["verdict"] for run in case["runs"]}


class GoodPages(unittest.TestCase):
    def test_cards_and_readers_arrive_and_leave(self):
        for model in PAGES:
            with self.subTest(model):
                _, document = tapsim("run", *parameters(model))
                cases = document["scenarios"][0]["cases"]
                self.assertEqual([(case["name"], case["failures"]) for case in cases if case["failures"]], [])
                self.assertEqual(len(cases), 7)

    def test_faults_are_noticed(self):
        for model in PAGES:
            with self.subTest(model):
                faults = set.union(*FAULTS.values()) if IS_LONG else FAULTS[model]
                code, verdicts = fuzz(model, sorted(faults))
                self.assertEqual(set(verdicts), faults)
                self.assertLessEqual(set(verdicts.values()), {"correct", "clear error"}, verdicts)
                self.assertEqual(code, 0)


class LeftBehind(unittest.TestCase):
    # A test that is killed does not end its browser.
    PROGRAM = """
import os, sys
sys.path.insert(0, %r)
import page, tapsim_pytest
context = tapsim_pytest.webusb_browser([%r], page.serve())
print(context.__enter__().service.process.pid, flush=True)
os._exit(0)
"""

    def test_tapsim_ends_the_browser_of_a_killed_test(self):
        # As long as on some CI services; Chromium does not start if the path of its socket exceeds 107 bytes.
        with tempfile.TemporaryDirectory(suffix="-" * 30) as folder:
            result = subprocess.run(
                [TAPSIM, "run", "--card", "suica", "--transport", "usb", "--model", "rc-s380", "--trace", "off", "--",
                 sys.executable, "-c", self.PROGRAM % (str(FOLDER), str(TAPSIM))],
                cwd=folder, env=dict(os.environ, TMPDIR=folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertIn("ended processes that clients left running", result.stderr, result.stdout)
        driver = next(int(line) for line in result.stdout.splitlines() if line.isdigit())
        with self.assertRaises(ProcessLookupError):
            os.kill(driver, 0)


class BuggyPages(unittest.TestCase):
    def test_mistakes_are_found(self):
        self.assertEqual(sorted(sum(CAMPAIGNS, [])), sorted(MISTAKES))
        for mistakes in CAMPAIGNS if IS_LONG else CAMPAIGNS[:1]:
            with self.subTest(mistakes):
                found = dict(MISTAKES[mistake] for mistake in mistakes)
                code, verdicts = fuzz("rc-s380", found, mistakes)
                self.assertEqual(verdicts, found)
                self.assertEqual(code, 1)


class Fixture(unittest.TestCase):
    def pytest(self, suite):
        environment = dict(os.environ, TAPSIM=str(TAPSIM), ORIGIN=page.serve(), PYTHONPATH=str(ROOT / "Tools/pytest"))
        result = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "tapsim_pytest", "-p", "no:cacheprovider", "--tapsim-trace=off", "-q", suite],
            cwd=FOLDER, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_pages_are_opened_by_pytest(self):
        self.pytest("test_fixture.py")

    def test_the_page_of_the_documentation_passes_its_test(self):
        self.pytest("test_idm.py")
        for document in ("browser.md", "browser.ja.md", "guides/webusb.md"):
            listings = re.findall(r"^```(?:html|python)\n(.*?)^```$", (ROOT / "docs" / document).read_text(encoding="utf-8"), re.M | re.S)
            for name in ("idm.html", "test_idm.py"):
                self.assertIn((FOLDER / name).read_text(encoding="utf-8"), listings, f"{document} shows {name} as it is")


if __name__ == "__main__":
    at = sys.argv.index("--tapsim")
    TAPSIM = pathlib.Path(sys.argv[at + 1]).resolve()
    del sys.argv[at:at + 2]
    unittest.main(verbosity=2)
