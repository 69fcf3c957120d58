"""Fuzzes the targets of Tools/Fuzz for Tools/fuzz: seeds, corpora, parallel runs, and their results."""

import concurrent.futures
import functools
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading

import fuzz_seeds

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOME = ROOT / ".build/fuzz"
SECONDS = {"s": 1, "m": 60, "h": 3600}
# The number of lines to print of a finding's report; the log contains all of them.
LONGEST_REPORT = 12

running: set[subprocess.Popen] = set()
lock = threading.Lock()


def say(line: str) -> None:
    with lock:
        print(line, flush=True)


def number(name: str, log: str) -> int:
    found = re.findall(rf"^stat::{name}:\s+(\d+)", log, re.MULTILINE)
    return int(found[-1]) if found else 0


def run(command: list, log: pathlib.Path) -> tuple[int, str]:
    """Runs a fuzzer to its end; returns its exit code and its output."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        running.add(process)
        code = process.wait()
        running.discard(process)
    return code, log.read_text(errors="replace")


def feed_by_afl(programs: pathlib.Path, target: str, seconds: int) -> bool:
    """Fuzzes one target with AFL++, continuing from its earlier results."""
    seeds = fuzz_seeds.write(target, HOME / "seeds" / target, programs)
    folder = HOME / "afl" / target
    folder.mkdir(parents=True, exist_ok=True)
    found = lambda: {path for kind in ("crashes", "hangs") for path in folder.glob(f"default/{kind}/id*")}
    before = found()
    os.environ.update(
        AFL_SKIP_CPUFREQ="1", AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES="1", AFL_NO_UI="1", AFL_AUTORESUME="1")
    log = HOME / f"{target}.afl.log"
    code, text = run(
        ["afl-fuzz", "-V", str(seconds), "-m", "none", "-t", "10000", "-G", str(fuzz_seeds.longest(target)),
         "-i", seeds, "-o", folder, "--", programs / f"Fuzz{target.capitalize()}"], log)
    new = sorted(found() - before)
    went_well = code == 0 and not new
    statistics = re.findall(r"Statistics: (.*?)\x1b|Statistics: (.*)", text)
    say(f"{'ok' if went_well else 'FOUND' if new else 'FAILED':6}  {target:10}  {''.join(statistics[-1]) if statistics else ''}")
    for path in new:
        say(f"    reproduce: Tools/fuzz {target} --repeat {path.relative_to(ROOT)}")
    if not went_well:
        say(f"    full output: {log.relative_to(ROOT)}")
    return went_well


def feed(programs: pathlib.Path, target: str, seconds: int, seed: str) -> bool:
    """Fuzzes one target; returns `True` if there was no finding."""
    corpus, findings = HOME / "corpus" / target, HOME / "findings" / target
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    seeds = fuzz_seeds.write(target, HOME / "seeds" / target, programs)
    before = set(findings.iterdir())
    command = [
        programs / f"Fuzz{target.capitalize()}", corpus, seeds, f"-max_total_time={seconds}", "-print_final_stats=1",
        f"-max_len={fuzz_seeds.longest(target)}", "-len_control=20", "-timeout=10", "-rss_limit_mb=2048",
        "-use_value_profile=0", f"-artifact_prefix={findings}/", f"-seed={seed}"]
    words = fuzz_seeds.dictionary(target, HOME / "seeds" / f"{target}.dict")
    if words:
        command.append(f"-dict={words}")
    log = HOME / f"{target}.log"
    code, text = run(command, log)
    inputs = number("number_of_executed_units", text)
    exchanges = number("exchanges", text)
    rate = f"{inputs:,} inputs, {inputs // seconds:,} a second"
    if exchanges:
        rate += f", {exchanges / seconds / 1e6:.2f} million exchanges a second"
    say(f"{'ok' if code == 0 else 'FOUND':6}  {target:10}  {rate}")
    if code != 0:
        tell(target, text, sorted(set(findings.iterdir()) - before), log)
    return code == 0


def tell(target: str, text: str, found: list[pathlib.Path], log: pathlib.Path) -> None:
    """Prints the findings, and the commands that reproduce them."""
    lines = [line for line in text.splitlines() if re.search(r"Fatal error|ERROR:|runtime error|SUMMARY|^ +#\d+ ", line)]
    for line in lines[:LONGEST_REPORT]:
        say(f"    {line[:400]}")
    for path in found:
        say(f"    reproduce: Tools/fuzz {target} --repeat {path.relative_to(ROOT)}")
    say(f"    full output: {log.relative_to(ROOT)}")


def end_all(*_: object) -> None:
    for process in list(running):
        os.killpg(process.pid, signal.SIGKILL)
    os._exit(130)


def main() -> int:
    kind, programs, duration, jobs, seed, *targets = sys.argv[1:]
    seconds = int(duration[:-1]) * SECONDS[duration[-1]]
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, end_all)
    with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
        act = feed_by_afl if kind == "afl" else functools.partial(feed, seed=seed)
        went_well = list(pool.map(lambda target: act(pathlib.Path(programs), target, seconds), targets))
    return 0 if all(went_well) else 1


if __name__ == "__main__":
    sys.exit(main())
