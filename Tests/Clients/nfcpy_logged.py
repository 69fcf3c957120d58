"""Runs a program on nfcpy and writes nfcpy's debug log to a file.

usage: nfcpy_logged.py LOG PROGRAM [ARG…]
"""
import logging
import pathlib
import runpy
import sys

import nfc


def main():
    log, *sys.argv = sys.argv[1:]
    logging.basicConfig(filename=log, level=logging.DEBUG, format="%(relativeCreated)d ms [%(name)s] %(message)s")
    # nfcpy sets the level of its loggers when it is imported.
    logging.getLogger(nfc.__name__).setLevel(logging.DEBUG)
    sys.path.insert(0, str(pathlib.Path(sys.argv[0]).parent))
    runpy.run_path(sys.argv[0], run_name="__main__")


main()
