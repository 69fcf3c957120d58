"""Chromium, and tests common to all pages: no external resources, no console errors."""

import functools
import os
import pathlib
import re
import sys
import tempfile
import unittest

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

import samples

SHOTS = None    # the folder of `--shots`
TAPSIM = None   # the command of `--tapsim`


# Starting Chromium and making large samples takes longer than most tests, so the tests of a file share both.
@functools.cache
def folder():
    """The folder for the pages and Chromium's files."""
    made = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    unittest.addModuleCleanup(made.cleanup)
    return pathlib.Path(made.name)


@functools.cache
def chromium(language):
    """Starts Chromium without a window."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--lang={language}",
                     f"--accept-lang={language}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService("/usr/bin/chromedriver", env=dict(os.environ, TMPDIR=str(folder())))
    browser = webdriver.Chrome(options=options, service=service)
    unittest.addModuleCleanup(browser.quit)
    return browser


def check_words(case, page):
    """Checks that each text of a page exists in two languages with the same values and is used; returns the number of texts."""
    count, scripts = 0, {name: samples.source(f"{name}.js") for name in ("common", page)}
    used = set(re.findall(r'"(\w+)"', "".join(re.sub(r"WORDS(,| =) \{.*?\n *\}", "", text, count=1, flags=re.S) for text in scripts.values())))
    for name, text in scripts.items():
        words = re.search(r"WORDS(?:,| =) \{\n(.*?)\n *\}", text, flags=re.S).group(1)
        for line in re.sub(r",\n      +", ", ", words).splitlines():
            match = re.fullmatch(r' +(\w+): \["(.*)", "(.*)"\],', line)
            case.assertTrue(match, f"a word in two languages: {line}")
            key, *both = match.groups()
            case.assertNotIn('", "', "".join(both), key)
            case.assertEqual(*(sorted(set(re.findall(r"\{\w+\}", text))) for text in both), key)
            # Texts of both pages are used by at least one page.
            if name == page or page == "page":
                case.assertIn(key, used, "is not used")
            count += 1
    return count


class PageCase(unittest.TestCase):
    language = "en-US"
    page, samples = "page", {}

    @classmethod
    def setUpClass(cls):
        cls.folder = folder()
        cls.pages = {name: cls.folder / f"{name}.html" for name in cls.samples}
        for name, path in cls.pages.items():
            if not path.exists():
                path.write_text(samples.join(cls.samples[name](), cls.page), encoding="utf-8")
        cls.browser = chromium(cls.language)

    def open(self, name, fragment="", width=1280, height=800):
        self.opened = name
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.browser.get("about:blank")
        self.browser.get_log("performance")
        self.browser.get(self.pages[name].as_uri() + fragment)
        # Each test starts in the browser's own language, whatever the previous test chose.
        if self.browser.execute_script("const k = localStorage.getItem('tapsim-language'); localStorage.clear(); return k"):
            self.browser.refresh()

    def tearDown(self):
        complaints = [entry["message"] for entry in self.browser.get_log("browser")]
        self.assertEqual(complaints, [], "the console must be empty")
        for entry in self.browser.get_log("performance"):
            for address in re.findall(r'"url":"([a-z]+:[^"]*)"', entry["message"]):
                self.assertRegex(address, r"^(file|about|chrome|devtools|data):", "nothing may be loaded")
                if address.startswith("file:") and "Network.requestWillBeSent" in entry["message"]:
                    self.assertIn(self.folder.as_uri(), address)

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).text

    def lines(self, selector):
        return self.browser.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map(e => e.innerText.replace(/\\s+/g, ' ').trim())", selector)

    def press(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()

    def shot(self, what):
        if SHOTS:
            SHOTS.mkdir(parents=True, exist_ok=True)
            self.browser.save_screenshot(str(SHOTS / f"{self.opened}-{what}.png"))

    def poor_contrast(self):
        return self.browser.execute_script("""
            const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
            const rgb = (c, under) => { canvas.fillStyle = under; canvas.fillRect(0, 0, 1, 1); canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1);
              const d = canvas.getImageData(0, 0, 1, 1).data; return `rgb(${d[0]},${d[1]},${d[2]})`; };
            const lum = c => { const [r, g, b] = c.match(/\\d+/g).map(v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
              return .2126 * r + .7152 * g + .0722 * b; };
            const ground = e => { const chain = []; for (; e; e = e.parentElement) chain.unshift(getComputedStyle(e).backgroundColor);
              return chain.reduce((under, c) => rgb(c, under), 'rgb(255,255,255)'); };
            const poor = [];
            for (const e of document.querySelectorAll('#app *')) {
              if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || e.closest('svg') || !e.getClientRects().length) continue;
              const back = ground(e), a = lum(back), b = lum(rgb(getComputedStyle(e).color, back));
              const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
              if (ratio < 4.5) poor.push(e.className + ' ' + e.textContent.slice(0, 20) + ' ' + ratio.toFixed(2));
            }
            return poor;""")

    def unseen_characters(self):
        """Returns the texts and attributes that contain characters which a page must display but not interpret."""
        return self.browser.execute_script("""
            const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
            const bad = /[\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u009f\\u200b-\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff]/;
            while (walk.nextNode()) if (walk.currentNode.parentElement.tagName !== 'SCRIPT' && bad.test(walk.currentNode.data)) found.push(walk.currentNode.data);
            for (const e of document.querySelectorAll('#app *')) for (const a of e.attributes) if (bad.test(a.value)) found.push(a.name);
            return found.concat(bad.test(document.title) ? ['title'] : []);""")

    def assert_fits(self):
        wide = self.browser.execute_script("""
            const out = [];
            if (document.documentElement.scrollWidth > innerWidth) out.push('page');
            for (const e of document.querySelectorAll('.verdict, .time-bar, .list, .detail, .bar, .tools, .panel, .case, #details'))
              if (e.scrollWidth > e.clientWidth + 1) out.push(e.className);
            return out;""")
        self.assertEqual(wide, [], "nothing may be wider than its place")


def main():
    """Reads the command-line options and runs the tests of the started file."""
    global SHOTS, TAPSIM
    if "--tapsim" in sys.argv:
        at = sys.argv.index("--tapsim")
        TAPSIM = pathlib.Path(sys.argv[at + 1]).resolve()
        del sys.argv[at:at + 2]
    if "--shots" in sys.argv:
        at = sys.argv.index("--shots")
        SHOTS = pathlib.Path(sys.argv[at + 1])
        del sys.argv[at:at + 2]
    unittest.main(verbosity=2)
