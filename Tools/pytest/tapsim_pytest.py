"""Virtual cards on a virtual reader, as the pytest fixture `card`.

    @pytest.mark.card("suica", balance=3120, trips=20)
    def test_balance(card):
        assert my_reader.read_balance() == 3120     # uses PC/SC, unchanged
        card.verify(counts={"felica.read": "1..4"}, never=["felica.write"])

The mark `card` names a template or an IC (tapsim list cards, tapsim list ics) and values of its keys, as in a scenario file.
Several marks put several cards on the reader. The mark `tapsim` has the other settings: `scenario` (a file, instead of card
marks), its `case` and `param` ({name: value}), `model` (tapsim list models), `transport`, `seed`. A reader over nfcpy needs
`@pytest.mark.tapsim(transport="nfcpy")`; its path is os.environ["TAPSIM_NFCPY"].

While the test runs, os.environ has the variables that clients need. libpcsclite reads the path of its service only once per
process, so all tests of a process use one path, and each finds its own cards there. With pytest-xdist, each worker is a
process with its own readers.

    @pytest.mark.card("suica", balance=3120)
    @pytest.mark.tapsim(transport="usb", model="rc-s380")
    @pytest.mark.webusb("http://localhost:8765")
    def test_page(webusb_page):
        webusb_page.get("http://localhost:8765/")                   # a page that uses WebUSB, unchanged
        webusb_page.find_element("id", "read").click()

`webusb_page` is headless Chromium with Selenium. Pages of that origin may use the reader of the test. The ini option
`webusb_origin` sets the origin for all tests; `webusb_browser` names another browser.

A failing test shows its exchanges, and is saved in .tapsim/runs with a page for a browser (--tapsim-trace).

The plugin starts the `tapsim` that was installed with it or, if there is none, the one in PATH. The variable TAPSIM or the ini
option `tapsim` names another command.
"""
import contextlib
import difflib
import fcntl
import gc
import glob
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sysconfig
import tempfile
import time

import pytest

# The seconds that the service may take to open its transports, and to end.
START_LIMIT = 60
END_LIMIT = 20
# The name of the socket in its folder, and the longest path in bytes: 107 on Linux, 103 on macOS.
SOCKET = "pcscd.comm"
LONGEST_SOCKET_PATH = 103
# The settings of the mark `tapsim`: the options of `tapsim serve`, and the file.
SETTINGS = ("scenario", "case", "param", "model", "transport", "seed")
# The marks, and the fixture that each is for.
MARKS = {"card": "card", "tapsim": "card", "webusb": "webusb_page"}
# The browsers of `webusb_page`; the first one that is installed is used.
BROWSERS = ("chromium", "google-chrome", "google-chrome-stable")
# The number of exchange lines in the report of a test; the page has all of them.
LONGEST_TABLE = 60
# The longest reason in a page, in characters.
LONGEST_REASON = 500
# The folder of runs, the number of runs to keep, and the longest test name in characters, as for `tapsim run`.
RUNS = os.path.join(".tapsim", "runs")
KEPT_RUNS = 20
# The file that proves that TapSim created the folder of a run, and its longest text in characters.
MARK = ".tapsim-folder"
LONGEST_MARK = 1024
# The names of all files in the folders of runs; tapsim has the same list.
OWN_FILES = {
    MARK, "index.html", "campaign.html", "campaign.json", "trace.html", "trace.jsonl", "trace.pcapng", "client.out",
    "client.err", "resolved.json", "meta.json", "repro.yaml", "report.md", "replay.py"}
LONGEST_NAME = 100
# The number of services that may wait for connections that outlive their test.
MOST_LINGERING = 20


class TapSimError(Exception):
    """TapSim rejected a request or could not start; the text says why and what to do."""


class Field:
    """The cards of a test, and the actions on them. If a method takes a name, the default is the first card."""

    def __init__(self, command, options):
        #: True if the last `verify` failed.
        self.is_unmet = False
        self._errors = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                command + ["serve", "--json"] + options, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=self._errors, encoding="utf-8", errors="replace")
        except OSError as error:
            self._errors.close()
            raise TapSimError(missing(command[0], error)) from None
        ready = self._ready(command[0])
        #: The variables that a client needs, for clients that you start with their own environment.
        self.env = ready["env"]
        #: The control socket, for `tapsim ctl --control`.
        self.control = ready["control"]
        #: The seed of all random choices; tests that make random choices may use it too.
        self.seed = int(self.env["TAPSIM_SEED"])
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(START_LIMIT)
        self._socket.connect(self.control)
        self._answers = self._socket.makefile("r", encoding="utf-8")
        self.names = [card["name"] for card in self.status()["cards"]]

    def _ready(self, program):
        """Returns the line that the service prints when it is ready."""
        with self._process.stdout as output:
            line = output.readline()
        try:
            ready = json.loads(line)
            if "control" in ready and "env" in ready:
                return ready
        except (TypeError, ValueError):
            pass
        self._process.terminate()
        self._process.wait(END_LIMIT)
        words = re.sub("^error: ", "", self.messages()) or "%s printed no line of `serve --json`; is it tapsim?" % program
        self._errors.close()
        raise TapSimError(words)

    def tap(self, name=None):
        """Puts a card on the reader."""
        self._ask({"tap": name or self.names[0]})

    def remove(self, name=None):
        """Removes a card (default: all cards)."""
        self._ask({"remove": name or {}})

    def swap(self, out, into, gap="0ms"):
        """Removes a card and, after a gap, puts another card, or the same one, on the reader."""
        self._ask({"swap": {"out": out, "in": into, "gap": gap}})

    def set(self, name=None, **values):
        """Replaces a card with one that has other values for some of its keys."""
        self._ask({"set": {"card": name or self.names[0], "values": values}})

    def reset(self):
        """Restores the state at the beginning of the test."""
        self._ask({"reset": {}})

    def plug(self):
        """Plugs the reader in again."""
        self._ask({"plug": {}})

    def unplug(self):
        """Unplugs the reader."""
        self._ask({"unplug": {}})

    def status(self):
        """Returns the current state: cards, transports, readers, the number of exchanges."""
        return self._ask({"status": {}})["result"]

    def journal(self, last=None):
        """Returns the exchanges so far, oldest first, each with its frames in hexadecimal and in words."""
        return self._ask({"journal": {"last": last} if last else {}})["result"]["exchanges"]

    def verify(self, **expect):
        """Judges what clients did: `counts`, `never`, `exchanges`, `cards` as under `expect` of a scenario file.

        Default: the expectations of the scenario. If they are not met, the test fails with the exchanges, the closest one
        marked.
        """
        answer = self._ask({"verify": expect})
        self.is_unmet = not answer["result"]["passed"]
        if self.is_unmet:
            __tracebackhide__ = True
            pytest.fail("\n".join(answer["text"]), pytrace=False)

    def words(self, last=None):
        """Returns the exchanges so far as lines of text."""
        return self._ask({"journal": {"last": last} if last else {}})["text"]

    def keep(self, folder, because=None, of=None):
        """Writes the page, the trace and the case into a folder, as `tapsim run` does for a failed case."""
        request = {key: value for key, value in (("because", because), ("of", of)) if value}
        files = self._ask({"keep": request})["result"]["files"]
        os.makedirs(folder, exist_ok=True)
        for name, text in files.items():
            path = os.path.join(folder, os.path.basename(name))
            with open(path + ".tmp", "w", encoding="utf-8", newline="") as file:
                file.write(text)
            os.replace(path + ".tmp", path)

    def messages(self):
        """Returns what the service has written to standard error."""
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace").strip()

    def close(self):
        """Ends the service; the fixture calls this.

        If connections are still open, in a variable or in the traceback of a failed test, finalizers end them later. The
        service then continues for these connections alone, until they or this process are gone. Otherwise a finalizer
        would fail, which causes a warning, and at some moments ends pytest on Python 3.11.
        """
        try:
            clients = self._ask({"stop": {"linger": True}})["result"]["clients"]
            # At the end of the stream, the path of the socket is free for the next test.
            self._socket.settimeout(END_LIMIT)
            while self._answers.readline():
                pass
        except (TapSimError, OSError, ValueError, KeyError):
            clients = 0
            self._process.terminate()
        self._answers.close()
        self._socket.close()
        self._errors.close()
        if clients:
            LINGERING.append(self._process)
        else:
            end(self._process)
        if len(LINGERING) > MOST_LINGERING:
            # Connections that only wait for their finalizers end now.
            gc.collect()
        LINGERING[:] = [process for process in LINGERING if process.poll() is None]
        while len(LINGERING) > MOST_LINGERING:
            LINGERING[0].terminate()
            end(LINGERING.pop(0))

    def _ask(self, request):
        self._socket.sendall((json.dumps(request) + "\n").encode())
        line = self._answers.readline()
        if not line:
            raise TapSimError("tapsim serve has ended")
        answer = json.loads(line)
        if not answer["ok"]:
            raise TapSimError(answer["error"])
        return answer


#: Services of finished tests. They end on their own, at the latest with this process.
LINGERING = []


def end(process):
    """Waits for a process that was asked to end, and kills it if it does not end."""
    try:
        process.wait(END_LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def missing(program, error):
    """Returns the reason why the command could not start, and how to install it."""
    if not isinstance(error, FileNotFoundError):
        return "cannot start %s: %s" % (program, error.strerror)
    return (
        "there is no command `%s`; install the wheel of TapSim, which has the command and the plugin, or set the variable "
        "TAPSIM or the ini option `tapsim`" % program)


def command_of(config):
    """Returns the command and its first arguments."""
    named = os.environ.get("TAPSIM") or config.getini("tapsim")
    if named:
        return shlex.split(named)
    # pytest may be started by its path, while its environment is not in PATH.
    beside = os.path.join(sysconfig.get_path("scripts"), "tapsim")
    return [beside if os.access(beside, os.X_OK) else "tapsim"]


def card_argument(template, values):
    """Returns a card as an argument of `--card`: suica:balance=3120,trips=20."""
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
                raise TapSimError("%s=%r contains a comma; write the card into a scenario file" % (path, text))
            parts.append("%s=%s" % (path, text))

    for key, value in values.items():
        add(key, value)
    return template + (":" + ",".join(parts) if parts else "")


# ---------------------------------------------------------------------------------------------------------------------
# Marks


def guess(word, words):
    """Returns `; did you mean …?` if a name is similar to a known one, or an empty text."""
    near = difflib.get_close_matches(word, words, 1)
    return "; did you mean `%s`?" % near[0] if near else ""


def check_names(item):
    """Rejects unknown marks that look like ours: the test would run with another card than it states."""
    known = {re.split(r"[(:]", line)[0].strip() for line in item.config.getini("markers")}
    for mark in item.iter_markers():
        if mark.name not in known and difflib.get_close_matches(mark.name, MARKS, 1, 0.75):
            raise TapSimError("there is no mark `%s`%s" % (mark.name, guess(mark.name, MARKS)))


def settings_of(item):
    """Returns the settings of the marks `tapsim`. The mark closest to the test wins."""
    settings = {}
    for mark in item.iter_markers("tapsim"):
        if mark.args:
            raise TapSimError("the mark `tapsim` takes names and values: tapsim(%s=%r)" % (SETTINGS[0], mark.args[0]))
        for name, value in mark.kwargs.items():
            if name not in SETTINGS:
                raise TapSimError(
                    "the mark `tapsim` has no `%s`%s (it takes %s)" % (name, guess(name, SETTINGS), ", ".join(SETTINGS)))
            if name == "param":
                if not isinstance(value, dict):
                    raise TapSimError("tapsim(param=%r) must be names and values: param={\"trips\": 20}" % (value,))
            elif isinstance(value, bool) or not isinstance(value, (str, int, os.PathLike)):
                raise TapSimError("tapsim(%s=%r) must be a text or a number" % (name, value))
            settings.setdefault(name, value)
    return settings


def cards_of(item):
    """Returns the cards of the marks `card`, as arguments of `--card`; the mark closest to the test comes first."""
    cards = []
    for mark in item.iter_markers("card"):
        if len(mark.args) != 1 or not isinstance(mark.args[0], str):
            raise TapSimError(
                "the mark `card` takes the name of a template or an IC, then names and values: card(\"suica\", "
                "balance=3120); tapsim list cards and tapsim list ics print the names")
        cards.append(card_argument(mark.args[0], mark.kwargs))
    return cards


def options_of(item):
    """Returns the options of `tapsim serve` for a test."""
    check_names(item)
    settings, cards = settings_of(item), cards_of(item)
    scenario = settings.pop("scenario", None)
    options = ["--param=%s=%s" % parameter for parameter in settings.pop("param", {}).items()]
    options += ["--%s=%s" % setting for setting in settings.items()]
    if scenario is None:
        return options + [word for card in cards or ["suica"] for word in ("--card", card)]
    if cards:
        raise TapSimError("a scenario has its own cards; remove the mark `card` or the setting `scenario`")
    return options + [os.fspath(scenario)]


def origin_of(item):
    """Returns the origin whose pages may use the readers."""
    mark = item.get_closest_marker("webusb")
    if mark and (len(mark.args) != 1 or mark.kwargs):
        raise TapSimError("the mark `webusb` takes an origin: webusb(\"http://localhost:8765\")")
    origin = mark.args[0] if mark else item.config.getini("webusb_origin")
    if not origin:
        raise TapSimError(
            "webusb_page needs the origin of the page: add the mark webusb(\"http://localhost:8765\"), or set the ini option "
            "`webusb_origin`")
    return origin


# ---------------------------------------------------------------------------------------------------------------------
# A browser with WebUSB


@contextlib.contextmanager
def webusb_browser(command, origin, program=None):
    """Starts headless Chromium, in which pages of an origin may use the USB reader.

    Driver and browser inherit the variables for USB from os.environ. The folder for the browser's temporary files is
    removed with the browser.
    """
    if "UMOCKDEV_DIR" not in os.environ:
        raise TapSimError("there is no USB reader; add @pytest.mark.tapsim(transport=\"usb\", model=\"rc-s380\")")
    needed = webusb_needs(command, origin)
    try:
        from selenium import webdriver
        from selenium.common.exceptions import WebDriverException
    except ImportError:
        raise TapSimError("Selenium, which controls the browser, is missing; install it with: pip install selenium") from None
    program = program or next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        raise TapSimError("found neither Chromium nor Chrome; install one, or set the ini option `webusb_browser` to its path")
    if os.path.realpath(program).startswith("/snap/") or os.path.realpath(program) == "/usr/bin/snap":
        raise TapSimError("%s is a snap, which cannot see virtual readers; install Chrome as a .deb" % program)
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in needed["flags"]:
        options.add_argument(flag)
    options.add_experimental_option("prefs", needed["preferences"])
    # If this process is killed, the folder is removed with the reader. The folder of the reader is in /tmp if the path of
    # Chromium's socket would otherwise be too long.
    folder = tempfile.mkdtemp(dir=os.environ["UMOCKDEV_DIR"])
    service = webdriver.ChromeService(shutil.which("chromedriver"), env=dict(os.environ, TMPDIR=folder))
    driver = None
    try:
        try:
            driver = webdriver.Chrome(options=options, service=service)
        except WebDriverException as error:
            raise TapSimError("cannot start the browser: %s" % error.msg) from None
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": needed["script"]})
        yield driver
    finally:
        if driver:
            driver.quit()
        shutil.rmtree(folder, ignore_errors=True)


def webusb_needs(command, origin):
    """Returns preferences, flags and a script, as `tapsim webusb` prints them."""
    try:
        output = subprocess.run(
            command + ["webusb", "--json", origin], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, timeout=START_LIMIT).stdout
    except OSError as error:
        raise TapSimError(missing(command[0], error)) from None
    needed = json.loads(output)
    if "error" in needed:
        raise TapSimError(needed["error"]["message"])
    return needed


# ---------------------------------------------------------------------------------------------------------------------
# Saved tests


class Keeper:
    """Saves tests of this run in .tapsim/runs, below the folder in which pytest was started."""

    def __init__(self, config):
        self.policy = config.getoption("tapsim_trace")
        self.folder = str(config.invocation_params.dir)
        # Workers of pytest-xdist write into the folder of their controller.
        self.name = getattr(config, "workerinput", {}).get("tapsim_run") or time.strftime("%Y%m%d-%H%M%S", time.gmtime())
        self.hold = None

    def keep(self, item, field, reason):
        """Saves a test and returns the path of its page."""
        runs = os.path.join(self.folder, RUNS)
        for path in (os.path.dirname(runs), runs):
            # A link that came with somebody's tests may lead anywhere, and old runs are removed.
            if os.path.islink(path):
                raise OSError("%s is a symbolic link" % path)
        run = os.path.join(runs, self.name)
        if not os.path.isdir(run):
            os.makedirs(runs, exist_ok=True)
            self._remove_old(runs)
            # Git ignores runs, as for `tapsim run`.
            ignored = os.path.join(os.path.dirname(runs), ".gitignore")
            if not os.path.lexists(ignored):
                with open(ignored, "x", encoding="ascii") as file:
                    file.write("*\n")
        with contextlib.suppress(FileExistsError):  # Another worker has created it.
            make_run(run)
        if self.hold is None:
            # Workers share this lock; removing an old run needs an exclusive one.
            with contextlib.suppress(OSError):
                self.hold = hold(run, fcntl.LOCK_SH)
        name = re.sub(r"[^A-Za-z0-9._]+", "-", item.nodeid).strip("-.")[-LONGEST_NAME:].lstrip("-.")
        place = os.path.join(run, name)
        while os.path.exists(place):
            place += "-"
        field.keep(place, reason, item.nodeid)
        return os.path.join(os.path.relpath(place, self.folder), "trace.html")

    def _remove_old(self, runs):
        kinds = {}  # Campaigns, runs with traces and others count separately, as for `tapsim run`.
        for name in sorted(name for name in os.listdir(runs) if re.fullmatch(r"[0-9-]{15,}", name)):
            path = os.path.join(runs, name)
            kind = (os.path.exists(os.path.join(path, "campaign.json")), bool(glob.glob(glob.escape(path) + "/*/trace.jsonl")))
            kinds.setdefault("campaign" if kind[0] else kind[1], []).append(path)
        for path in (path for paths in kinds.values() for path in paths[:-(KEPT_RUNS - 1)]):
            # The run is in progress, or TapSim did not create the folder.
            with contextlib.suppress(OSError):
                remove_run(path)


def hold(folder, how):
    """Locks a folder until the returned descriptor is closed; raises BlockingIOError if another process has the lock."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, how | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def make_run(path):
    """Creates the folder of a run with the mark that allows TapSim to remove it later."""
    os.mkdir(path, 0o700)
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        with open(os.open(MARK, flags, 0o600, dir_fd=folder), "w", encoding="ascii") as mark:
            mark.write(mark_of(folder, os.getpid(), start_of(os.getpid()) or 0))
    finally:
        os.close(folder)


def remove_run(path):
    """Removes the folder of an old run if its mark proves that TapSim created it; raises OSError if a process has locked it."""
    folder = hold(path, fcntl.LOCK_EX)
    try:
        with open(os.open(MARK, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder), encoding="ascii") as mark:
            modes = [(os.fstat(file).st_uid, os.fstat(file).st_mode & 0o777) for file in (folder, mark.fileno())]
            text = mark.read(LONGEST_MARK)
        creator = re.search(r"^process (\d+)\nstart (\d+)$", text, re.MULTILINE)
        if modes != [(os.geteuid(), 0o700), (os.geteuid(), 0o600)] or not creator:
            return
        process, start = map(int, creator.groups())
        is_left = text == mark_of(folder, process, start) and start_of(process) != start
        if is_left and not has_mount(path) and holds_only_own_files(path):
            shutil.rmtree(path, ignore_errors=True)
    except ValueError:  # The mark is not text.
        pass
    finally:
        os.close(folder)


def mark_of(folder, process, start):
    """Returns the text of the mark in an open folder that a process created."""
    status = os.fstat(folder)
    return "TapSim made this folder and removes it. Format 1.\nkind run\ndevice %d\ninode %d\nprocess %d\nstart %d\n" % (
        status.st_dev, status.st_ino, process, start)


def start_of(process):
    """Returns the start time of a process in ticks since boot; None if it has ended or the system does not report it."""
    try:
        with open("/proc/%d/stat" % process, "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return None if fields[0] in (b"Z", b"X") else int(fields[19])


def holds_only_own_files(path):
    """Returns whether a folder contains only files with names of TapSim; somebody may have added notes to a run."""
    with os.scandir(path) as entries:
        return all(
            holds_only_own_files(entry.path) if entry.is_dir(follow_symlinks=False)
            else entry.name in OWN_FILES and not entry.is_symlink() for entry in entries)


def has_mount(path):
    """Returns whether a file system is mounted below a folder; it would be emptied with the folder."""
    escapes = {character: "\\%03o" % ord(character) for character in " \t\n\\"}
    inside = os.path.realpath(path).translate(str.maketrans(escapes)) + "/"
    try:
        with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as mounts:
            return any(line.split(" ")[4].startswith(inside) for line in mounts)
    except OSError:
        return False


FIELD = pytest.StashKey()
KEEPER = pytest.StashKey()


def is_verdict(field, excinfo):
    """Returns whether a test failed because `verify` found something."""
    return field.is_unmet and excinfo is not None and excinfo.errisinstance(pytest.fail.Exception)


def reason_of(field, excinfo):
    """Returns the reason why a test failed, as one line; None if the service judged the test and knows the reason."""
    if excinfo is None or is_verdict(field, excinfo):
        return None
    return excinfo.exconly(tryshort=True).strip().split("\n")[0][:LONGEST_REASON]


def tell(item, field, report, call):
    """Adds the exchanges of a test to its report, and saves the test."""
    # The text of a failed `verify` already contains them.
    lines = [] if is_verdict(field, call.excinfo) else field.words()
    if len(lines) > LONGEST_TABLE:
        lines = ["… %d lines before" % (len(lines) - LONGEST_TABLE)] + lines[-LONGEST_TABLE:]
    keeper = item.config.stash[KEEPER]
    if keeper.policy != "off":
        try:
            lines.append("page  %s" % keeper.keep(item, field, reason_of(field, call.excinfo)))
        except OSError as error:
            lines.append("cannot save the run: %s" % error)
    report.sections.append(("tapsim exchanges", "\n".join(lines)))
    messages = field.messages()
    if messages:
        report.sections.append(("tapsim messages", messages))


# ---------------------------------------------------------------------------------------------------------------------
# Hooks and fixtures


def pytest_addoption(parser):
    parser.addini("tapsim", "The command that starts TapSim.")
    parser.addini("webusb_origin", "The origin of the pages for `webusb_page`, such as http://localhost:8765.")
    parser.addini("webusb_browser", "The browser of `webusb_page` (default: Chromium, or Chrome).")
    parser.getgroup("tapsim").addoption(
        "--tapsim-trace", choices=("on-failure", "always", "off"), default="on-failure",
        help="Save page and trace of tests with the fixture `card` in .tapsim/runs (default: on-failure)")


def pytest_configure(config):
    config.addinivalue_line("markers", "card(template, **values): a virtual card on the reader of the fixture `card`")
    config.addinivalue_line(
        "markers", "tapsim(%s): settings of the fixture `card`" % ", ".join("%s=" % name for name in SETTINGS))
    config.addinivalue_line("markers", "webusb(origin): the origin of the page that the fixture `webusb_page` opens")
    config.stash[KEEPER] = Keeper(config)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    node.workerinput["tapsim_run"] = node.config.stash[KEEPER].name


def pytest_runtest_setup(item):
    for mark in item.iter_markers():
        fixture = MARKS.get(mark.name)
        if fixture and fixture not in getattr(item, "fixturenames", ()):
            pytest.fail(
                "the mark `%s` is for the fixture `%s`, which this test does not use; write: def %s(%s)"
                % (mark.name, fixture, getattr(item, "originalname", None) or item.name, fixture), pytrace=False)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    field = item.stash.get(FIELD, None)
    if field is None or report.when == "teardown":
        return
    is_wanted = report.when == "call" and item.config.stash[KEEPER].policy == "always"
    if report.failed or is_wanted:
        try:
            tell(item, field, report, call)
        except (TapSimError, OSError) as error:
            report.sections.append(("tapsim exchanges", "cannot read the exchanges: %s" % error))


@pytest.fixture(scope="session")
def tapsim_directory():
    """A private folder with a short path, since the path of a socket must be short."""
    directory = tempfile.mkdtemp(prefix="tapsim-")
    if len(os.fsencode(os.path.join(directory, SOCKET))) > LONGEST_SOCKET_PATH:
        os.rmdir(directory)
        directory = tempfile.mkdtemp(prefix="tapsim-", dir="/tmp")
    yield directory
    shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture
def card(request, monkeypatch, tapsim_directory):
    """One or more virtual cards on a virtual reader, for the duration of a test.

    @pytest.mark.card("suica", balance=3120) chooses the card; without a mark it is a Suica. Programs that use PC/SC or libnfc
    find the reader by themselves. For nfcpy, use @pytest.mark.tapsim(transport="nfcpy") and the path in
    os.environ["TAPSIM_NFCPY"].
    """
    item = request.node
    field = problem = None
    try:
        options = options_of(item)
        if not any(option.startswith("--transport=") and option != "--transport=pcsc" for option in options):
            options += ["--socket", os.path.join(tapsim_directory, SOCKET)]
        field = Field(command_of(request.config), options)
    except TapSimError as error:
        problem = str(error)
    if problem:
        pytest.fail(problem, pytrace=False)
    item.stash[FIELD] = field
    try:
        for name, value in field.env.items():
            monkeypatch.setenv(name, value)
        yield field
    finally:
        del item.stash[FIELD]
        field.close()


@pytest.fixture
def webusb_page(request, card):
    """A Selenium driver whose pages use the reader of the test over WebUSB."""
    with contextlib.ExitStack() as stack:
        driver = problem = None
        try:
            driver = stack.enter_context(webusb_browser(
                command_of(request.config), origin_of(request.node), request.config.getini("webusb_browser")))
        except TapSimError as error:
            problem = str(error)
        if problem:
            pytest.fail(problem, pytrace=False)
        yield driver
