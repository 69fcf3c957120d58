"""Starts the installed pcscd on its own socket, where it finds a USB reader with its CCID driver, and reads the card
in it with pyscard. Prints the reader, the ATR and the answers as JSON.

usage: ccid_service.py APDU…
"""
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile

PCSCD = "/usr/sbin/pcscd"
LISTEN_DESCRIPTOR = 3
CLIENT = """
import json, sys
from smartcard.CardRequest import CardRequest
from smartcard.CardType import AnyCardType
service = CardRequest(timeout=20, cardType=AnyCardType()).waitforcard()
service.connection.connect()
answers = []
for text in sys.argv[1:]:
    data, sw1, sw2 = service.connection.transmit(list(bytes.fromhex(text)))
    answers.append(bytes(data + [sw1, sw2]).hex().upper())
print(json.dumps({"reader": service.connection.getReader(), "atr": bytes(service.connection.getATR()).hex().upper(),
                  "answers": answers}))
"""


def start(folder, path):
    """Passes the socket to pcscd, which uses descriptor 3."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(16)
    process = os.fork()
    if process == 0:
        log = os.open(f"{folder}/log", os.O_WRONLY | os.O_CREAT, 0o600)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.dup2(listener.fileno(), LISTEN_DESCRIPTOR)
        os.set_inheritable(LISTEN_DESCRIPTOR, True)
        environment = dict(os.environ, LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
        os.execve(PCSCD, [PCSCD, "--foreground", "--config", f"{folder}/readers"], environment)
    listener.close()
    return process


def main():
    os.makedirs("/run/pcscd", exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/readers")
        path = f"{folder}/pcscd.comm"
        process = start(folder, path)
        try:
            # The client does not use USB.
            environment = {name: value for name, value in os.environ.items() if name not in ("LD_PRELOAD", "UMOCKDEV_DIR")}
            environment["PCSCLITE_CSOCK_NAME"] = path
            client = subprocess.run([sys.executable, "-c", CLIENT] + sys.argv[1:], env=environment, timeout=30,
                                    capture_output=True, text=True, check=False)
            sys.stdout.write(client.stdout)
            sys.stderr.write(client.stderr)
            if client.returncode:
                with open(f"{folder}/log", encoding="utf-8") as log:
                    sys.stderr.write(log.read())
            return client.returncode
        finally:
            os.kill(process, signal.SIGTERM)
            os.waitpid(process, 0)


sys.exit(main())
