"""Feeds the targets of Tools/Fuzz, as Tools/fuzz asks: seeds, corpora, runs beside each other, and what came of them."""

import concurrent.futures
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
# Most bytes of an input: enough for a whole scenario; a card hears some hundred frames.
LONGEST = {"documents": 8192, "doors": 4096, "cards": 4096}
DEFAULT_LONGEST = 1024
# Lines of a finding's report that are printed; the log has all.
LONGEST_REPORT = 12

running: set[subprocess.Popen] = set()
lock = threading.Lock()


def say(line: str) -> None:
    with lock:
        print(line, flush=True)


def number(name: str, log: str) -> int:
    found = re.findall(rf"^stat::{name}:\s+(\d+)", log, re.MULTILINE)
    return int(found[-1]) if found else 0


def feed(programs: pathlib.Path, target: str, seconds: int) -> bool:
    """Feeds one target; returns whether it went without a finding."""
    corpus, findings = HOME / "corpus" / target, HOME / "findings" / target
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    seeds = fuzz_seeds.write(target, HOME / "seeds" / target, programs)
    before = set(findings.iterdir())
    command = [
        programs / f"Fuzz{target.capitalize()}", corpus, seeds, f"-max_total_time={seconds}", "-print_final_stats=1",
        f"-max_len={LONGEST.get(target, DEFAULT_LONGEST)}", "-len_control=20", "-timeout=10", "-rss_limit_mb=2048",
        "-use_value_profile=0", f"-artifact_prefix={findings}/"]
    words = fuzz_seeds.dictionary(target, HOME / "seeds" / f"{target}.dict")
    if words:
        command.append(f"-dict={words}")
    log = HOME / f"{target}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        running.add(process)
        code = process.wait()
        running.discard(process)
    text = log.read_text(errors="replace")
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
    """Says what was found, and how to see it again."""
    lines = [line for line in text.splitlines() if re.search(r"Fatal error|ERROR:|runtime error|SUMMARY|^ +#\d+ ", line)]
    for line in lines[:LONGEST_REPORT]:
        say(f"    {line[:400]}")
    for path in found:
        say(f"    see it again: Tools/fuzz {target} --repeat {path.relative_to(ROOT)}")
    say(f"    the whole output: {log.relative_to(ROOT)}")


def end_all(*_: object) -> None:
    for process in list(running):
        os.killpg(process.pid, signal.SIGKILL)
    os._exit(130)


def main() -> int:
    programs, duration, jobs, *targets = sys.argv[1:]
    seconds = int(duration[:-1]) * SECONDS[duration[-1]]
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, end_all)
    with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
        went_well = list(pool.map(lambda target: feed(pathlib.Path(programs), target, seconds), targets))
    return 0 if all(went_well) else 1


if __name__ == "__main__":
    sys.exit(main())
