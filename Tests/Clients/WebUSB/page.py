#!/usr/bin/env python3
"""Opens a page of this folder in Chromium, clicks, and prints the card that the page shows as JSON. Page errors go to
standard error, with exit code 1. It waits as long as the page does.

usage: page.py PAGE [TEXT]
  TEXT   an event that the page shows, such as `was plugged in`; this script prints `ready`, and clicks after the event

Run it with `tapsim run --transport usb`; set the variable TAPSIM to the path of the command if it is not in PATH.
"""
import functools
import http.server
import json
import os
import pathlib
import sys
import threading
import time

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[2] / "Tools/pytest"))
import tapsim_pytest

PAUSE = 0.02
ENDS = ("done", "failed")


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


def serve():
    """Serves the folder; yields its origin."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=FOLDER))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return "http://127.0.0.1:%d" % server.server_port


def texts(page, selector):
    return page.execute_script("return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector)


def wait(is_so):
    while not is_so():
        time.sleep(PAUSE)


def read(page):
    """Clicks and returns the final state and the text of the page."""
    page.find_element("id", "read").click()
    wait(lambda: page.execute_script("return document.body.dataset.state") in ENDS)
    return page.execute_script("return document.body.dataset.state"), texts(page, "#message")[0]


def card(page):
    cells = texts(page, "#trips td")
    return {
        "events": texts(page, "#events li"), "idm": texts(page, "#idm")[0], "balance": int(texts(page, "#balance")[0] or 0),
        "trips": [{"date": date, "balance": int(balance)} for date, balance in zip(cells[::2], cells[1::2])]}


def show(page, address, event):
    """Opens the page, clicks, and prints the card."""
    page.get(address)
    if page.execute_script("return document.body.dataset.state") != "idle":
        sys.exit("error: the page does not start: %s" % (texts(page, "#message") + page.get_log("browser")))
    if event:
        print("ready", flush=True)
        wait(lambda: any(event in text for text in texts(page, "#events li")))
    state, words = read(page)
    if state != "done":
        sys.exit("error: %s" % words)
    print(json.dumps(card(page)))


def main():
    name, event = (sys.argv[1:] + [""])[:2]
    origin = serve()
    try:
        with tapsim_pytest.webusb_browser([os.environ.get("TAPSIM", "tapsim")], origin) as page:
            show(page, "%s/%s" % (origin, name), event)
    except tapsim_pytest.TapSimError as error:
        sys.exit("error: %s" % error)


if __name__ == "__main__":
    main()
