"""Runs the pipelines of a repository as GitHub and GitLab do: each step in order, on a machine that has only Python.

A step with an unknown feature is an error, so that no part of a pipeline is skipped silently.
"""

import pathlib
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field

import pip
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The maximum time of a step in seconds.
LIMIT = 600


# Replacements for programs of the machine: Tools/test has installed the packages that pipelines need, or they fail.
PROGRAMS = {
    "sudo": '#!/bin/sh\nexec "$@"\n',
    "apt-get": """#!/bin/sh
[ "$1" != update ] || exit 0
[ "$1" = install ] || { echo "apt-get $1 is not understood" >&2; exit 1; }
shift
for package; do
    case "$package" in -*) continue ;; esac
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || {
        echo "$package is not among the packages of the check" >&2
        exit 1
    }
done
""",
}


class NotUnderstood(Exception):
    """A feature of a pipeline that this service does not know."""


@dataclass
class Outcome:
    """The result of a job as a service shows it."""
    passed: bool
    output: str
    annotations: list[str] = field(default_factory=list)
    summary: str = ""
    artifacts: dict[str, pathlib.Path] = field(default_factory=dict)
    report: pathlib.Path | None = None

    def move(self, place: pathlib.Path) -> None:
        """Moves the kept files to another folder before the machine is removed."""
        place.mkdir()
        for name, folder in self.artifacts.items():
            self.artifacts[name] = shutil.copytree(folder, place / name)
        if self.report:
            self.report = shutil.copy(self.report, place)


def make_environment(place: pathlib.Path) -> None:
    """Creates a virtual environment that shares this one's pip, which takes a tenth of the time of a separate pip."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    packages = next(place.glob("lib/python*/site-packages"))
    (packages / "pip").symlink_to(pathlib.Path(pip.__file__).parent, target_is_directory=True)
    program = place / "bin/pip"
    program.write_text(f"#!{place}/bin/python\nfrom pip._internal.cli.main import main\nraise SystemExit(main())\n")
    program.chmod(0o755)


class Machine:
    """A machine as a job finds it: an empty home, a clone of the repository, Python, and none of our programs in PATH.

    Within a root, which must contain `folder`, nothing of this machine is visible; with `has_packages` it installs
    packages into the root.
    """

    def __init__(self, folder: pathlib.Path, repository: pathlib.Path, variables: dict[str, str],
                 root: pathlib.Path | None = None, has_packages: bool = False):
        self.root, self.has_packages = root, has_packages
        self.folder = folder
        self.workspace = folder / "workspace"
        self.temporary = folder / "temp"
        for path in (folder, self.temporary, folder / "home"):
            path.mkdir(parents=True)
        self.repository = repository
        self.variables = {
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": self.seen(folder / "home"), "LANG": "C.UTF-8", "CI": "true",
            "TMPDIR": self.seen(self.temporary), "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            **variables}
        for name, script in PROGRAMS.items():
            if name == "apt-get" and has_packages:
                continue
            program = folder / "bin" / name
            program.parent.mkdir(exist_ok=True)
            program.write_text(script)
            program.chmod(0o755)
        self.variables["PATH"] = f"{self.seen(folder)}/bin:{self.variables['PATH']}"

    def seen(self, path: pathlib.Path) -> str:
        """Returns a path as the job sees it."""
        return str(path) if self.root is None else f"/{path.relative_to(self.root)}"

    @property
    def entrance(self) -> list[str | pathlib.Path]:
        """The words before a command that make it run in the root."""
        if self.root is None:
            return []
        # /proc and pseudo-terminals, which every container has, exist only for this command.
        script = '/bin/mount -t proc proc "$0/proc" && /bin/mount -t devpts -o newinstance,ptmxmode=0666 devpts "$0/dev/pts" && exec /usr/sbin/chroot "$0" "$@"'
        return ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, self.root]

    def checkout(self) -> None:
        """Clones the committed files."""
        subprocess.run(["git", "clone", "--quiet", self.repository, self.workspace], check=True)

    def provide_python(self) -> None:
        place = self.folder / "python"
        if self.root is None:
            make_environment(place)
        else:
            if self.has_packages:
                # The services' Pythons include their headers; Debian has them in a separate package.
                install = "apt-get -qq update && apt-get -qq install --yes python3-dev >/dev/null"
                subprocess.run([*self.entrance, "sh", "-c", install], check=True)
            subprocess.run([*self.entrance, "python3", "-m", "venv", self.seen(place)], check=True)
        self.variables["PATH"] = f"{self.seen(place)}/bin:{self.variables['PATH']}"

    def run(self, script: str, shell: list[str], variables: dict[str, str]) -> tuple[int, str]:
        """Runs a script in the workspace, from a file, as the services do."""
        path = self.temporary / "script.sh"
        path.write_text(script)
        # Our working directory does not exist in a root.
        command = [*self.entrance, "sh", "-c", 'cd "$0" && exec "$@"', self.seen(self.workspace), *shell, self.seen(path)]
        result = subprocess.run(
            command, env={**self.variables, **variables}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=LIMIT)
        return result.returncode, f"$ {script.strip()}\n{result.stdout}"

    def collect(self, patterns: list[str], place: pathlib.Path, with_hidden: bool) -> None:
        """Copies files from the workspace; a file is hidden if a part of its path begins with a full stop."""
        for pattern in patterns:
            found = self.workspace / pattern
            for path in [found, *(found.rglob("*") if found.is_dir() else [])]:
                name = path.relative_to(self.workspace)
                if path.is_file() and (with_hidden or not any(part.startswith(".") for part in name.parts)):
                    (place / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(path, place / name)


# ---------------------------------------------------------------------------------------------------------------------
# GitHub


class GitHub:
    """Runs a job of a workflow, and actions: the ones in this checkout, and three of GitHub's own."""
    # Without `shell`, and with `shell: bash`. Source: GitHub's documentation, "Workflow syntax", jobs.<job_id>.steps[*].shell.
    SHELLS = {None: ["bash", "-e"], "bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail"]}
    STEP_KEYS = {"name", "id", "if", "uses", "with", "run", "shell", "env"}
    JOB_KEYS = {"runs-on", "steps", "name", "permissions"}
    WORKFLOW_KEYS = {"name", True, "permissions", "jobs"}  # YAML reads `on` as true.

    def __init__(self, machine: Machine):
        self.machine = machine
        self.outcome = Outcome(True, "")
        self.files = {name: machine.temporary / name.lower() for name in (
            "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH")}
        for path in self.files.values():
            path.touch()
        machine.variables.update({name: machine.seen(path) for name, path in self.files.items()})
        machine.variables.update(
            GITHUB_ACTIONS="true", GITHUB_WORKSPACE=machine.seen(machine.workspace), RUNNER_TEMP=machine.seen(machine.temporary),
            RUNNER_OS="Linux")

    def run(self, path: str) -> Outcome:
        workflow = yaml.safe_load((self.machine.repository / path).read_text())
        known(workflow, self.WORKFLOW_KEYS, path)
        for name, job in workflow["jobs"].items():
            known(job, self.JOB_KEYS, f"the job {name}")
            for step in job["steps"]:
                self.step(step, {})
        self.outcome.summary = self.files["GITHUB_STEP_SUMMARY"].read_text()
        return self.outcome

    def step(self, step: dict, inputs: dict[str, str]) -> None:
        known(step, self.STEP_KEYS, "a step")
        if not self.holds(step.get("if", "success()"), inputs):
            return
        if "uses" in step:
            given = {name: self.filled(value, inputs) for name, value in step.get("with", {}).items()}
            self.use(step["uses"], given)
            return
        variables = {name: self.filled(value, inputs) for name, value in step.get("env", {}).items()}
        if "${{" in step["run"]:
            raise NotUnderstood(f"a script with an expression, into which a stranger could inject commands: {step['run']}")
        code, output = self.machine.run(step["run"], self.SHELLS[step.get("shell")], variables)
        self.outcome.output += output
        self.outcome.annotations += re.findall(r"^::(?:error|warning|notice) .*$", output, re.MULTILINE)
        self.outcome.passed = self.outcome.passed and code == 0
        self.take_over()

    def take_over(self) -> None:
        """Applies the folders that a step adds to PATH and the variables that it sets to the later steps."""
        path = self.files["GITHUB_PATH"]
        for folder in path.read_text().split("\n"):
            if folder:
                self.machine.variables["PATH"] = f"{folder}:{self.machine.variables['PATH']}"
        path.write_text("")
        variables = self.files["GITHUB_ENV"]
        for line in variables.read_text().splitlines():
            name, _, value = line.partition("=")
            self.machine.variables[name] = value
        variables.write_text("")

    def use(self, action: str, given: dict[str, str]) -> None:
        if action.startswith("actions/checkout@"):
            self.machine.checkout()
        elif action.startswith("actions/setup-python@"):
            self.machine.provide_python()
        elif action.startswith("actions/upload-artifact@"):
            self.upload(**{name.replace("-", "_"): value for name, value in given.items()})
        elif own := re.fullmatch(r"[^/]+/tapsim/(Tools/[^@]+)@.+", action):
            self.compose(yaml.safe_load((ROOT / own[1] / "action.yml").read_text()), given)
        else:
            raise NotUnderstood(f"the action {action}")

    def compose(self, action: dict, given: dict[str, str]) -> None:
        known(given, set(action["inputs"]), "the inputs of the action")
        inputs = {name: given.get(name, entry.get("default", "")) for name, entry in action["inputs"].items()}
        if action["runs"]["using"] != "composite":
            raise NotUnderstood(f"an action of the kind {action['runs']['using']}")
        for step in action["runs"]["steps"]:
            if "run" in step and "shell" not in step:
                raise NotUnderstood("a step of an action without a shell, which GitHub rejects")
            self.step(step, inputs)

    def upload(
        self, name: str, path: str, include_hidden_files: str = "false", if_no_files_found: str = "warn"
    ) -> None:
        place = self.machine.folder / "artifacts" / name
        place.mkdir(parents=True)
        self.machine.collect(path.split(), place, include_hidden_files == "true")
        if if_no_files_found == "error" and not any(place.iterdir()):
            self.outcome.passed = False
        self.outcome.artifacts[name] = place
        self.outcome.report = next(place.glob("*.xml"), None)

    def filled(self, value: object, inputs: dict[str, str]) -> str:
        """Returns a value with its expressions replaced."""
        text = str(value).lower() if isinstance(value, bool) else str(value)
        return re.sub(r"\$\{\{\s*(.*?)\s*\}\}", lambda found: self.value(found[1], inputs), text)

    def value(self, expression: str, inputs: dict[str, str]) -> str:
        if name := re.fullmatch(r"inputs\.([\w-]+)", expression):
            return inputs[name[1]]
        if text := re.fullmatch(r"'([^']*)'", expression):
            return text[1]
        raise NotUnderstood(f"the expression {expression}")

    def holds(self, condition: str, inputs: dict[str, str]) -> bool:
        """Evaluates a condition; without a status function it also requires that nothing has failed."""
        results = []
        terms = [term.strip() for term in condition.split("&&")]
        for term in terms:
            if term in ("always()", "success()", "failure()"):
                results.append({"always()": True, "success()": self.outcome.passed, "failure()": not self.outcome.passed}[term])
            elif both := re.fullmatch(r"(\S+) != (\S+)", term):
                results.append(self.value(both[1], inputs) != self.value(both[2], inputs))
            else:
                raise NotUnderstood(f"the condition {term}")
        return all(results) and (self.outcome.passed or any(term in ("always()", "failure()") for term in terms))


def known(node: dict, keys: set, what: str) -> None:
    if unknown := set(node) - keys:
        raise NotUnderstood(f"{', '.join(map(str, unknown))} in {what}")


# ---------------------------------------------------------------------------------------------------------------------
# GitLab


class GitLab:
    """Runs the only job of a pipeline, with its includes and the jobs it extends."""
    JOB_KEYS = {"image", "variables", "before_script", "script", "artifacts", "extends"}

    def __init__(self, machine: Machine):
        self.machine = machine

    def run(self, path: str) -> Outcome:
        jobs = self.jobs(path)
        names = [name for name in jobs if not name.startswith(".")]
        if len(names) != 1:
            raise NotUnderstood(f"a pipeline with the jobs {', '.join(names)}")
        return self.job(self.whole(jobs[names[0]], jobs))

    def jobs(self, path: str) -> dict:
        file = yaml.safe_load((self.machine.repository / path).read_text())
        included = file.pop("include", {})
        known(included, {"local"}, "include")
        return {**(self.jobs(included["local"]) if included else {}), **file}

    def whole(self, job: dict, jobs: dict) -> dict:
        """Returns a job merged with the jobs it extends: maps are merged, other values are replaced."""
        known(job, self.JOB_KEYS, "a job")
        if "extends" not in job:
            return job
        base = dict(self.whole(jobs[job["extends"]], jobs))
        for key, value in job.items():
            base[key] = {**base.get(key, {}), **value} if isinstance(value, dict) else value
        return base

    def job(self, job: dict) -> Outcome:
        if not job["image"].startswith("python:"):
            raise NotUnderstood(f"the image {job['image']}")
        self.machine.checkout()
        self.machine.provide_python()
        self.machine.variables.update(GITLAB_CI="true", CI_PROJECT_DIR=self.machine.seen(self.machine.workspace))
        variables = {name: str(value) for name, value in job.get("variables", {}).items()}
        # The runner shows each line of the two scripts and runs all of them in one shell.
        lines = [*job.get("before_script", []), *job["script"]]
        script = "\n".join(f"echo {shlex.quote('$ ' + line)}\n{line}" for line in lines)
        code, output = self.machine.run(script, ["bash", "-eo", "pipefail"], variables)
        outcome = Outcome(code == 0, output)
        kept = job.get("artifacts", {})
        known(kept, {"when", "paths", "reports"}, "artifacts")
        if kept.get("when", "on_success") in ("always", "on_success" if code == 0 else "on_failure"):
            place = self.machine.folder / "artifacts"
            place.mkdir()
            self.machine.collect(kept["paths"], place, with_hidden=True)
            outcome.artifacts["artifacts"] = place
            report = self.machine.workspace / kept["reports"]["junit"]
            outcome.report = report if report.is_file() else None
        return outcome
