"""Runs the installed pcscd with vpcd readers for one user, alongside any other pcscd and without root.

usage: private_pcscd.py [--user NAME] [--apdu] READER…

Each READER is a name; pcscd shows it as "READER 00 00", and an always empty slot "READER 00 01". Prints one line of JSON:
  {"socket": PATH, "readers": [{"name": "READER 00 00", "port": PORT}, …], "pid": PID, "log": PATH}
Clients get PCSCLITE_CSOCK_NAME=PATH, cards connect to 127.0.0.1:PORT. A line "stop" on standard input ends pcscd, "start" starts
it again on the same socket and ports; each command is echoed when done. The end of the input ends everything. With --apdu the
log contains the commands of programs.
Needs Linux, the Debian packages pcscd and vsmartcard-vpcd, and a folder /run/pcscd, which is created if permitted.
"""

import argparse
import ctypes
import json
import os
import pathlib
import pwd
import random
import shutil
import signal
import socket
import sys
import tempfile
import time

PCSCD = "/usr/sbin/pcscd"
DRIVER = pathlib.Path("/usr/lib/pcsc/drivers/serial/libifdvpcd.so")
# Below the ports that Linux uses for outgoing connections.
PORTS = range(20000, 32000, 2)
START_LIMIT = 10.0
TRIES = 5
LISTENING = "0A"
PARENT_DEATH_SIGNAL = 1
LISTEN_DESCRIPTOR = 3


def fail(text):
    print(f"private_pcscd: {text}", file=sys.stderr)
    sys.exit(3)


def sockets_listening():
    """Returns the port and inode of every listening TCP socket of this machine."""
    with open("/proc/net/tcp", encoding="utf-8") as table:
        rows = [line.split() for line in table.readlines()[1:]]
    return {(int(row[1].split(":")[1], 16), int(row[9])) for row in rows if row[3] == LISTENING}


def sockets_of(process):
    """Returns the inodes of a process's sockets; none while it is not pcscd yet and may not be inspected."""
    folder = f"/proc/{process}/fd"
    try:
        targets = [os.readlink(f"{folder}/{number}") for number in os.listdir(folder)]
    except OSError:
        return set()
    return {int(target[len("socket:[") : -1]) for target in targets if target.startswith("socket:[")}


def free_pairs(count):
    """Returns ports p with both p and p + 1 free: the driver uses one for each of its two slots."""
    taken = {port for port, _ in sockets_listening()}
    free = [port for port in PORTS if port not in taken and port + 1 not in taken]
    return random.SystemRandom().sample(free, count)


class Daemon:
    """A pcscd with its own folder, socket and readers."""

    def __init__(self, names, options):
        self.names = names
        self.options = options
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tapsim-pcscd-"))
        # Clients of other users can reach the socket, as with the system's pcscd.
        self.folder.chmod(0o755)
        self.config = self.folder / "readers"
        self.config.mkdir()
        self.socket = self.folder / "pcscd.comm"
        self.ports = []
        self.process = None

    def start(self):
        """Starts pcscd; the ports are chosen the first time, and again if another process took them."""
        chosen = bool(self.ports)
        for _ in range(TRIES):
            if not chosen:
                self.ports = free_pairs(len(self.names))
                self.write_config()
            self.launch()
            if self.is_listening():
                return
            self.stop()
        fail(f"pcscd does not listen on {self.ports}; see its log {self.folder}/log")

    def write_config(self):
        entries = []
        for index, (name, port) in enumerate(zip(self.names, self.ports)):
            # One file of the driver keeps one card for each slot number, so each reader gets its own.
            library = self.folder / f"reader{index}.so"
            shutil.copy(DRIVER, library)
            entries.append(
                f'FRIENDLYNAME "{name}"\nDEVICENAME /dev/null:{port}\nLIBPATH {library}\nCHANNELID {port}\n'
            )
        (self.config / "readers.conf").write_text("\n".join(entries), encoding="utf-8")

    def launch(self):
        """Binds the socket to descriptor 3, where pcscd expects it if LISTEN_PID names the process."""
        self.socket.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self.socket))
        self.socket.chmod(0o666)
        listener.listen(16)
        parent = os.getpid()
        self.process = os.fork()
        if self.process == 0:
            try:
                self.become_pcscd(listener.fileno(), parent)
            finally:
                os._exit(127)
        listener.close()

    def become_pcscd(self, listener, parent):
        log = os.open(self.folder / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.dup2(listener, LISTEN_DESCRIPTOR)
        os.set_inheritable(LISTEN_DESCRIPTOR, True)
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != parent:
            return
        environment = {"PATH": "/usr/bin:/bin", "LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())}
        os.execve(PCSCD, [PCSCD, "--foreground", "--config", str(self.config)] + self.options, environment)

    def is_listening(self):
        """Waits until pcscd itself listens for every slot; returns `False` if it ends or never listens."""
        wanted = {port + slot for port in self.ports for slot in (0, 1)}
        deadline = time.monotonic() + START_LIMIT
        while time.monotonic() < deadline:
            if os.waitpid(self.process, os.WNOHANG)[0]:
                self.process = None
                return False
            own = sockets_of(self.process)
            if wanted <= {port for port, inode in sockets_listening() if inode in own}:
                return True
            time.sleep(0.01)
        return False

    def stop(self):
        if self.process is None:
            return
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        self.process = None

    def end(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def become_user(name):
    user = pwd.getpwnam(name)
    os.setgroups([])
    os.setgid(user.pw_gid)
    os.setuid(user.pw_uid)


def serve(daemon):
    daemon.start()
    readers = [{"name": f"{name} 00 00", "port": port} for name, port in zip(daemon.names, daemon.ports)]
    ready = {"socket": str(daemon.socket), "readers": readers, "pid": daemon.process, "log": str(daemon.folder / "log")}
    print(json.dumps(ready), flush=True)
    for line in sys.stdin:
        command = line.strip()
        if command == "stop":
            daemon.stop()
        elif command == "start":
            daemon.start()
        else:
            fail(f"unknown command `{command}`; use stop or start")
        print(command, flush=True)


def main():
    parser = argparse.ArgumentParser(usage="private_pcscd.py [--user NAME] [--apdu] READER…")
    parser.add_argument("--user")
    parser.add_argument("--apdu", action="store_true")
    parser.add_argument("readers", nargs="+")
    arguments = parser.parse_args()
    for path, package in ((PCSCD, "pcscd"), (DRIVER, "vsmartcard-vpcd")):
        if not os.path.exists(path):
            fail(f"{path} is missing; run: apt-get install {package}")
    try:
        os.makedirs("/run/pcscd", exist_ok=True)
    except OSError:
        fail("pcscd needs the folder /run/pcscd; as root run: mkdir /run/pcscd")
    if arguments.user:
        become_user(arguments.user)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    daemon = Daemon(arguments.readers, ["--apdu"] if arguments.apdu else [])
    try:
        serve(daemon)
    finally:
        daemon.end()


if __name__ == "__main__":
    main()
