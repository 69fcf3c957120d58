#!/usr/bin/env python3
"""Measures the power of `tapsim fuzz`: which mistakes of the clients in Tests/Clients/zoo/mistakes.json it finds, each in its
own campaign, and whether it raises false alarms for correct clients.

usage: power.py --tapsim PATH [--swift FOLDER] [--time TIME] [--quick] [--client NAME ...] [--json FILE]
       power.py --tapsim PATH [--swift FOLDER] [--client NAME ...] --correct [--correct-time TIME] [--budget TIME] [--seeds N]

A client with a mistake reads once, as most clients do, and under some faults reading once is a mistake in itself: causes that
are also found without the other mistake do not count. A mistake is found if one of its own causes has the verdict in the table.
It is found late if the fault named in the table reveals it, but the campaign ended before that fault.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
ZOO = ROOT / "Tests/Clients/zoo"
CORRECT, ONCE = "correct", "reads-once"
# A client with a mistake may run forever.
CLIENT_TIME = "3s"  # unless the table has `timeout`
CLEAN = "card"


class Campaign:
    """The findings of a campaign."""

    def __init__(self, document, seconds=1):
        self.seconds = seconds
        case = document["cases"][0] if document.get("cases") else {}
        self.causes = {cause["key"]: cause for cause in case.get("causes", [])}
        self.clean = case.get("clean_findings", [])
        self.warnings = [warning["warning"] for warning in case.get("warnings", [])]
        self.failures = [failure["got"] for failure in case.get("failures", [])]
        self.runs = {(run["fault"], run.get("exchange"), run.get("call")): run["verdict"] for run in case.get("runs", [])}
        self.drawn = case.get("guided", {}).get("runs", 0)
        self.planned = case.get("planned", 0)
        # A client that fails without faults has no grid.
        error = document.get("error", {}).get("message", "")
        end = re.search(r"in baseline run [0-9]+: ([a-z ]+?)(?: at exchange [0-9]+)?: ", error)
        if end:
            self.clean = [{"outcome": end[1], "reason": error, "cause": error}]

    def lines(self):
        """Returns the findings, one per line."""
        clean = [f"{finding.get('card', CLEAN)}: {finding['outcome']}: {finding['reason']}" for finding in self.clean]
        return self.failures + clean + [
            f"{cause['run']}: {key} ({len(cause['runs'])} runs): {cause['reason']}" for key, cause in self.causes.items()]


class Zoo:
    def __init__(self, options):
        self.options = options
        self.folder = tempfile.mkdtemp(prefix="zoo-")
        subprocess.run([ZOO / "build.sh", self.folder], check=True)
        self.places = {
            "{c}": self.folder, "{swift}": options.swift or os.path.dirname(options.tapsim), "{python}": sys.executable}

    def command(self, client, mistake):
        words = client["run"].split()
        for place, value in dict(self.places, **{"{mistake}": mistake}).items():
            words = [word.replace(place, value) for word in words]
        return words

    def campaign(self, client, mistake, limit="", budget="", until=None, only=None, seed=1):
        """Runs a campaign: single faults up to a limit, or also random ones for a budget; only one fault if it is named. If the
        causes of another campaign are given, it ends at the first cause that is not among them."""
        card = ["--card", client["card"]] if "card" in client else [f"Tests/Clients/zoo/{client['scenario']}.yaml"]
        for option in ("model", "transport"):
            if "card" in client and option in client:
                card += [f"--{option}", client[option]]
        words = [self.options.tapsim, "fuzz", *card, "--json", "--trace", "off", "--timeout",
                  client.get("timeout", CLIENT_TIME)]
        words += ["--seed", str(seed)]
        words += ["--jobs", str(self.options.jobs)] if self.options.jobs else []
        words += ["--time", limit] if limit else []
        words += ["--budget", budget] if budget else []
        words += ["--only", only] if only else []
        # The client's library itself fails under these faults: Scenarios/regressions has the report.
        words += [word for name in client.get("except", []) if mistake == CORRECT for word in ("--except", name)]
        if until is not None:
            known = pathlib.Path(self.folder, "known")
            known.write_text("".join(f"{key}\n" for key in until), encoding="utf-8")
            words += ["--known", str(known), "--stop-after", "1"]
        environment = dict(os.environ, TAPSIM=self.options.tapsim, SWIFT_BACKTRACE="enable=no")
        start = time.monotonic()
        result = subprocess.run(
            words + ["--", *self.command(client, mistake)], cwd=ROOT, env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        if not result.stdout.startswith("{"):
            sys.exit(f"{client['client']}, {mistake}: tapsim ended with {result.returncode}: {result.stderr}")
        return Campaign(json.loads(result.stdout), time.monotonic() - start)


def exchange_of(run):
    """Returns the location of a run's first fault."""
    return run.partition("+")[0].rpartition("@")[2]


def judge(mistake, campaign, once):
    """Returns the causes of a mistake, and the shortest run that reveals it, or nothing."""
    wanted = mistake["verdict"]
    if wanted == "warning":
        new = [text for text in campaign.warnings if text not in once.warnings]
        return new, CLEAN if new else None
    # A baseline run can reveal a mistake without faults.
    known = {finding["cause"] for finding in once.clean}
    clean = [finding for finding in campaign.clean if finding["cause"] not in known]
    own = [cause for key, cause in campaign.causes.items() if key not in once.causes]
    keys = list(dict.fromkeys(finding["cause"] for finding in clean)) + [cause["key"] for cause in own]
    for finding in clean:
        if finding["outcome"] == wanted:
            return keys, finding.get("card") or CLEAN
    runs = [cause["run"] for cause in own if cause["verdict"] == wanted]
    if runs:
        return keys, min(runs, key=lambda run: int(exchange_of(run).lstrip("c")))
    # The same cause for another reason: runs that fail only with this mistake.
    runs = [f"{fault}@{exchange or 'c%s' % call}" for (fault, exchange, call), verdict in campaign.runs.items()
            if verdict == wanted and once.runs.get((fault, exchange, call)) in ("correct", "clear error")]
    return (keys or ["in a cause of clients that read once"], runs[0]) if runs else (keys, None)


def late_run(zoo, client, mistake):
    """Returns the run that would have revealed a mistake whose campaign ended early, with the fault in the table, or nothing."""
    fault, name = mistake.get("only", mistake["fault"]), mistake["name"]
    if fault.partition(".")[0] == CLEAN:
        return None
    against = Campaign({}) if name == ONCE else zoo.campaign(client, ONCE, "", only=fault)
    return judge(mistake, zoo.campaign(client, name, "", only=fault), against)[1]


def measure_correct(zoo, client, options, seed):
    """Prints the row of a campaign of a correct client; returns the false alarms."""
    correct = zoo.campaign(client, CORRECT, options.correct_time, options.budget, seed=seed)
    verdict = "FALSE ALARM" if correct.lines() else "green" if correct.runs else "no run"
    rate = (len(correct.runs) + correct.drawn) / correct.seconds
    print(f"{client['client']:24} {CORRECT:24} {verdict:16} {len(correct.runs)} of {correct.planned} runs, {correct.drawn} more"
          f", {rate:.0f} a second, seed {seed}", flush=True)
    for line in correct.lines():
        print(f"    {line}", flush=True)
    return correct.lines() or ([] if correct.runs else ["it performed no run"])


def measure(zoo, client, options):
    """Prints the row of each mistake of a client; returns the false alarms of the correct client, and the rows."""
    blamed = [line for seed in range(1, options.seeds + 1) for line in measure_correct(zoo, client, options, seed)]
    rows = []
    if options.correct or not client["mistakes"]:
        return blamed, rows
    once = zoo.campaign(client, ONCE, options.time)
    once_drawn = None
    for mistake in client["mistakes"]:
        is_once = mistake["name"] == ONCE
        against, times = Campaign({}) if is_once else once, {"limit": options.time}
        if mistake.get("budget"):
            # No fault reveals it until its arguments are drawn at random.
            times = {"budget": options.time}
            against = once_drawn = once_drawn or zoo.campaign(client, ONCE, **times)
        campaign, run = once, None
        if options.quick and not is_once:
            campaign = zoo.campaign(client, mistake["name"], until=against.causes, **times)
            causes, run = judge(mistake, campaign, against)
        if not run:
            campaign = once if is_once else zoo.campaign(client, mistake["name"], **times)
            causes, run = judge(mistake, campaign, against)
        late = None if run or len(campaign.runs) == campaign.planned else late_run(zoo, client, mistake)
        row = dict(client=client["client"], mistake=mistake["name"], verdict=mistake["verdict"], found=run, late=late,
                   causes=causes, runs=len(campaign.runs), planned=campaign.planned)
        rows.append(row)
        state = f"{'found' if run else 'late' if late else 'MISSED':7} {len(causes)} causes"
        print(f"{client['client']:24} {mistake['name']:24} {mistake['verdict']:16} {state:18} {run or late or '-':28} "
              f"{len(campaign.runs)} of {campaign.planned} runs", flush=True)
        if not run or len(causes) != 1:
            for cause in causes:
                print(f"    {cause}", flush=True)
    return blamed, rows


def summary(correct_clients, rows):
    found = [row for row in rows if row["found"]]
    single = [row for row in found if len(row["causes"]) == 1]
    alarms = [name for name, blamed in correct_clients if blamed]
    if rows:
        exchanges = sorted(int(number) for row in found for number in [exchange_of(row["found"]).lstrip("c")] if number.isdigit())
        middle = exchanges[len(exchanges) // 2] if exchanges else "-"
        late = sum(bool(row["late"]) for row in rows)
        print(f"found {len(found)} of {len(rows)} mistakes, {late} too late; one cause each in {len(single)}; the shortest run has "
              f"at most one fault, in the median at exchange {middle}")
    print(f"false alarms in {len(alarms)} of {len(correct_clients)} correct clients" + "".join(f"; {name}" for name in alarms))
    return not alarms


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tapsim", required=True, help="the program to measure")
    parser.add_argument("--swift", help="the folder of ZooClient (default: the folder of tapsim)")
    parser.add_argument("--time", default="60s", help="the time of each campaign of a mistake (default: 60s)")
    parser.add_argument(
        "--quick", action="store_true", help="end a campaign at the first cause of a mistake if it is the expected one")
    parser.add_argument("--correct-time", default="", help="the time of each campaign of a correct client (default: to its end)")
    parser.add_argument("--seeds", type=int, default=1, help="campaigns of each correct client, each with its own seed (1)")
    parser.add_argument("--jobs", type=int, help="parallel runs (default: enough to keep the processors busy)")
    parser.add_argument("--client", action="append", help="measure only this client; may be repeated")
    parser.add_argument("--correct", action="store_true", help="measure only correct clients")
    parser.add_argument("--budget", default="", help="time for combinations and random arguments with correct clients")
    parser.add_argument("--json", help="write the rows to this file")
    options = parser.parse_args()
    options.tapsim = os.path.abspath(options.tapsim)
    clients = json.loads((ZOO / "mistakes.json").read_text(encoding="utf-8"))["clients"]
    clients = [client for client in clients if not options.client or client["client"] in options.client]
    zoo, rows, correct_clients = Zoo(options), [], []
    for client in clients:
        blamed, found = measure(zoo, client, options)
        correct_clients.append((client["client"], blamed))
        rows += found
    is_green = summary(correct_clients, rows)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 1 if options.correct and not is_green else 0


if __name__ == "__main__":
    sys.exit(main())
