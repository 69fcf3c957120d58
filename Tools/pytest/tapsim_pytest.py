"""Virtual cards before a virtual reader, as the pytest fixture `card`.

    @pytest.mark.card("suica", balance=3120, trips=20)
    def test_balance(card):
        assert my_reader.read_balance() == 3120     # uses PC/SC, unchanged
        card.verify(counts={"felica.read": "1..4"}, never=["felica.write"])

A marker names a template or an IC (tapsim list cards, tapsim list ics) and values of its keys, as a scenario file writes
them; several markers put several cards before the reader. `@pytest.mark.tapsim(...)` says the rest: `scenario` (a file, in
place of card markers) and `case`, `model` (tapsim list models), `door`, `seed`. A reader on nfcpy needs
`@pytest.mark.tapsim(door="nfcpy")` and takes its path from os.environ["TAPSIM_NFCPY"].

While the test runs, the variables that clients need are in os.environ. libpcsclite asks for the path of its service once in
the life of a process, so all tests of a process use one path, and each finds its own cards there. With pytest-xdist every
worker is a process with readers of its own.

The command is `tapsim` in PATH; the variable TAPSIM or the ini option `tapsim` names another.
"""
import json
import os
import shlex
import shutil
import socket
import subprocess
import tempfile

import pytest

# How long the service may take to open its doors and to end, in seconds.
START_LIMIT = 60
END_LIMIT = 20
# The name of the socket in its folder, and the bytes that its path may have: 107 on Linux, 103 on macOS.
SOCKET = "pcscd.comm"
LONGEST_SOCKET_PATH = 103


class TapSimError(Exception):
    """TapSim refused a request or could not start; the text says why and what to do."""


class Field:
    """The cards of a test, and what is done with them. Without a name, a method means the first card."""

    def __init__(self, command, options):
        self._process = subprocess.Popen(
            command + ["serve", "--json"] + options, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        line = self._process.stdout.readline()
        if not line:
            message = self._process.communicate(timeout=END_LIMIT)[1].strip()
            raise TapSimError(message or "%s ended without a word" % command[0])
        ready = json.loads(line)
        #: The variables a client needs, for one that is started with an environment of its own.
        self.env = ready["env"]
        #: The control socket, for `tapsim ctl --control`.
        self.control = ready["control"]
        #: The seed of everything drawn by chance; tests that draw themselves may use it too.
        self.seed = int(self.env["TAPSIM_SEED"])
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(START_LIMIT)
        self._socket.connect(self.control)
        self._answers = self._socket.makefile("r", encoding="utf-8")
        self.names = [card["name"] for card in self.status()["cards"]]

    def tap(self, name=None):
        """Puts a card before the reader."""
        self._ask({"tap": name or self.names[0]})

    def remove(self, name=None):
        """Takes a card away; without a name, all of them."""
        self._ask({"remove": name or {}})

    def swap(self, out, into, gap="0ms"):
        """Takes one card away and, after a gap, puts another there, or the same one again."""
        self._ask({"swap": {"out": out, "in": into, "gap": gap}})

    def set(self, name=None, **values):
        """Makes a card anew with other values for some of its keys, where it lies."""
        self._ask({"set": {"card": name or self.names[0], "values": values}})

    def reset(self):
        """Brings everything back to the beginning of the test."""
        self._ask({"reset": {}})

    def plug(self):
        """Plugs the PC/SC reader in again."""
        self._ask({"plug": {}})

    def unplug(self):
        """Unplugs the PC/SC reader."""
        self._ask({"unplug": {}})

    def status(self):
        """What is there now: cards, doors, readers, the number of exchanges."""
        return self._ask({"status": {}})["result"]

    def journal(self, last=None):
        """The exchanges so far, oldest first, each with its frames in hexadecimal and in words."""
        return self._ask({"journal": {"last": last} if last else {}})["result"]["exchanges"]

    def verify(self, **expect):
        """Judges what clients did: `counts`, `never`, `exchanges`, `cards` as under `expect` of a scenario file.

        Without any, by what the scenario expects. Fails the test with the exchanges, the nearest one marked.
        """
        answer = self._ask({"verify": expect})
        if not answer["result"]["passed"]:
            __tracebackhide__ = True
            pytest.fail("\n".join(answer["text"]), pytrace=False)

    def words(self, last=None):
        """The exchanges so far as lines of text."""
        return self._ask({"journal": {"last": last} if last else {}})["text"]

    def close(self):
        """Ends the service; the fixture does it."""
        self._socket.close()
        self._process.terminate()
        try:
            self._process.communicate(timeout=END_LIMIT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()

    def _ask(self, request):
        self._socket.sendall((json.dumps(request) + "\n").encode())
        line = self._answers.readline()
        if not line:
            raise TapSimError("tapsim serve has ended")
        answer = json.loads(line)
        if not answer["ok"]:
            raise TapSimError(answer["error"])
        return answer


def card_argument(template, values):
    """A card as `--card` takes it: suica:balance=3120,trips=20."""
    parts = []

    def add(path, value):
        if isinstance(value, dict):
            for key, item in value.items():
                add("%s.%s" % (path, key), item)
        elif isinstance(value, (list, tuple)):
            for index, item in enumerate(value):
                add("%s.%d" % (path, index), item)
        else:
            text = str(value).lower() if isinstance(value, bool) else str(value)
            if "," in text:
                raise TapSimError("%s=%r has a comma; write the card into a scenario file" % (path, text))
            parts.append("%s=%s" % (path, text))

    for key, value in values.items():
        add(key, value)
    return template + (":" + ",".join(parts) if parts else "")


def pytest_addoption(parser):
    parser.addini("tapsim", "The command TapSim is started with.")


def pytest_configure(config):
    config.addinivalue_line("markers", "card(template, **values): a virtual card before the reader of the fixture `card`")
    config.addinivalue_line(
        "markers", "tapsim(scenario=, case=, model=, door=, seed=): how the fixture `card` serves its cards")


@pytest.fixture(scope="session")
def tapsim_directory():
    """A private folder with a short path, since the path of a socket has to be short."""
    directory = tempfile.mkdtemp(prefix="tapsim-")
    if len(os.fsencode(os.path.join(directory, SOCKET))) > LONGEST_SOCKET_PATH:
        os.rmdir(directory)
        directory = tempfile.mkdtemp(prefix="tapsim-", dir="/tmp")
    yield directory
    shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture
def card(request, monkeypatch, tapsim_directory):
    """A virtual card, or several, before a virtual reader for the length of a test."""
    command = shlex.split(os.environ.get("TAPSIM") or request.config.getini("tapsim") or "tapsim")
    settings = request.node.get_closest_marker("tapsim")
    options = ["--%s=%s" % item for item in (settings.kwargs if settings else {}).items() if item[0] != "scenario"]
    if settings and "scenario" in settings.kwargs:
        options.append(str(settings.kwargs["scenario"]))
    else:
        # The marker next to the test comes first.
        cards = list(request.node.iter_markers("card")) or [pytest.mark.card("suica").mark]
        for marker in cards:
            options += ["--card", card_argument(marker.args[0], marker.kwargs)]
    if not settings or settings.kwargs.get("door") in (None, "pcsc"):
        options += ["--socket", os.path.join(tapsim_directory, SOCKET)]
    field = Field(command, options)
    try:
        for name, value in field.env.items():
            monkeypatch.setenv(name, value)
        yield field
    finally:
        field.close()
