"""The checks of Tools/test.

Each check has a name and lists the Debian packages it needs, so that it can run alone: Tools/test schema.
To add one, write a function and an entry of CHECKS; to add a test target, an entry of SUITES.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree
from collections.abc import Callable
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / ".build"
LOGS = BUILD / "checks"
PYTHON = ROOT / ".venv/bin/python"
DEBUG = BUILD / "debug/tapsim"
LINUX = sys.platform == "linux"
# Nothing here reads debugging information, and a build without it takes a quarter less time. Compiling each module as a
# whole, together with its interface, saves another quarter. That needs more than one thread to produce an index, which
# XCTest's tests are found with.
FAST = ("-debug-info-format", "none", *(word for option in ("-wmo", "-no-emit-module-separately-wmo", "-num-threads", "2")
                                        for word in ("-Xswiftc", option)))
OPTIMISED = BUILD / ("package/tapsim" if LINUX else "optimised/release/tapsim")

UBUNTU_KEYS = pathlib.Path("/usr/share/keyrings/ubuntu-archive-keyring.gpg")

# The number of lines to print of a failed check's output; its log contains all of them.
LONGEST_OUTPUT = 400
# The number of characters to print of a failed test's message.
LONGEST_MESSAGE = 500
# The number of suites and tests that --times prints.
MOST_TIMES = 20
# The free bytes needed to keep the files of tests in memory.
MEMORY_NEEDED = 4 << 30

# Debian packages, by purpose.
SWIFT = ("libyaml-dev", "libssl-dev", "pkg-config")
C = ("gcc", "libc6-dev", "pkg-config", "libpcsclite-dev")
PCSC = ("pcscd", "vsmartcard-vpcd", "pcsc-tools", "procps")
LIBNFC = ("libnfc-bin", "libnfc-dev", "libnfc-examples")
BROWSER = ("chromium", "chromium-driver")
WIRESHARK = ("tshark",)
USB = ("umockdev", "usbutils", "libusb-1.0-0-dev", "libccid")
VENV = ("python3-venv", "python3-dev", "swig", *C)  # pyscard is compiled.

# Targets that must not link a transport, not even indirectly.
WITHOUT_TRANSPORTS = ("TapFuzz", "TapPhone", "VirtualCoreNFC", "TapTracing", "TapTesting")

# The test targets of Package.swift, and the packages that their tests need.
SUITES = {
    "TapWireTests": (),
    "TapDescribeTests": (),
    "TapCryptoTests": (),
    "TapCardsTests": (),
    "TapFieldTests": (),
    "TapClientTests": (),
    "TapReadersTests": (),
    "TapPCSCTests": (*C, *PCSC),
    "TapSystemTests": ("python3",),
    "TapTransportsTests": PCSC,
    "TapDocumentTests": (),
    "TapImagesTests": (),
    "TapRecordingTests": (),
    "TapScenarioTests": (),
    "TapJudgeTests": (),
    "TapFuzzTests": (),
    "TapYAMLTests": (),
    "TapServeTests": (),
    "TapRunTests": (),
    "TapPhoneTests": (),
    "VirtualCoreNFCTests": (),
    "TapTestingTests": (),
    "TapSimTests": (*VENV, *PCSC, *LIBNFC, *USB, "curl", "fish", "zsh", "groff-base"),
}
ALL_PACKAGES = tuple(package for packages in SUITES.values() for package in packages)
# A phone notices that its app falls silent. Tests that wait for programs keep all threads busy, which looks the same, so
# these targets run before the others.
PHONE_SUITES = ("TapPhoneTests", "VirtualCoreNFCTests", "TapTestingTests")
# A test run has as many threads as there are processors. These tests mostly wait for programs, so they run in parallel with
# the rest, and the ones with many runs of a client in parallel with all others.
WAITING_SUITES = tuple(name for name, packages in SUITES.items() if packages)
CAMPAIGNS = r"^TapSimTests\.`?(The zoo|A campaign|A client of which copies|An audit|A coverage|tapsim fuzz)"


class Failed(Exception):
    """The reason why a check failed, a sentence."""


@dataclass
class Counts:
    passed: int = 0
    skipped: int = 0
    failures: list[str] = field(default_factory=list)

    def add(self, other: "Counts") -> None:
        self.passed += other.passed
        self.skipped += other.skipped
        self.failures += other.failures


# ---------------------------------------------------------------------------------------------------------------------
# Running programs


class Output:
    """The output of a check and of the programs it starts: its log, and with --verbose also the terminal."""

    def __init__(self, log: pathlib.Path, is_verbose: bool):
        self.log, self.is_verbose = log, is_verbose
        # The processor seconds of all programs it started, and of their children.
        self.processor_time = 0.0
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_bytes(b"")

    def write(self, text: str) -> None:
        with self.log.open("a", encoding="utf-8") as file:
            file.write(text)
        if self.is_verbose:
            sys.stdout.write(text)
            sys.stdout.flush()


running: set[subprocess.Popen] = set()
local = threading.local()


def run(*command: str | os.PathLike, may_fail: bool = False, environment: dict[str, str] | None = None) -> bool:
    """Runs a program in its own process group and adds its output to the check's."""
    output: Output = local.output
    output.write(f"$ {' '.join(map(str, command))}\n")
    process = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    running.add(process)
    try:
        for line in process.stdout:
            output.write(line)
        _, status, usage = os.wait4(process.pid, 0)
        code = process.returncode = os.waitstatus_to_exitcode(status)
        output.processor_time += usage.ru_utime + usage.ru_stime
    finally:
        running.discard(process)
    if code != 0 and not may_fail:
        raise Failed(f"{pathlib.Path(command[0]).name} ended with exit code {code}")
    return code == 0


def side_by_side(*actions: Callable[[], Counts]) -> list[Counts]:
    """Runs actions of one check in parallel; they print to the check's output."""
    output = local.output

    def act(action: Callable[[], Counts]) -> Counts:
        local.output = output
        return action()

    with concurrent.futures.ThreadPoolExecutor() as pool:
        return list(pool.map(act, actions))


def end_all() -> None:
    """Ends all running programs and the processes that they started."""
    for process in list(running):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def setup(function: str, *arguments: str) -> None:
    """Calls a function of Tools/lib/setup.sh, which prints to the terminal and may ask questions there."""
    script = f'. "$root/Tools/lib/setup.sh"; {function} "$@"'
    code = subprocess.run(["bash", "-c", script, "setup", *arguments], env={**os.environ, "root": str(ROOT)}).returncode
    if code != 0:
        sys.exit(code)


# ---------------------------------------------------------------------------------------------------------------------
# Tests of Swift packages


# The seconds, suite and name of each test that ran.
times: list[tuple[float, str, str]] = []


def read_report(path: pathlib.Path, counts: Counts) -> int:
    """Adds the tests of a JUnit XML report to the counts; returns the number of tests in the report."""
    total = skipped = 0
    failures = []
    for suite in xml.etree.ElementTree.parse(path).getroot().iter("testsuite"):
        total += int(suite.get("tests", 0))
        for case in suite.iter("testcase"):
            times.append((float(case.get("time", 0)), case.get("classname"), case.get("name")))
            reasons = [failure.get("message", "").strip()[:LONGEST_MESSAGE] for failure in case.iter("failure")]
            if reasons:
                failures.append("\n    ".join([f"{case.get('classname')} {case.get('name')}", *reasons]))
            skipped += case.find("skipped") is not None
    counts.add(Counts(total - skipped - len(failures), skipped, failures))
    return total


def swift_test(report: pathlib.Path, *options: str | os.PathLike) -> Counts:
    """Runs tests of a package and counts them from the reports of both testing libraries."""
    reports = [report, report.with_name(f"{report.stem}-swift-testing.xml")]
    for path in reports:
        path.unlink(missing_ok=True)
    succeeded = run("swift", "test", "--parallel", "--xunit-output", report, *options, may_fail=True)
    counts = Counts()
    total = 0
    for path in reports:
        with contextlib.suppress(FileNotFoundError, xml.etree.ElementTree.ParseError):
            total += read_report(path, counts)
    if total == 0:
        raise Failed("no test ran")
    if not succeeded and not counts.failures:
        raise Failed("the tests stopped early")
    return counts


def package_tests(path: str, scratch: str, *options: str) -> Counts:
    """Builds a package other than the main one, with warnings as errors, and runs its tests."""
    return swift_test(
        BUILD / f"{scratch}.xml", "--package-path", path, "--scratch-path", BUILD / scratch,
        *FAST, "-Xswiftc", "-warnings-as-errors", *options)


# ---------------------------------------------------------------------------------------------------------------------
# The checks


def python() -> None:
    run("bash", "-c", '. Tools/lib/setup.sh; root=$PWD; require_python')


def linked(target: str, targets: dict[str, set[str]]) -> set[str]:
    """Returns the targets that a target imports, directly or indirectly."""
    found: set[str] = set()
    waiting = [target]
    while waiting:
        new = targets.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def build() -> None:
    package = subprocess.run(["swift", "package", "dump-package"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    targets = {target["name"]: {next(iter(needed.values()))[0] for needed in target["dependencies"]}
               for target in json.loads(package)["targets"]}
    for target in WITHOUT_TRANSPORTS:
        if "TapTransports" in linked(target, targets):
            raise Failed(f"{target} imports TapTransports indirectly; apps and campaigns need no transport")
    run("swift", "build", "--build-tests", *FAST, "--explicit-target-dependency-import-check", "error",
        "-Xswiftc", "-warnings-as-errors")


def tests(*filters: str) -> Counts:
    """Runs the tests that match one of the expressions, or all."""
    if filters:
        return test_run("tests", *(word for expression in filters for word in ("--filter", expression)))
    waiting, phones = suites(*WAITING_SUITES), suites(*PHONE_SUITES)
    counts = test_run("phone-tests", "--filter", phones)
    for part in side_by_side(
            lambda: test_run("campaign-tests", "--filter", CAMPAIGNS),
            lambda: test_run("program-tests", "--filter", waiting, "--skip", CAMPAIGNS),
            lambda: test_run("tests", "--skip", waiting, "--skip", phones)):
        counts.add(part)
    return counts


def test_run(report: str, *selection: str) -> Counts:
    # Nothing is built, so the runs need not wait for each other.
    return swift_test(BUILD / f"{report}.xml", "--ignore-lock", "--skip-build", *FAST, *selection)


def suites(*names: str) -> str:
    """Returns an expression that matches the tests of some targets."""
    return "^(" + "|".join(names) + r")\."


def lint() -> None:
    run("swift", "format", "lint", "--parallel", "--recursive", "--strict",
        "Sources", "Tests", "Tools/Benchmarks", "Tools/Fuzz", "Tools/AppleShims", "Tools/examples", "Package.swift")


def schema() -> None:
    files = sorted(ROOT.glob("Scenarios/**/*.yaml"))
    run(PYTHON, "Tools/lib/check_schema.py", DEBUG, "Scenarios/schema/scenario-1.schema.json", *files)


def language() -> None:
    run(sys.executable, "Tools/lib/test_language.py")
    run(sys.executable, "Tools/lib/check_language.py", "--tapsim", DEBUG)


def workflows() -> None:
    """Checks the files for GitHub and GitLab with schemas that check-jsonschema contains, and the workflows with zizmor."""
    def found(*patterns: str) -> list[pathlib.Path]:
        return [path for pattern in patterns for path in sorted(ROOT.glob(pattern))]

    config = ROOT / ".github/ISSUE_TEMPLATE/config.yml"
    schemas = {
        "vendor.github-workflows": found(".github/workflows/*.yml", "Tools/examples/*/.github/workflows/*.yml"),
        "custom.github-workflows-require-timeout": found(".github/workflows/*.yml"),
        "vendor.github-actions": found("Tools/action/action.yml"),
        "vendor.gitlab-ci": found("Tools/gitlab/*.yml", "Tools/examples/*/.gitlab-ci.yml"),
        "vendor.github-issue-config": [config],
        "vendor.github-issue-forms": [path for path in found(".github/ISSUE_TEMPLATE/*.yml") if path != config],
        "vendor.citation-file-format": found("CITATION.cff"),
    }
    for name, files in schemas.items():
        run(PYTHON.with_name("check-jsonschema"), "--builtin-schema", name, *files)
    run(PYTHON.with_name("zizmor"), "--offline", ".github")


def regressions() -> None:
    run(PYTHON, "Tools/lib/check_regressions.py", DEBUG)


def correct() -> None:
    run(PYTHON, "Tools/lib/power.py", "--tapsim", DEBUG, "--correct", "--seeds", "10", "--correct-time", "60s", "--budget", "10s")


def alias() -> None:
    """Compiles the client under the module name that an app in a simulator uses."""
    files = sorted(ROOT.glob("Tests/Clients/CoreNFC/SuicaReader/Sources/SuicaReader/*.swift"))
    # The modules depend on four C modules.
    run("swiftc", "-typecheck", "-swift-version", "5", "-module-alias", "CoreNFC=VirtualCoreNFC",
        "-I", ".build/debug/Modules", "-I", "Sources/CLinux", "-I", "Sources/CLibCrypto",
        "-I", "Sources/CRunPage/include", "-I", "Sources/CForkServer/include", *files)


def api() -> None:
    run(sys.executable, "-B", "Tools/lib/check_api.py")


def docs() -> None:
    run(sys.executable, "-B", "Tools/lib/check_docs.py")


def gates() -> None:
    run("Tools/bench", "--gates")


def fuzz() -> None:
    # Optimised builds take minutes. With a fixed seed, a commit fails only because of what it changes.
    run("Tools/fuzz", "--seed", "1", *("--time", "2m") if "TAPSIM_LONG" in os.environ else ("--quick", "--time", "5s"))


def cluster_fuzz() -> None:
    run(PYTHON, "-B", "Tools/lib/check_cluster_fuzz.py", BUILD / "fuzz/cluster")


def package() -> None:
    if LINUX:
        run("Tools/package")
    else:
        run("swift", "build", "-c", "release", "--product", "tapsim", "--scratch-path", ".build/optimised")


def installs() -> None:
    run("Tools/lib/check_package.sh", BUILD / "package", BUILD / "wheels", "here")


def bare() -> None:
    """Installs the packages on the oldest system, which is most likely to lack something, and on the others only with --long."""
    releases = ["bullseye"]
    if "TAPSIM_LONG" in os.environ:
        releases += ["bookworm", "trixie"]
        # Its signature can be checked only with Ubuntu's keys.
        if UBUNTU_KEYS.exists():
            releases.append("jammy")
    run("Tools/lib/check_package.sh", BUILD / "package", BUILD / "wheels", BUILD / "bare", *releases)


def pipelines() -> None:
    # In a long run, the check `bare` has created it, with Python.
    root = BUILD / "bare/bookworm-python/root"
    bare_root = [root] if "TAPSIM_LONG" in os.environ and root.exists() else []
    run(PYTHON, "Tools/lib/check_pipelines.py", BUILD / "package", BUILD / "wheels", *bare_root)


def page() -> None:
    for test in ("test_page.py", "test_campaign.py", "test_index.py"):
        run(PYTHON, f"Tests/Clients/Browser/{test}", "--tapsim", DEBUG)


def webusb() -> None:
    run(PYTHON, "Tests/Clients/WebUSB/test_webusb.py", "--tapsim", DEBUG)


def captures() -> None:
    run(sys.executable, "Tests/Clients/Wireshark/test_captures.py", "--tapsim", DEBUG)


def without_libraries() -> None:
    """Builds without C libraries; that tapsim reads JSON, and rejects cards and clients whose keys it cannot use."""
    scratch = BUILD / "without-libraries"
    run("swift", "build", *FAST, "--disable-default-traits", "--disable-index-store", "--scratch-path", scratch)
    key = {"card_key": "00112233445566778899AABBCCDDEEFF"}
    keyed = {
        "card": ({"ic": "FeliCa Lite-S"} | key, "ndef"),
        "client": ({"ic": "FeliCa Lite-S"}, {"ndef": key}),
        "session": ({"template": "suica"}, {"session": {"services": {"0048": "0011223344556677"}}}),
    }
    for name, (card, client) in keyed.items():
        file = scratch / f"{name}.json"
        file.write_text(json.dumps({"format": 1, "cards": {"tag": card}, "client": {"builtin": client}}))
        if run(scratch / "debug/tapsim", "check", file, may_fail=True):
            raise Failed(f"tapsim accepted the keys of {file} without ciphers")
    if local.output.log.read_text().count("needs ciphers") < len(keyed):
        raise Failed("tapsim does not report that keys need ciphers")


def clients() -> Counts:
    """Builds and tests Core NFC clients as users would, in separate packages and without C libraries."""
    folder = "Tests/Clients/CoreNFC"
    flags = []
    if LINUX:
        overlay = subprocess.run(
            ["Tools/corenfc-overlay", "--output", BUILD / "client-overlay", f"{folder}/GuardedReader/Sources",
             f"{folder}/Tests/Tests/CoreNFCClientTests/GuardedReaderTests.swift"],
            cwd=ROOT, stdout=subprocess.PIPE, text=True)
        if overlay.returncode != 0:
            raise Failed("Tools/corenfc-overlay failed; run it by hand to see the reason")
        flags = overlay.stdout.split()
    counts = package_tests(f"{folder}/Tests", "app-clients", *flags)
    # With the same options, so that TapSim is not built again.
    counts.add(package_tests("Tools/examples/corenfc-app", "app-clients", *flags))
    return counts


def shims() -> Counts:
    return package_tests("Tools/AppleShims", "apple-shims")


def overlay() -> None:
    run(sys.executable, "Tools/lib/test_overlay.py")


def release() -> None:
    run(sys.executable, "Tools/lib/test_release.py")


def unmeasured(trace: pathlib.Path) -> bytes:
    """Returns a trace without the lines in which two runs may differ."""
    return b"".join(line for line in trace.open("rb") if b'"measured":true' not in line)


def same_runs() -> None:
    """Runs each scenario that must pass in both builds and compares the JSON output and the trace byte for byte."""
    folders = ("felica", "ntag215", "readers", "field", "uses")
    files = sorted(path for folder in folders for path in ROOT.glob(f"Scenarios/{folder}/**/*.yaml"))
    # The timing of separate programs varies, so their runs are not compared.
    files = [path for path in files if "client: {run:" not in path.read_text(encoding="utf-8")]
    written = []
    for tapsim in (DEBUG, OPTIMISED):
        # Packages have the version of their commit, other builds have the version in the sources.
        version = subprocess.run([tapsim, "--version"], stdout=subprocess.PIPE).stdout.split()[-1]
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run([tapsim, "run", "--json", "--trace", "always", *files], cwd=folder, stdout=subprocess.PIPE)
            if result.returncode != 0:
                raise Failed(f"{tapsim} ended with exit code {result.returncode}")
            traces = sorted(pathlib.Path(folder).glob(".tapsim/runs/*/*/trace.jsonl"), key=lambda path: path.parent.name)
            if len(traces) < len(files):
                raise Failed(f"{tapsim} kept {len(traces)} traces of {len(files)} scenarios")
            text = re.sub(rb'"\.tapsim/runs/[0-9-]+/', b'"RUN/', result.stdout) + b"".join(map(unmeasured, traces))
        written.append(text.replace(b'"' + version + b'"', b'"VERSION"'))
        tapsim.with_name("same-run.json").write_bytes(written[-1])
    if written[0] != written[1]:
        raise Failed(f"the builds differ: {' and '.join(str(path.with_name('same-run.json')) for path in (DEBUG, OPTIMISED))}")


def nothing_left() -> None:
    """Checks that tests and our programs have removed their files; compilers leave some of theirs.

    Tests also kill our program, so the next run of it must be able to clean up.
    """
    subprocess.run([DEBUG, "run", "--card", "ndef", "--trace", "off", "--", "true"], capture_output=True)
    left = sorted(pathlib.Path(os.environ["TMPDIR"]).glob("tapsim*"))
    if left:
        raise Failed("left in the temporary directory: " + "; ".join(map(remains, left)))


def remains(path: pathlib.Path) -> str:
    """Describes something that was left: its contents, and the process that created it."""
    names = " ".join(sorted(os.listdir(path))) if path.is_dir() else "a file"
    mark = path / ".tapsim-folder"
    creator = re.search(r"^process (\d+)$", mark.read_text(), re.M) if mark.is_file() else None
    if not creator:
        return f"{path.name} ({names or 'empty'})"
    command = pathlib.Path("/proc", creator[1], "cmdline")
    state = command.read_bytes().replace(b"\0", b" ").decode(errors="replace") if command.exists() else "which has ended"
    return f"{path.name} ({names}; of process {creator[1]}, {state})"


@dataclass(frozen=True)
class Check:
    name: str
    says: str
    action: Callable[[], Counts | None]
    packages: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    # Uses the results of these checks, if they run too.
    after: tuple[str, ...] = ()
    is_for_linux: bool = False
    # Runs only if named, or with --long.
    is_long: bool = False
    # Builds all of TapSim again, or needs such a build: runs only if named, with --builds or with --long.
    is_other_build: bool = False
    # Runs after all others.
    is_last: bool = False


# In the order in which they start, the longest first.
CHECKS = [
    Check("build", "Everything builds without warnings, and the layers hold", build),
    Check("python", "The Python programs for tests are installed in .venv", python, VENV),
    Check("tests", "Every test of the package passes", tests, ALL_PACKAGES, ("build", "python")),
    Check("package", "tapsim is built as one file, and packaged", package, ("binutils", "debian-archive-keyring"),
          is_other_build=True),
    Check("installs", "The packages are complete, and the wheel runs a user's test", installs, (), ("package", "python"),
          is_for_linux=True, is_other_build=True),
    Check("bare", "The packages install and run on bare systems", bare,
          ("debootstrap", "debian-archive-keyring"), ("package", "python"),
          is_for_linux=True, is_long=True),
    Check("pipelines", "The pipelines for CI services pass, and explain failures", pipelines,
          (*LIBNFC, "git", "make"), ("package", "python"), ("bare",), is_for_linux=True,
          is_other_build=True),
    Check("gates", "Instructions and allocations stay near those of C", gates, ("valgrind", "gcc", "libc6-dev"),
          is_for_linux=True, is_long=True),
    Check("fuzz", "libFuzzer finds nothing", fuzz, is_for_linux=True, is_other_build=True),
    Check("cluster-fuzz", "ClusterFuzzLite's script builds every target, and each runs", cluster_fuzz, (), ("python",),
          is_for_linux=True, is_long=True),
    Check("without-libraries", "Everything builds without libyaml and libcrypto", without_libraries, is_other_build=True),
    Check("clients", "Apps with Core NFC build and pass in separate packages", clients, is_other_build=True),
    Check("shims", "The replacements for Apple's modules pass their tests", shims, is_for_linux=True),
    Check("overlay", "The overlay makes iOS sources compile", overlay, is_for_linux=True),
    Check("page", "The page of a run works in Chromium", page, BROWSER, ("build", "python"),
          is_for_linux=True),
    Check("webusb", "Pages on WebUSB read virtual cards in Chromium", webusb, (*BROWSER, "umockdev"), ("build", "python"),
          is_for_linux=True),
    Check("captures", "Wireshark reads the captures of every shipped scenario", captures, WIRESHARK, ("build",),
          is_for_linux=True),
    Check("docs", "The documentation of the libraries builds without warnings, and its code compiles", docs, (), ("build",),
          is_for_linux=True),
    Check("api", "The libraries' public declarations are those listed in docs/api", api, (), ("build",), is_for_linux=True),
    Check("lint", "The source is formatted", lint),
    Check("language", "Pages, messages and help are plain English, and translations up to date", language, (), ("build",)),
    Check("release", "Tools/release reads the changelog and lists the libraries in tapsim", release, is_for_linux=True),
    Check("schema", "The JSON Schema and the reader agree on every scenario", schema, (), ("build", "python")),
    Check("workflows", "The files for GitHub and GitLab are valid, and the workflows safe", workflows, (), ("python",)),
    Check("regressions", "Known bugs of released clients are still found", regressions,
          (*PCSC, *LIBNFC, *USB, "opensc"), ("build", "python"), is_for_linux=True),
    Check("correct", "Correct clients pass ten campaigns each", correct,
          (*PCSC, *LIBNFC, *USB, *BROWSER), ("build", "python"), is_for_linux=True, is_long=True),
    Check("alias", "A client compiles with a module alias", alias, (), ("build",)),
    Check("same-runs", "Optimised and debug builds give the same runs", same_runs, (), ("build", "package"),
          is_other_build=True),
    Check("nothing-left", "Nothing is left in the temporary directory", nothing_left, is_last=True),
]


def suite(name: str) -> Check:
    """Returns the check that runs a test target, or the tests that match an expression."""
    expression = suites(name) if name in SUITES else name
    # Without a target name, the test may be in any target.
    packages = SUITES.get(name.partition(".")[0], ALL_PACKAGES)
    needs = ("build", "python") if "python3-venv" in packages else ("build",)
    return Check(name, "Tests of this name pass", lambda: tests(expression), packages, needs)


# ---------------------------------------------------------------------------------------------------------------------
# Running checks


class Runner:
    def __init__(self, is_verbose: bool):
        self.is_verbose = is_verbose
        self.counts = Counts()
        self.failed: set[str] = set()
        self.lock = threading.Lock()

    def run(self, check: Check) -> None:
        """Runs a check and prints a line about it, and its output if it failed."""
        local.output = Output(LOGS / (re.sub(r"[^\w.-]+", "_", check.name) + ".log"), self.is_verbose)
        before = time.monotonic()
        counts = None
        try:
            missing = self.failed.intersection(check.needs)
            if missing:
                raise Failed(f"it needs {' and '.join(sorted(missing))}, which failed")
            counts = check.action() or Counts(passed=1)
        except Failed as reason:
            counts = Counts(failures=[f"{check.name}: {reason}"])
        except Exception as error:  # A bug of a check counts as its failure.
            counts = Counts(failures=[f"{check.name}: {type(error).__name__}: {error}"])
        with self.lock:
            self.counts.add(counts)
            if counts.failures:
                self.failed.add(check.name)
            self.tell(check, counts, time.monotonic() - before)

    def tell(self, check: Check, counts: Counts, seconds: float) -> None:
        if counts.failures and not self.is_verbose:
            lines = local.output.log.read_text(encoding="utf-8", errors="replace").splitlines()
            for line in lines[-LONGEST_OUTPUT:]:
                print(f"    {line}")
        number = f": {counts.passed} passed" if counts.passed > 1 else ""
        number += f", {counts.skipped} skipped" if counts.skipped else ""
        print(f"{'FAILED' if counts.failures else 'ok':6}  {check.name:12}  {check.says}{number}  "
              f"({seconds:.0f} s, {local.output.processor_time:.0f} s of processors)", flush=True)
        for failure in counts.failures:
            print(f"    {failure}", flush=True)

    def run_all(self, checks: list[Check]) -> None:
        """Runs two checks at a time, each as soon as the checks it needs have ended: a compiler often uses one processor, and
        tests mostly wait."""
        last = [check for check in checks if check.is_last]
        waiting = [check for check in checks if not check.is_last]
        unfinished = {check.name for check in waiting}
        changed = threading.Condition()

        def next_check() -> Check | None:
            """Returns the first check that can run; `None` once all have started."""
            with changed:
                while waiting:
                    for check in waiting:
                        if unfinished.isdisjoint(check.needs + check.after):
                            waiting.remove(check)
                            return check
                    changed.wait()
            return None

        def work() -> None:
            while check := next_check():
                self.run(check)
                with changed:
                    unfinished.discard(check.name)
                    changed.notify_all()

        threads = [threading.Thread(target=work, daemon=True) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for check in last:
            self.run(check)

    def tell_times(self) -> None:
        """Prints the elapsed time of suites and tests; they run in parallel, so this exceeds their processor time."""
        of_suites = collections.Counter()
        for seconds, suite, _ in times:
            of_suites[suite] += seconds
        print("\nThe slowest suites:")
        for suite, seconds in of_suites.most_common(MOST_TIMES):
            print(f"  {seconds:7.1f} s  {suite}")
        print("\nThe slowest tests:")
        for seconds, suite, name in sorted(times, reverse=True)[:MOST_TIMES]:
            print(f"  {seconds:7.1f} s  {suite} {name}")

    def finish(self) -> int:
        if self.counts.failures:
            print("\nFailed:")
            for failure in self.counts.failures:
                print(f"  {failure}")
            print(f"The full output of each check is in {LOGS.relative_to(ROOT)}.")
        print(f"\n{self.counts.passed} passed, {len(self.counts.failures)} failed")
        return 1 if self.counts.failures else 0


def chosen(names: list[str], has_builds: bool) -> list[Check]:
    """Returns the checks of these names and the checks they need, in list order; test targets and expressions last."""
    checks = {check.name: check for check in CHECKS if LINUX or not check.is_for_linux}
    if not names:
        is_long = "TAPSIM_LONG" in os.environ
        return [check for check in checks.values()
                if is_long or not check.is_long and (has_builds or not check.is_other_build)]
    suites = [suite(name) for name in names if name not in checks]
    wanted = {name for name in names if name in checks}
    needed = [need for check in suites for need in check.needs]
    needed += [need for name in wanted for need in checks[name].needs]
    return [check for name, check in checks.items() if name in wanted.union(needed)] + suites


def options() -> argparse.Namespace:
    def option(check: Check) -> str:
        return " (--long)" if check.is_long else " (--builds)" if check.is_other_build else ""

    names = "\n".join(f"  {check.name:18} {check.says}{option(check)}" for check in CHECKS)
    parser = argparse.ArgumentParser(
        prog="Tools/test", formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False,
        description="Runs the checks of TapSim: the named ones, or the ones below.",
        epilog=f"checks:\n{names}\ntest targets:\n  " + "\n  ".join(SUITES)
        + "\n\nAny other NAME is a regular expression for the names of tests.\n"
        "The last line is \"N passed, N failed\". Exit codes: 0 if nothing failed, 1 if something failed,\n"
        "2 for a wrong option, 3 if something is missing and could not be installed.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a check, a test target or a regular expression")
    parser.add_argument("--yes", action="store_true", help="install missing packages without asking")
    parser.add_argument("--builds", action="store_true",
                        help="also check the other builds: optimised, with packages; as a dependency of Core NFC apps; "
                        "without C libraries; with libFuzzer")
    parser.add_argument("--long", action="store_true",
                        help="also run the long random sequences and the checks that take minutes")
    parser.add_argument("--times", action="store_true", help="print the slowest suites and tests at the end")
    parser.add_argument("-v", "--verbose", action="store_true", help="print the output of every check")
    return parser.parse_args()


def memory() -> pathlib.Path | None:
    """Returns a folder in memory with room for programs, if there is one: disks are slow with many short-lived files."""
    folder = pathlib.Path("/dev/shm")
    is_fit = (
        os.access(folder, os.W_OK) and not os.statvfs(folder).f_flag & os.ST_NOEXEC
        and shutil.disk_usage(folder).free >= MEMORY_NEEDED)
    return folder if is_fit else None


def main() -> int:
    given = options()
    os.environ.update(
        SWIFT_BACKTRACE="enable=no",
        # No test may reach the readers of this machine; tests that open their own services replace the value.
        PCSCLITE_CSOCK_NAME="/nonexistent",
        TAPSIM_TEST_PYTHON=str(PYTHON))
    if given.yes:
        os.environ["TAPSIM_YES"] = "1"
    if given.long:
        os.environ["TAPSIM_LONG"] = "1"

    checks = chosen(given.names, given.builds)
    setup("require_swift")
    setup("require_packages", *dict.fromkeys([*SWIFT, *(package for check in checks for package in check.packages)]))

    # A background shell ignores SIGINT, which child processes inherit, but tests interrupt programs.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.signal(signal.SIGHUP, lambda *_: sys.exit(129))
    # All files of this run are in one folder, which is removed even if the run is interrupted. It also contains programs
    # that tests start as another user. The name is short, since paths of sockets must be short.
    # The systems installed by long checks need more room, and devices.
    is_long = any(check.is_long for check in checks)
    folder = tempfile.mkdtemp(prefix="test.", dir=None if is_long else memory())
    os.chmod(folder, 0o711)
    os.environ["TMPDIR"] = folder
    runner = Runner(given.verbose)
    try:
        runner.run_all(checks)
    except KeyboardInterrupt:
        return 130
    finally:
        end_all()
        shutil.rmtree(folder, ignore_errors=True)
    if given.times:
        runner.tell_times()
    return runner.finish()


if __name__ == "__main__":
    # If SIGCHLD were ignored, every check would appear to exit with 0.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    sys.exit(main())
