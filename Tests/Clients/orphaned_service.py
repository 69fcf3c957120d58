"""Ends the process that a `tapsim serve` watches, and prints whether the service then ends and removes its files.

usage: orphaned_service.py TAPSIM parent|other|zombie
  parent  the shell that started the service is killed while its input stays open
  other   the service watches another process; the shell that started it ends first
  zombie  the service watches a process that is killed and never reaped
"""
import json
import os
import signal
import subprocess
import sys
import time

LIMIT = 30


def wait_for(condition):
    deadline = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def start(script, *words):
    # In its own session, so that ending this program's group does not end the service.
    shell = subprocess.Popen(
        ["/bin/sh", "-c", script, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        start_new_session=True)
    return shell, json.loads(shell.stdout.readline())


def main():
    tapsim, kind = sys.argv[1:]
    sleeper = subprocess.Popen(["sleep", "300"])
    if kind == "parent":
        shell, ready = start('"$0" serve --json --card ndef <&0 & sleep 300; :', tapsim)
    else:
        shell, ready = start('"$0" serve --json --parent "$1" --card ndef & :', tapsim, str(sleeper.pid))
        shell.wait()
    folder = os.path.dirname(ready["control"])
    time.sleep(0.3)
    if not os.path.exists(folder):
        sys.exit("the service ended too early")
    victim = shell if kind == "parent" else sleeper
    victim.send_signal(signal.SIGKILL)
    if kind == "other":
        victim.wait()
    if not wait_for(lambda: not os.path.exists(folder)):
        sys.exit("the folder is still there")

    def has_ended():
        try:
            with open("/proc/%d/stat" % ready["pid"]) as file:
                return file.read().rsplit(")", 1)[1].split()[0] == "Z"
        except OSError:
            return True

    if not wait_for(has_ended):
        sys.exit("the process is still there")
    if kind == "parent":
        # The process that the killed shell was waiting for.
        subprocess.run(["pkill", "-KILL", "-s", str(shell.pid)], check=False)
    sleeper.kill()
    print("gone")


main()
