"""Packages the one-file tapsim: a wheel, a Debian package and a tar file. Called by Tools/package.

The same commit gives the same bytes: every file has the date of the commit, and lists are sorted.
"""

import argparse
import base64
import gzip
import hashlib
import io
import os
import pathlib
import platform
import re
import subprocess
import tarfile
import tempfile
import time
import zipfile
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUMMARY = "Virtual FeliCa and NTAG cards before the program that reads them, for tests and CI"
DEBIAN_NAMES = {"x86_64": "amd64", "aarch64": "arm64"}
# The locations where shells look, below `share`; Debian has its own for zsh.
COMPLETIONS = {
    "bash": "bash-completion/completions/tapsim",
    "zsh": "zsh/site-functions/_tapsim",
    "fish": "fish/vendor_completions.d/tapsim.fish",
}
# The libraries linked in, with the licences that Debian ships with their development files.
LICENCES = {
    "libyaml": pathlib.Path("/usr/share/doc/libyaml-dev/copyright"),
    "libcrypto": pathlib.Path("/usr/share/doc/libssl-dev/copyright"),
}


def output(*command: str | os.PathLike) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout


@dataclass(frozen=True)
class Program:
    """The one-file tapsim and its properties."""

    path: pathlib.Path
    version: str
    # The minimum version of the C library, such as (2, 29).
    libc: tuple[int, int]
    machine: str
    # The date of its commit, in seconds since 1970.
    date: int

    @staticmethod
    def read(path: pathlib.Path) -> "Program":
        needed = re.findall(r"GLIBC_(\d+)\.(\d+)", output("readelf", "--version-info", "--wide", path))
        return Program(
            path, output(path, "--version").split()[-1], max((int(major), int(minor)) for major, minor in needed),
            platform.machine(), commit_date())


def commit_date() -> int:
    try:
        return int(output("git", "log", "-1", "--format=%ct"))
    except (subprocess.CalledProcessError, OSError):
        return 315532800  # 1 January 1980, the earliest date in a zip file.


@dataclass(frozen=True)
class Entry:
    """A file of a package."""

    content: bytes
    is_executable: bool = False

    @property
    def mode(self) -> int:
        return 0o755 if self.is_executable else 0o644

    @staticmethod
    def of(path: pathlib.Path) -> "Entry":
        return Entry(path.read_bytes(), os.access(path, os.X_OK))


# ---------------------------------------------------------------------------------------------------------------------
# The wheel


def wheel(program: Program, folder: pathlib.Path) -> pathlib.Path:
    """The command is installed as a script, so it starts without Python; the plugin is a separate module."""
    tag = f"py3-none-manylinux_{program.libc[0]}_{program.libc[1]}_{program.machine}"
    base = f"tapsim-{program.version}"
    entries = {
        "tapsim_pytest.py": Entry.of(ROOT / "Tools/pytest/tapsim_pytest.py"),
        f"{base}.data/scripts/tapsim": Entry(program.path.read_bytes(), is_executable=True),
        f"{base}.data/data/share/tapsim/scenario-1.schema.json":
            Entry.of(ROOT / "Scenarios/schema/scenario-1.schema.json"),
        f"{base}.dist-info/licenses/LICENSE": Entry.of(ROOT / "LICENSE"),
        **{f"{base}.dist-info/licenses/LICENSE.{name}": Entry.of(path) for name, path in LICENCES.items()},
        f"{base}.dist-info/METADATA": Entry(metadata(program).encode()),
        f"{base}.dist-info/WHEEL": Entry(
            f"Wheel-Version: 1.0\nGenerator: Tools/package\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()),
        f"{base}.dist-info/entry_points.txt": Entry(b"[pytest11]\ntapsim = tapsim_pytest\n"),
    }
    record = f"{base}.dist-info/RECORD"
    entries[record] = Entry(recorded(entries, record).encode())
    path = folder / f"{base}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, entry in entries.items():
            info = zipfile.ZipInfo(name, time.gmtime(program.date)[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (0o100000 | entry.mode) << 16
            archive.writestr(info, entry.content)
    return path


def metadata(program: Program) -> str:
    """Only the plugin declares a dependency: the command itself does not need pytest."""
    project = (ROOT / "Tools/pytest/pyproject.toml").read_text(encoding="utf-8")
    python = re.search(r'requires-python = "(.*)"', project)[1]
    pytest = re.search(r'dependencies = \["(.*)"\]', project)[1]
    return (
        f"Metadata-Version: 2.1\nName: tapsim\nVersion: {program.version}\nSummary: {SUMMARY}\n"
        f"License: Apache-2.0\nRequires-Python: {python}\n"
        f'Provides-Extra: pytest\nRequires-Dist: {pytest}; extra == "pytest"\n'
        "Classifier: Framework :: Pytest\nClassifier: Operating System :: POSIX :: Linux\n"
        "Description-Content-Type: text/markdown\n\n"
        f"{SUMMARY}.\n\n`tapsim --help` is where to start. In pytest the fixture `card` puts a card on a virtual reader:\n"
        '`@pytest.mark.card("suica", balance=3120)`.\n')


def recorded(entries: dict[str, Entry], record: str) -> str:
    def line(name: str, entry: Entry) -> str:
        digest = base64.urlsafe_b64encode(hashlib.sha256(entry.content).digest()).rstrip(b"=").decode()
        return f"{name},sha256={digest},{len(entry.content)}\n"

    return "".join(line(name, entry) for name, entry in entries.items()) + f"{record},,\n"


# ---------------------------------------------------------------------------------------------------------------------
# The tar file and the Debian package


def tree(program: Program) -> dict[str, Entry]:
    """Returns the files to install below a prefix such as /usr."""
    entries = {
        "bin/tapsim": Entry(program.path.read_bytes(), is_executable=True),
        "share/man/man1/tapsim.1.gz": Entry(gzip.compress(output(program.path, "man").encode(), mtime=0)),
    }
    for shell, name in COMPLETIONS.items():
        entries[f"share/{name}"] = Entry(output(program.path, "completions", shell).encode())
    documents = "share/doc/tapsim"

    def add(folder: str, path: pathlib.Path, name: str | None = None) -> None:
        if path.is_dir():
            for file in sorted(path.iterdir()):
                # Examples have hidden folders with their pipelines; files left by running them are not packaged.
                if file.name != ".tapsim" and not file.name.startswith(("__", ".pytest", ".DS")):
                    add(f"{folder}/{name or path.name}", file)
        else:
            entries[f"{folder}/{name or path.name}"] = Entry.of(path)

    add("share/tapsim", ROOT / "Scenarios")
    add("share/tapsim", ROOT / "Tools/wireshark")
    for name in ("README.md", "README.ja.md", "CHANGELOG.md", "SECURITY.md", "LICENSE", "docs"):
        add(documents, ROOT / name)
    add(documents, ROOT / "Tools/examples")
    for library, path in LICENCES.items():
        add(documents, path, f"LICENSE.{library}")
    return entries


def write_tar(file: io.IOBase, entries: dict[str, Entry], date: int) -> None:
    with tarfile.open(fileobj=file, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, entry in sorted(entries.items()):
            info = tarfile.TarInfo(name)
            info.size, info.mode, info.mtime = len(entry.content), entry.mode, date
            archive.addfile(info, io.BytesIO(entry.content))


def tar(program: Program, folder: pathlib.Path) -> pathlib.Path:
    base = f"tapsim-{program.version}-linux-{program.machine}"
    path = folder / f"{base}.tar.gz"
    with path.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=program.date) as packed:
        write_tar(packed, {f"{base}/{name}": entry for name, entry in tree(program).items()}, program.date)
    return path


def deb(program: Program, folder: pathlib.Path) -> pathlib.Path:
    architecture = DEBIAN_NAMES[program.machine]
    # A tilde sorts before the version itself, as a pre-release must.
    version = re.sub(r"\.?(dev|alpha|beta|rc)", r"~\1", program.version, count=1)
    path = folder / f"tapsim_{version}_{architecture}.deb"
    entries = {f"usr/{name}": entry for name, entry in tree(program).items()}
    completions = entries.pop(f"usr/share/{COMPLETIONS['zsh']}")
    entries["usr/share/zsh/vendor-completions/_tapsim"] = completions
    entries["usr/share/doc/tapsim/copyright"] = Entry(
        b"TapSim is under the Apache License 2.0: /usr/share/common-licenses/Apache-2.0.\n"
        + b"".join(
            f"\n{name} is linked in; its licence:\n\n".encode() + path.read_bytes() for name, path in LICENCES.items()))
    for name in ("LICENSE", *(f"LICENSE.{library}" for library in LICENCES)):
        del entries[f"usr/share/doc/tapsim/{name}"]
    entries["DEBIAN/control"] = Entry(control(program, version, architecture, entries).encode())
    entries["DEBIAN/md5sums"] = Entry("".join(
        f"{hashlib.md5(entry.content).hexdigest()}  {name}\n"
        for name, entry in sorted(entries.items()) if name.startswith("usr/")).encode())
    with tempfile.TemporaryDirectory(prefix="tapsim-deb.") as root:
        for name, entry in entries.items():
            file = pathlib.Path(root, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(entry.content)
            file.chmod(entry.mode)
        for place, _, _ in os.walk(root):
            os.chmod(place, 0o755)
        # dpkg-deb takes the date of the archive from this variable, and makes no file newer.
        os.environ["SOURCE_DATE_EPOCH"] = str(program.date)
        output("dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, path)
    return path


def control(program: Program, version: str, architecture: str, entries: dict[str, Entry]) -> str:
    """Everything else that tapsim needs is linked in, as Tools/package has checked."""
    kibibytes = sum(len(entry.content) for entry in entries.values()) // 1024
    return (
        f"Package: tapsim\nVersion: {version}\nArchitecture: {architecture}\n"
        f"Maintainer: {maintainer()}\nSection: devel\nPriority: optional\nInstalled-Size: {kibibytes}\n"
        f"Depends: libc6 (>= {program.libc[0]}.{program.libc[1]})\n"
        # Opened by name, only for real readers.
        "Suggests: libpcsclite1\n"
        f"Description: {SUMMARY}\n"
        " TapSim emulates cards and readers behind PC/SC, libnfc and nfcpy, injects the faults\n"
        " that cards, readers and the air can have, and judges what a client makes of them.\n")


def maintainer() -> str:
    try:
        return output("git", "log", "-1", "--format=%an <%ae>").strip()
    except (subprocess.CalledProcessError, OSError):
        return "unknown <unknown@localhost>"


FORMATS = {"wheel": wheel, "deb": deb, "tar": tar}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    for name in FORMATS:
        parser.add_argument(f"--{name}", action="store_true")
    given = parser.parse_args()
    chosen = [name for name in FORMATS if getattr(given, name)] or list(FORMATS)
    program = Program.read(given.folder / "tapsim")
    # Otherwise a package of another commit might be installed by mistake.
    for pattern in ("*.whl", "*.deb", "*.tar.gz"):
        for old in given.folder.glob(pattern):
            old.unlink()
    for path in [program.path, *(FORMATS[name](program, given.folder) for name in chosen)]:
        print(f"{os.path.relpath(path)}  {path.stat().st_size // 1024} KiB")
    print(f"starts with GLIBC {program.libc[0]}.{program.libc[1]} or newer")


if __name__ == "__main__":
    main()
