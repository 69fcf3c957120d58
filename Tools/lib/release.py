"""Makes the files of a release: packages, checksums, an SBOM and the release text. Called by Tools/release."""

import argparse
import filecmp
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import packages
import sbom
from packages import ROOT, output

PACKAGE = ROOT / ".build/package"
DIST = ROOT / ".build/dist"

TEXT = """\
<!-- Nothing is published yet. To publish:
1. Start the workflow `.github/workflows/release.yml` for the commit {commit}.
   It makes these files again, and drafts a release with this text. Publishing the draft creates the tag v{version}.
2. Reserve the name on PyPI, once: on https://pypi.org/manage/account/publishing, add a pending publisher with the project `tapsim`,
   this repository, the workflow `release.yml` and the environment `pypi`. Then start the workflow with the upload to PyPI.
   Only the upload reserves the name; a pending publisher does not. Until then nothing installs TapSim by its bare name, and
   somebody else may take it. After it, remove the sentence about PyPI from this text.
-->
# TapSim {version}

{changes}

## Verify

Download a package and `SHA256SUMS` into one folder, and run `sha256sum --check --ignore-missing SHA256SUMS` there.

## Install

TapSim is not on PyPI. Install the file that you downloaded. These are the lines for {machine}:

| You have | Run |
|---|---|
| Python 3.9 or newer | `python3 -m venv ~/tapsim`, then `~/tapsim/bin/pip install './{wheel}[pytest]'` |
| Debian or Ubuntu | `sudo apt install ./{deb}` (without the pytest plugin) |
| any other Linux | `sudo tar -xzf {tar} -C /usr/local --strip-components=1` (without the pytest plugin) |

On Debian and Ubuntu, pip installs nothing outside a virtual environment; `sudo apt install python3-venv` first. Use the
environment in which your tests run, and activate it: `. ~/tapsim/bin/activate`.

## First steps

- `tapsim run --card suica:balance=3120,trips=20` reads a card with a built-in client.
- `tapsim run --card suica -- ./your-reader` lets your program read it.
- `tapsim fuzz --card suica -- ./your-reader` looks for bugs in your program.
- `tapsim doctor` checks whether the machine has everything; `tapsim --help` lists the rest.

The guides are in `docs/README.md` of `v{version}`.

## Make it yourself

In a checkout of `v{version}`, `Tools/release --skip-tests` makes the same packages, if its tools have the same versions. Files that
end in `.cdx.json` list the libraries inside `tapsim` (CycloneDX).
"""


class Refused(Exception):
    """Why there is no release, and what to do next."""


def checked_version() -> str:
    """Returns the version in Package.swift, if its tag may be that of this commit."""
    changes = output("git", "status", "--porcelain")
    if changes:
        raise Refused(f"the checkout has changes; commit or remove them:\n{changes.rstrip()}")
    version = re.search(r'^let version = .*"([0-9.]+)"$', (ROOT / "Package.swift").read_text(encoding="utf-8"), re.M)[1]
    if f"\nversion: {version}\n" not in (ROOT / "CITATION.cff").read_text(encoding="utf-8"):
        raise Refused(f"Package.swift says {version}, but CITATION.cff does not; correct the wrong one")
    if output("git", "tag", "--list", f"v{version}") and commit(f"v{version}") != commit("HEAD"):
        raise Refused(f"v{version} is another commit; raise `version` in Package.swift, or check out v{version}")
    return version


def commit(name: str) -> str:
    return output("git", "rev-parse", f"{name}^{{commit}}").strip()


def changes_of(version: str, changelog: str) -> str:
    """Returns the section of a changelog for a version. Links into the checkout become text."""
    sections = re.split(r"^## ", changelog, flags=re.M)[1:]
    bodies = {heading.split()[0]: body.strip() for heading, _, body in (section.partition("\n") for section in sections)}
    if not bodies.get(version):
        raise Refused(
            f"CHANGELOG.md has no entries for {version}; rename its heading `## Unreleased` to `## {version} - YYYY-MM-DD`")
    if bodies.get("Unreleased"):
        raise Refused(f"CHANGELOG.md has entries below `## Unreleased`; move them below `## {version}`")
    return re.sub(r"\[([^]]*)\]\((?!https?:)[^)]*\)", r"\1", bodies[version])


def run(*command: str | os.PathLike) -> str:
    """Runs a command, shows its output, and returns the last line."""
    last = ""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            last = line.strip() or last
    if process.returncode != 0:
        words = " ".join(os.path.relpath(word, ROOT) if os.path.isabs(word) else word for word in map(str, command))
        raise Refused(f"`{words}` failed; fix what its output names, then start again")
    return last


def make(version: str, changes: str) -> None:
    """Fills the folder of the release."""
    run(ROOT / "Tools/package")
    program = packages.Program.read(PACKAGE / "tapsim")
    if program.version != version:
        raise Refused(f"tapsim calls itself {program.version} instead of {version}; remove .build/package/build and start again")
    made = {key: next(PACKAGE.glob(pattern))
            for key, pattern in {"wheel": "*.whl", "deb": "*.deb", "tar": "*.tar.gz"}.items()}
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    for path in made.values():
        shutil.copy(path, DIST)
    bill = DIST / f"tapsim-{version}-linux-{program.machine}.cdx.json"
    sbom.write(program, list(made.values()), PACKAGE / "map.txt", bill)
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(DIST.iterdir())}
    (DIST / "SHA256SUMS").write_text("".join(f"{digest}  {name}\n" for name, digest in sums.items()), encoding="utf-8")
    (DIST / "RELEASE.md").write_text(TEXT.format(
        version=version, changes=changes, commit=commit("HEAD"), machine=program.machine,
        **{key: path.name for key, path in made.items()}), encoding="utf-8")


def check_reproducible() -> None:
    """Makes the release again in a clone at another path, and compares every byte."""
    with tempfile.TemporaryDirectory(prefix="tapsim-release.") as folder:
        clone = pathlib.Path(folder, "another", "tapsim")
        output("git", "clone", "--quiet", ROOT, clone)
        # Downloaded only once.
        if (PACKAGE / "libc").exists():
            shutil.copytree(PACKAGE / "libc", clone / ".build/package/libc", symlinks=True)
        run(clone / "Tools/release", "--skip-tests")
        names = sorted(path.name for path in DIST.iterdir())
        _, different, missing = filecmp.cmpfiles(DIST, clone / ".build/dist", names, shallow=False)
        if different or missing:
            again = DIST.with_name("dist-again")
            shutil.rmtree(again, ignore_errors=True)
            shutil.copytree(clone / ".build/dist", again)
            raise Refused(f"a second build differs in {', '.join(different + missing)}; compare with {os.path.relpath(again)}")


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="Tools/release", allow_abbrev=False,
        description="Checks the checkout and makes the files of a release in .build/dist: packages, SHA256SUMS, an SBOM and\n"
        "the release text. The version is that of Package.swift. Publishes nothing: RELEASE.md says how.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--skip-tests", action="store_true", help="do not run Tools/test --builds first")
    parser.add_argument("--check-reproducible", action="store_true", help="build again in a clone, and compare every byte")
    parser.add_argument("--yes", action="store_true", help="install missing packages without asking")
    return parser.parse_args()


def main() -> int:
    given = options()
    try:
        version = checked_version()
        changes = changes_of(version, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
        # The packages that Tools/test checks are those of the release.
        os.environ["TAPSIM_VERSION"] = version
        tests = "skipped (--skip-tests)" if given.skip_tests else run(ROOT / "Tools/test", "--builds")
        make(version, changes)
        if given.check_reproducible:
            check_reproducible()
    except (Refused, sbom.Unknown, subprocess.CalledProcessError, OSError) as reason:
        print(f"error: {reason}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    for path in sorted(DIST.iterdir()):
        print(f"{os.path.relpath(path)}  {path.stat().st_size // 1024} KiB")
    print(f"tests: {tests}")
    print(f"reproducible: {'yes' if given.check_reproducible else 'not checked (--check-reproducible)'}")
    print("nothing is published; the first lines of RELEASE.md say how to publish")
    return 0


if __name__ == "__main__":
    sys.exit(main())
