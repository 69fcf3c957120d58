"""Runs a PC/SC program with pcsc-spy between it and libpcsclite, and writes the output of pcsc-spy to a file.

usage: spied.py LOG PROGRAM [ARG…]

LD_PRELOAD does not affect programs that load libpcsclite themselves, so the library of pcsc-spy replaces it. Requires the Debian
package libpcsclite-dev.
"""
import glob
import os
import pathlib
import subprocess
import sys
import tempfile
import time

PATIENCE = 20.0


def library(name):
    found = glob.glob(f"/usr/lib/*/{name}")
    if not found:
        sys.exit(f"{name} is missing; run: apt-get install libpcsclite-dev")
    return found[0]


def main():
    with tempfile.TemporaryDirectory() as home, open(sys.argv[1], "w", encoding="utf-8") as log:
        folder = pathlib.Path(home)
        (folder / "libpcsclite.so.1").symlink_to(library("libpcscspy.so.0"))
        (folder / "libpcsclite_nospy.so.1").symlink_to(library("libpcsclite.so.1"))
        environment = dict(os.environ, HOME=home)
        spy = subprocess.Popen(["pcsc-spy", "--nocolor"], stdout=log, env=environment)
        deadline = time.monotonic() + PATIENCE
        while not (folder / "pcsc-spy").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        try:
            code = subprocess.run(sys.argv[2:], env=dict(environment, LD_LIBRARY_PATH=home), check=False).returncode
            # It ends when the last program that writes to it ends.
            spy.wait(PATIENCE)
        finally:
            spy.kill()
    sys.exit(code)


main()
