"""Tests the pipelines that users get: from `tapsim init`, the GitHub action and the GitLab template.

usage: python check_pipelines.py PACKAGES WHEELS [ROOT]

PACKAGES contains the wheel; WHEELS caches the dependencies of the examples' clients.
Each pipeline runs as its service runs it, on a machine with Python and the installed Debian packages: once unchanged, which
must pass, and once with a wrong expectation, which must fail and show everything that a failure should show.
With ROOT, a bare system with Python, the pipelines that need nothing else run in it. The pipelines of `tapsim init` for pyscard,
nfcpy and libnfc clients run in copies of ROOT, into which they install real packages.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from pipelines import ROOT, GitHub, GitLab, Machine, Outcome, make_environment

WORKFLOW, GITLAB_FILE = ".github/workflows/tapsim.yml", ".gitlab-ci.yml"
SERVICES = {"github": (GitHub, WORKFLOW), "gitlab": (GitLab, GITLAB_FILE)}
# The examples with a pipeline; the check `clients` tests the Core NFC example, which needs TapSim next to it.
EXAMPLES = {"pyscard-kiosk": "github", "nfcpy-script": "github", "libnfc-library": "gitlab"}


class Checker:
    def __init__(self, wheel: pathlib.Path, clients: pathlib.Path, folder: pathlib.Path, root: pathlib.Path | None):
        self.wheel, self.folder, self.root = wheel, folder, root
        self.count = 0
        self.problems: list[str] = []
        links = folder / "links"
        shutil.copytree(clients, links)
        shutil.copy(wheel, links)
        self.index = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(links)}
        # As on a user's machine: an environment with the wheel installed.
        self.tapsim = self.installed("by-file", [str(wheel)])

    def installed(self, name: str, arguments: list[str]) -> pathlib.Path:
        place = self.folder / name
        make_environment(place)
        subprocess.run([place / "bin/pip", "install", "--quiet", *arguments], check=True, env={**os.environ, **self.index})
        return place / "bin/tapsim"

    def repository(self, name: str) -> pathlib.Path:
        place = self.folder / name
        place.mkdir()
        self.git(place, "init", "--quiet")
        return place

    def add_wheel(self, place: pathlib.Path) -> None:
        (place / "wheels").mkdir()
        shutil.copy(self.wheel, place / "wheels")

    def git(self, place: pathlib.Path, *arguments: str) -> None:
        options = ["-c", "user.name=A user", "-c", "user.email=user@example.com", "-c", "init.defaultBranch=main"]
        subprocess.run(["git", *options, *arguments], cwd=place, check=True)

    def commit(self, place: pathlib.Path, *paths: str) -> None:
        self.git(place, "add", *paths)
        self.git(place, "commit", "--quiet", "--message", "A change")

    def init(self, place: pathlib.Path, *arguments: str) -> list[str]:
        """Runs `tapsim init`; returns the paths to add to git, none without a pipeline."""
        # `python3` is the Python in which the clients of this check find what they need.
        path = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
        result = subprocess.run(
            [self.tapsim, "init", *arguments], cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PATH": path})
        if result.returncode != 0:
            raise SystemExit(f"init failed: {result.stderr}")
        found = re.search(r"^  git add (.*), commit and push$", result.stdout, re.MULTILINE)
        return found[1].split() if found else []

    def run_bare(self, service: str, repository: pathlib.Path) -> Outcome:
        """Runs a pipeline in a copy of the root, into which it installs packages."""
        self.count += 1
        kind, path = SERVICES[service]
        with tempfile.TemporaryDirectory(prefix="root.", dir=self.root.parent) as place:
            root = pathlib.Path(place) / "root"
            subprocess.run(["cp", "--archive", "--reflink=auto", self.root, root], check=True)
            shutil.copy("/etc/resolv.conf", root / "etc")
            # There is no wheel of pyscard for Linux but the one that this machine has made.
            shutil.copytree(self.folder / "links", root / "links", ignore=shutil.ignore_patterns("pyscard-*.whl"))
            variables = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/links", "DEBIAN_FRONTEND": "noninteractive"}
            outcome = kind(Machine(root / "job", repository, variables, root, has_packages=True)).run(path)
            outcome.move(self.folder / f"machine-{self.count}")
        return outcome

    def run(self, service: str, repository: pathlib.Path, has_index: bool = True) -> Outcome:
        self.count += 1
        kind, path = SERVICES[service]
        # A machine without an index proves that the pipeline needs none.
        variables = self.index if has_index else {"PIP_NO_INDEX": "1"}
        if self.root is None or has_index:
            return kind(Machine(self.folder / f"machine-{self.count}", repository, variables)).run(path)
        with tempfile.TemporaryDirectory(prefix="job.", dir=self.root) as place:
            outcome = kind(Machine(pathlib.Path(place) / "job", repository, variables, self.root)).run(path)
            outcome.move(self.folder / f"machine-{self.count}")
        return outcome

    def expect(self, what: str, holds: object, outcome: Outcome) -> None:
        if not holds:
            self.problems.append(what)
            print(f"FAILED {what}\n{outcome.output}\n{outcome.annotations}\n{outcome.summary}")

    def green(self, what: str, service: str, repository: pathlib.Path, **options) -> Outcome:
        return self.check_green(what, service, self.run(service, repository, **options))

    def check_green(self, what: str, service: str, outcome: Outcome) -> Outcome:
        self.expect(f"{what} is green", outcome.passed, outcome)
        self.expect(f"{what} runs a case", re.search(r"[1-9]\d* passed, 0 failed", outcome.output), outcome)
        self.expect(f"{what} reports its case", cases(outcome) and not failures(outcome), outcome)
        self.expect(f"{what} annotates nothing", not outcome.annotations, outcome)
        if service == "github":
            self.expect(f"{what} has a summary", outcome.summary, outcome)
        print(f"green  {what}")
        return outcome

    def red(self, what: str, service: str, repository: pathlib.Path, **options) -> Outcome:
        """Breaks an expectation, runs the pipeline and checks that the failure is reported everywhere."""
        file = next((repository / "Scenarios").glob("*.yaml"))
        text = file.read_text()
        # The last number of the file is part of what is expected.
        broken = re.sub(r"(\d+)(\D*)$", lambda found: f"{int(found[1]) + 1}{found[2]}", text.rstrip()) + "\n"
        line = 1 + next(n for n, pair in enumerate(zip(text.split("\n"), broken.split("\n"))) if pair[0] != pair[1])
        file.write_text(broken)
        self.commit(repository, "Scenarios")
        outcome = self.run(service, repository, **options)
        name = f"Scenarios/{file.name}"
        self.expect(f"{what} is red", not outcome.passed and "1 failed" in outcome.output, outcome)
        self.expect(f"{what} reports the failure", failures(outcome), outcome)
        pages = [path for place in outcome.artifacts.values() for path in place.glob(".tapsim/runs/*/*/trace.html")]
        self.expect(f"{what} keeps a page", pages, outcome)
        if service == "github":
            place = re.compile(rf"::error file={re.escape(name)},line={line}\b")
            self.expect(f"{what} annotates line {line}", any(map(place.match, outcome.annotations)), outcome)
            self.expect(f"{what} tells it in the summary", "expected" in outcome.summary, outcome)
        print(f"red    {what}")
        return outcome


def report(outcome: Outcome) -> xml.etree.ElementTree.Element | None:
    return xml.etree.ElementTree.parse(outcome.report).getroot() if outcome.report else None


def cases(outcome: Outcome) -> list:
    root = report(outcome)
    return [] if root is None else list(root.iter("testcase"))


def failures(outcome: Outcome) -> list:
    return [case for case in cases(outcome) if case.find("failure") is not None]


def listing(file: str, first: str) -> str:
    """Returns a listing of a documentation page, by its first line."""
    return re.search(rf"```yaml\n({re.escape(first)}\n.*?)```", (ROOT / file).read_text(), re.DOTALL)[1]


def check_init(checker: Checker) -> None:
    for service in SERVICES:
        # From a wheel on the desk: it goes into the repository, and no index is needed.
        place = checker.repository(f"by-file-{service}")
        checker.commit(place, *checker.init(place, "--ci", service))
        checker.green(f"init from a wheel, {service}", service, place, has_index=False)
        checker.red(f"init from a wheel, {service}", service, place, has_index=False)
        # With a client of the machine.
        place = checker.repository(f"nfc-list-{service}")
        arguments = ("--ci", service, "--from-run", "--card", "ndef", "--", "nfc-list")
        checker.commit(place, *checker.init(place, *arguments))
        checker.green(f"init, a client of the machine, {service}", service, place)
        # Without the permission that `init` arranged, the client is refused with the reason.
        file = place / SERVICES[service][1]
        file.write_text(file.read_text().replace("Scenarios --allow-client", "Scenarios"))
        checker.commit(place, ".")
        outcome = checker.run(service, place)
        checker.expect("a client from elsewhere needs permission", not outcome.passed, outcome)
        checker.expect("the reason is told", "programs run with your permissions" in outcome.output, outcome)


def check_by_hand(checker: Checker) -> None:
    texts = {
        "github": listing("docs/ci.md", f"# {WORKFLOW}"), "gitlab": listing("docs/ci.md", f"# {GITLAB_FILE}")}
    for service, (_, path) in SERVICES.items():
        place = checker.repository(f"by-hand-{service}")
        checker.init(place, "--ci", "none")
        checker.add_wheel(place)
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(texts[service])
        if service == "gitlab":
            (place / "ci").mkdir()
            shutil.copy(ROOT / "Tools/gitlab/tapsim.yml", place / "ci")
        checker.commit(place, ".")
        checker.green(f"by hand, {service}", service, place)
        checker.red(f"by hand, {service}", service, place)


def check_inputs(checker: Checker) -> None:
    """The inputs of the action: a wheel of the repository, words in quotes, and nothing that a shell would carry out."""
    place = checker.repository("inputs")
    checker.init(place, "--ci", "none")
    (place / "Scenarios/first.yaml").rename(place / "Scenarios/a first.yaml")
    (place / "wheels").mkdir()
    shutil.copy(checker.wheel, place / "wheels")
    (place / WORKFLOW).parent.mkdir(parents=True)
    text = listing("docs/ci.md", f"# {WORKFLOW}").replace("scenarios: Scenarios", "\n          ".join([
        "scenarios: \"'Scenarios/a first.yaml'\"", f"install: ./wheels/{checker.wheel.name}",
        "arguments: \"--seed 1 --param '$(touch harm)'\"", "junit: out.xml", "artifact: ''"]))
    (place / WORKFLOW).write_text(text)
    checker.commit(place, ".")
    outcome = checker.run("github", place, has_index=False)
    harm = list(checker.folder.glob("machine-*/workspace/harm"))
    checker.expect("inputs are no script", not harm, outcome)
    checker.expect("inputs reach the command", "$(touch harm)" in outcome.output and not outcome.artifacts, outcome)
    (place / WORKFLOW).write_text(text.replace(" --param '$(touch harm)'", ""))
    checker.commit(place, ".")
    outcome = checker.run("github", place, has_index=False)
    checker.expect("the action installs a wheel of the repository", outcome.passed, outcome)
    checker.expect("the seed is that of the input", "seed 1" in outcome.output, outcome)


def check_examples(checker: Checker) -> None:
    """Each example as a repository of its own."""
    for name, service in EXAMPLES.items():
        place = checker.repository(f"example-{name}")
        shutil.copytree(ROOT / "Tools/examples" / name, place, dirs_exist_ok=True)
        checker.add_wheel(place)
        checker.commit(place, ".")
        checker.green(f"the example {name}", service, place)


# A client, what its repository holds besides, and the arguments of `tapsim init`, for a pipeline that installs what it needs.
PYSCARD_CLIENT = """
from smartcard.System import readers
connection = readers()[0].createConnection()
connection.connect()
print("UID", bytes(connection.transmit([0xFF, 0xCA, 0, 0, 0])[0]).hex())
"""
CLIENTS = {
    "pyscard": ({"client.py": PYSCARD_CLIENT, "requirements.txt": "pyscard\n"}, ["--card", "suica", "--", "python3", "client.py"]),
    "nfcpy": ("nfcpy-script", ["--card", "suica:trips=20", "--", "python3", "trips.py", "{nfcpy}"]),
    "libnfc": ({}, ["--card", "ndef", "--", "nfc-list"]),
    "libnfc, built": ("libnfc-library", ["--setup", "make", "--card", "ndef", "--", "./tagdump"]),
}


def check_clients(checker: Checker) -> None:
    """The pipelines that `tapsim init` writes for clients, on systems without anything that these need."""
    for name, (files, arguments) in CLIENTS.items():
        for service in SERVICES:
            place = checker.repository(f"bare-{name}-{service}")
            if isinstance(files, str):
                example = shutil.ignore_patterns("Scenarios", ".github", ".gitlab-ci.yml")
                shutil.copytree(ROOT / "Tools/examples" / files, place, dirs_exist_ok=True, ignore=example)
                if (place / "Makefile").exists():
                    subprocess.run(["make", "--silent"], cwd=place, check=True)
            else:
                for path, text in files.items():
                    (place / path).write_text(text)
            written = checker.init(place, "--ci", service, "--from-run", *arguments)
            (place / "tagdump").unlink(missing_ok=True)
            checker.commit(place, ".", *written)
            checker.check_green(f"init on a bare system, {name}, {service}", service, checker.run_bare(service, place))


def wheels_of_clients(folder: pathlib.Path) -> pathlib.Path:
    """What the examples need from a package index, which the machines of this check do not reach."""
    wanted = sorted({
        line for path in ROOT.glob("Tools/examples/*/requirements.txt") for line in path.read_text().splitlines()}
        | {"setuptools", "swig", "wheel"})
    note, python = folder / "complete", sys.version.split()[0]
    if not note.is_file() or note.read_text().splitlines() != [python, *wanted]:
        shutil.rmtree(folder, ignore_errors=True)
        pip = [sys.executable, "-m", "pip"]
        subprocess.run([*pip, "wheel", "--quiet", "--wheel-dir", folder, *wanted], check=True)
        # The source, which bare systems compile.
        source = ["--no-deps", "--no-binary", "pyscard", "pyscard"]
        subprocess.run([*pip, "download", "--quiet", "--dest", folder, *source], check=True)
        note.write_text("\n".join([python, *wanted]))
    return folder


def main() -> int:
    packages, clients, *roots = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    wheel, = packages.glob("*.whl")
    with tempfile.TemporaryDirectory(prefix="tapsim-pipelines.") as folder:
        checker = Checker(wheel, wheels_of_clients(clients / "clients"), pathlib.Path(folder), *(roots or [None]))
        check_init(checker)
        check_by_hand(checker)
        check_inputs(checker)
        check_examples(checker)
        if checker.root:
            check_clients(checker)
        if checker.problems:
            print("\n".join(checker.problems))
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
