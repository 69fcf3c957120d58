"""Checks that released clients still have the bugs recorded in Scenarios/regressions.

usage: check_regressions.py TAPSIM

Each scenario must fail with the message in its x-found. Otherwise the client is fixed, and its scenario belongs among the
ones that must pass; or TapSim no longer detects the bug.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "Scenarios/regressions"
NFCPY = ROOT / ".build/nfcpy"
TIME = 60
# On a loaded machine, a client that does not get to run for a second looks as if it waited for a card.
ATTEMPTS = 3
# Everything passed, something failed, a client ran out of time.
ENDS = (0, 1, 124)


def fetch_nfcpy():
    """Unpacks the sources of the installed nfcpy: the wheel does not contain tagtool."""
    if (NFCPY / "examples/tagtool.py").exists():
        return
    wanted = [line for line in (ROOT / "Tools/lib/requirements.txt").read_text().split() if line.startswith("nfcpy==")]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--no-build-isolation",
             "-d", folder, *wanted], check=True)
        archive, = pathlib.Path(folder).glob("*.tar.gz")
        NFCPY.mkdir(parents=True)
        subprocess.run(["tar", "xzf", archive, "--strip-components=1", "-C", NFCPY], check=True)


def difference(tapsim, path, found):
    """Returns the difference between a run and the recorded bug, or nothing."""
    environment = dict(os.environ, PATH=f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}")
    try:
        result = subprocess.run(
            [tapsim, "run", "--allow-client", "--json", "--trace", "off", path.relative_to(ROOT)], cwd=ROOT, env=environment,
            capture_output=True, text=True, timeout=TIME)
    except subprocess.TimeoutExpired:
        return f"it took more than {TIME} seconds"
    if result.returncode not in ENDS:
        return f"tapsim ended with {result.returncode}: {result.stdout or result.stderr}"
    case = json.loads(result.stdout)["scenarios"][0]["cases"][0]
    got = "\n".join(failure["got"] for failure in case["failures"])
    if case["passed"]:
        return f"it passes, but failed with {found['in']}"
    return None if found["got"] in got else f"it must fail with {found['got']!r}, got: {got}"


def complaint(tapsim, path):
    """Returns the problem of a scenario, or nothing."""
    found = yaml.safe_load(path.read_text(encoding="utf-8")).get("x-found") or {}
    if not {"in", "got"} <= found.keys():
        return "its x-found must name the release (`in`) and the message (`got`)"
    name = path.relative_to(FOLDER)
    if f"]({name})" not in (FOLDER / "README.md").read_text(encoding="utf-8"):
        return "it has no row in README.md"
    if not path.with_suffix(".md").exists():
        return f"there is no {name.with_suffix('.md')} to send to the maintainers"
    for _ in range(ATTEMPTS):
        text = difference(tapsim, path, found)
        if not text:
            return None
    return text


def main():
    tapsim = os.path.abspath(sys.argv[1])
    fetch_nfcpy()
    paths = sorted(FOLDER.glob("*/*.yaml"))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        complaints = list(pool.map(lambda path: complaint(tapsim, path), paths))
    for path, text in zip(paths, complaints):
        print(f"{'FAILED' if text else 'ok':6}  {path.relative_to(ROOT)}" + (f": {text}" if text else ""))
    sys.exit(1 if any(complaints) or not paths else 0)


if __name__ == "__main__":
    main()
