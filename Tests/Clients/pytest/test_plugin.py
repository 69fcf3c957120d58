"""The plugin's errors for invalid tests, its saved data of failed tests, and its robustness, with small separate suites."""
import ast
import fcntl
import json
import os
import shutil
import pathlib

import pytest
import tapsim_pytest

pytest_plugins = "pytester"

READ = """
import pytest
from smartcard.System import readers

def connect():
    connection = readers()[0].createConnection()
    connection.connect()
    return connection
"""


@pytest.fixture
def suite(pytester):
    """Runs a suite in its own folder and process; quietly without arguments."""
    def run(text, *arguments):
        pytester.makepyfile(test_suite=READ + text)
        return pytester.runpytest_subprocess("-p", "no:cacheprovider", "-q", *arguments, timeout=120)
    return run


INVALID_MARKS = [
    ('card("suica", balanse=3)', "*unknown key `balanse`*"),
    ('card("sucia")', "*`sucia` is neither a template nor an IC"),
    ("card()", "*the mark `card` takes the name of a template or an IC*"),
    ('crad("suica")', "there is no mark `crad`; did you mean `card`?"),
    ('tapsim(modle="acr122u")', "*no `modle`; did you mean `model`? (it takes scenario, case, param, model, transport, seed)"),
    ('tapsim(model="acr122")', "*cannot be `acr122`"),
    ('tapsim("acr122u")', "the mark `tapsim` takes names and values: tapsim(scenario='acr122u')"),
    ('tapsim(scenario="nothing.yaml")', "there is no file nothing.yaml*"),
    ("tapsim(seed=1.5)", "tapsim(seed=1.5) must be a text or a number"),
    ("tapsim(param=3)", "tapsim(param=3) must be names and values*"),
    ('webusb("http://localhost:8000")', "the mark `webusb` is for the fixture `webusb_page`, which this test does not use; write: *"),
]


def expect_short_errors(result, sentences, warnings=0):
    """Each test ends with an error: its sentence, without a traceback. The tests are in the order of the sentences."""
    result.assert_outcomes(errors=len(sentences), warnings=warnings)
    result.stdout.fnmatch_lines(sentences)
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*During handling*")


def test_an_invalid_mark_is_an_error_with_the_valid_ones(suite):
    tests = ["@pytest.mark.%s\ndef test_%d(card): pass\n" % (mark, number) for number, (mark, _) in enumerate(INVALID_MARKS)]
    expect_short_errors(suite("".join(tests)), [sentence for _, sentence in INVALID_MARKS], warnings=1)


def test_a_scenario_and_cards_cannot_be_combined(suite):
    result = suite('@pytest.mark.tapsim(scenario="a.yaml")\n@pytest.mark.card("suica")\ndef test(card): pass')
    result.stdout.fnmatch_lines(["a scenario has its own cards; remove the mark `card` or the setting `scenario`"])


def test_a_mark_without_the_fixture_is_an_error(suite):
    result = suite('@pytest.mark.card("suica")\ndef test_balance(): pass')
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*this test does not use; write: def test_balance(card)"])


INVALID_PAGES = [
    ([], "webusb_page needs the origin of the page: add the mark webusb(*"),
    (["webusb()"], "the mark `webusb` takes an origin: webusb(*"),
    (['webusb("http://localhost:8000")'], "there is no USB reader; *"),
    (['webusb("http://example.com")', 'tapsim(transport="usb")'], "browsers allow WebUSB only over https or from localhost*"),
]


def test_a_browser_that_cannot_start_is_a_short_error(suite):
    tests = [
        "".join("@pytest.mark.%s\n" % mark for mark in marks) + "def test_%d(webusb_page): pass\n" % number
        for number, (marks, _) in enumerate(INVALID_PAGES)]
    expect_short_errors(suite("".join(tests)), [sentence for _, sentence in INVALID_PAGES])


def test_marks_of_a_class_apply_unless_the_test_overrides_them(suite):
    result = suite("""
@pytest.mark.tapsim(model="acr122u", seed=3)
class TestClass:
    @pytest.mark.tapsim(seed=7)
    def test(self, card):
        assert card.seed == 7
        assert "ACR122U" in str(readers()[0])
""")
    result.assert_outcomes(passed=1)


@pytest.mark.parametrize("command, sentence", [
    ("/nowhere/tapsim", "there is no command `/nowhere/tapsim`; install the wheel of TapSim, *"),
    ("/etc/passwd", "cannot start /etc/passwd: *"),
    ("/bin/echo", "/bin/echo printed no line of `serve --json`; is it tapsim?"),
])
def test_a_missing_command_is_a_short_error(suite, monkeypatch, command, sentence):
    monkeypatch.setenv("TAPSIM", command)
    result = suite("def test(card): pass")
    expect_short_errors(result, [sentence])


FAILING = """
def test_uid(card):
    assert connect().transmit([0xFF, 0xCA, 0, 0, 0])[0] == []

def test_count(card):
    connect()
    card.verify(counts={"felica.read": 2})

def test_passes(card):
    connect()

@pytest.mark.xfail
def test_known(card):
    assert False
"""


FAILING_ONCE = """
def test_that_fails(card):
    assert False
"""


def kept(pytester):
    """Returns the folders of saved tests by test name."""
    return {path.parent.name: path.parent for path in pytester.path.glob(".tapsim/runs/*/*/trace.html")}


def test_a_failing_test_shows_its_exchanges_and_is_saved(suite, pytester):
    result = suite(FAILING)
    result.assert_outcomes(failed=2, passed=1, xfailed=1)
    result.stdout.fnmatch_lines([
        "*- tapsim exchanges -*", "*>    APDU FF CA 00 00 00", "page  .tapsim/runs/*/test_suite.py-test_uid/trace.html",
        "*expect.counts  felica.read   expected 2, got 0", "*reproduce  pytest test_suite.py::test_count", "page  .tapsim/runs/*/test_suite.py-test_count/trace.html"])
    folders = kept(pytester)
    assert sorted(folders) == ["test_suite.py-test_count", "test_suite.py-test_uid"]
    uid = folders["test_suite.py-test_uid"]
    assert sorted(path.name for path in uid.iterdir()) == [
        "client.err", "client.out", "meta.json", "resolved.json", "trace.html", "trace.jsonl"]
    failure, = json.loads((uid / "meta.json").read_text())["failures"]
    assert failure["path"] == "test_suite.py::test_uid"
    assert failure["got"].startswith("assert [")
    assert '"reproduce":"pytest test_suite.py::test_uid"' in (uid / "trace.html").read_text()
    # The failures of `verify` are shown verbatim, once.
    failure, = json.loads((folders["test_suite.py-test_count"] / "meta.json").read_text())["failures"]
    assert (failure["expected"], failure["got"]) == ("2", "0")
    frames = [json.loads(line) for line in (uid / "trace.jsonl").read_text().splitlines()]
    assert any(frame["kind"] == "frame" for frame in frames)


def test_tests_are_saved_as_configured(suite, pytester):
    tests = FAILING_ONCE + "def test_passes(card): pass"
    suite(tests, "--tapsim-trace=off")
    assert not kept(pytester)
    suite(tests, "--tapsim-trace=always")
    assert len(kept(pytester)) == 2


def old_run(folder, process=4194304, start=1):
    """Creates the folder of a run like that of a process that has ended."""
    folder.mkdir(0o700, parents=True)
    (folder / "old").mkdir()
    status = folder.stat()
    mark = folder / ".tapsim-folder"
    mark.write_text(
        "TapSim made this folder and removes it. Format 1.\nkind run\ndevice %d\ninode %d\nprocess %d\nstart %d\n" % (
            status.st_dev, status.st_ino, process, start))
    mark.chmod(0o600)


def test_the_last_twenty_runs_and_runs_in_progress_are_kept(suite, pytester):
    runs = pytester.path / ".tapsim" / "runs"
    for number in range(25):
        old_run(runs / ("20260101-0000%02d" % number))
    (runs / "mine").mkdir()
    # Another process that writes to its run holds the lock.
    held = os.open(runs / "20260101-000003", os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    suite(FAILING_ONCE)
    os.close(held)
    names = sorted(path.name for path in runs.iterdir())
    assert (pytester.path / ".tapsim/.gitignore").read_text() == "*\n"
    assert len(names) == 22 and names[:2] == ["20260101-000003", "20260101-000006"] and "mine" in names


def test_only_runs_created_by_tapsim_are_removed(suite, pytester):
    runs = pytester.path / ".tapsim" / "runs"
    for number in range(30):
        old_run(runs / ("20260101-0000%02d" % number))
    folders = sorted(runs.iterdir())
    folders[0].chmod(0o755)
    (folders[1] / ".tapsim-folder").unlink()
    (folders[2] / ".tapsim-folder").chmod(0o644)
    folders[3].rename(runs / "mine")
    shutil.copytree(runs / "mine", folders[3])  # Its mark names another folder.
    folders[3].chmod(0o700)
    (folders[4] / ".tapsim-folder").write_bytes(b"\xff")
    suite(FAILING_ONCE)
    left = sorted(runs.iterdir())
    assert left[:5] == folders[:5] and folders[5] not in left and all((folder / "old").is_dir() for folder in left[:5])
    assert left[-2].stat().st_mode & 0o777 == 0o700 and (left[-2] / ".tapsim-folder").stat().st_mode & 0o777 == 0o600


def test_a_link_is_not_followed(suite, pytester):
    elsewhere = pytester.mkdir("elsewhere")
    (pytester.path / ".tapsim").symlink_to(elsewhere)
    suite(FAILING_ONCE).stdout.fnmatch_lines(["cannot save the run: *.tapsim is a symbolic link"])
    assert not list(elsewhere.iterdir())


def test_workers_keep_their_tests_in_one_folder(suite, pytester):
    result = suite(FAILING, "-n", "2")
    result.assert_outcomes(failed=2, passed=1, xfailed=1)
    result.stdout.fnmatch_lines(["*- tapsim exchanges -*", "page  .tapsim/runs/*"])
    assert len(kept(pytester)) == 2
    assert len({path.parent for path in kept(pytester).values()}) == 1


# Connections in reference cycles, of earlier tests and this one, whose finalizers run while pytest parses the source of a
# failed test: if a finalizer fails, Python 3.11 ends with `AST constructor recursion depth mismatch`.
OUTLIVING = """
import gc

kept = []

class Cycle:
    def __init__(self, connection):
        self.connection, self.cycle = connection, self

@pytest.mark.parametrize("number", range(6))
def test_that_leaves_connections(card, number):
    gc.disable()
    Cycle(connect())
    kept.extend(Cycle(connect()) for _ in range(3))

@pytest.mark.parametrize("number", range(12))
def test_that_fails(card, number):
    gc.enable()
    gc.set_threshold(50, 1, 1)
    if number:
        kept.clear()
    connection = connect()
    assert connection.transmit([0xFF, 0xCA, 0, 0, 0])[0] == [number]
"""


def test_connections_can_outlive_their_test(suite):
    result = suite(OUTLIVING, "-W", "error::pytest.PytestUnraisableExceptionWarning", "--tapsim-trace=off")
    result.assert_outcomes(passed=6, failed=12)
    for output in (result.stdout, result.stderr):
        output.no_fnmatch_line("*INTERNALERROR*")
        output.no_fnmatch_line("*Exception ignored*")


def test_many_garbage_connections_are_closed_before_their_services(suite, pytester):
    most = 5
    pytester.makeconftest("import tapsim_pytest\ntapsim_pytest.MOST_LINGERING = %d" % most)
    count = most + 10
    result = suite(OUTLIVING.split("@pytest")[0] + """
@pytest.mark.parametrize("number", range(%d))
def test(card, number):
    gc.disable()
    Cycle(connect())
""" % count, "-W", "error::pytest.PytestUnraisableExceptionWarning")
    result.assert_outcomes(passed=count)


def test_the_next_test_has_its_own_cards_despite_an_open_connection(suite):
    suite("""
kept = []

def uid(connection):
    return bytes(connection.transmit([0xFF, 0xCA, 0, 0, 0])[0]).hex()

@pytest.mark.card("ndef", uid="04112233445566")
def test_first(card):
    kept.append(connect())
    assert uid(kept[0]) == "04112233445566"

@pytest.mark.card("ndef", uid="04665544332211")
def test_second(card):
    assert uid(connect()) == "04665544332211"
    # The first service no longer answers, as if it were gone.
    with pytest.raises(Exception, match="Service not available"):
        uid(kept[0])
    kept[0].disconnect()
""").assert_outcomes(passed=2)


def test_the_plugin_is_written_for_python_3_9():
    source = pathlib.Path(tapsim_pytest.__file__).read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 9))
