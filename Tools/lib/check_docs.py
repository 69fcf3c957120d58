"""Builds the documentation of the libraries that users import: .build/docs, a folder that any web server can publish.

Each library has a landing page, Sources/NAME/NAME.docc/NAME.md, whose Swift code has to compile. A warning of DocC is an error.
It reads the debug build.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import swift_modules

SOURCES = swift_modules.ROOT / "Sources"
SITE = swift_modules.ROOT / ".build/docs"


def compiles(library: str, folder: pathlib.Path) -> bool:
    """Compiles the code blocks of a landing page, each as a file of its own."""
    page = (SOURCES / library / f"{library}.docc/{library}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```swift\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    if not blocks:
        print(f"Sources/{library}/{library}.docc/{library}.md: expected a code block in Swift")
    macros = pathlib.Path(shutil.which("swiftc")).resolve().parents[1] / "lib/swift/host/plugins/testing"
    succeeded = bool(blocks)
    for number, block in enumerate(blocks, start=1):
        file = folder / f"{library}-{number}.swift"
        file.write_text(block, encoding="utf-8")
        succeeded &= subprocess.run(
            ["swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors",
             "-plugin-path", macros, *swift_modules.SEARCH_PATHS, file]).returncode == 0
    return succeeded


def convert(library: str, graphs: pathlib.Path, archive: pathlib.Path, base: str) -> bool:
    return subprocess.run(
        ["docc", "convert", SOURCES / library / f"{library}.docc", "--additional-symbol-graph-dir", graphs / library, "--output-path", archive,
         "--fallback-display-name", library, "--fallback-bundle-identifier", f"tapsim.{library}",
         "--hosting-base-path", base, "--warnings-as-errors"]).returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosting-base-path", default="/", metavar="PATH", help="the path of the site on its server (default: /)")
    base = parser.parse_args().hosting_base_path
    libraries, _ = swift_modules.libraries()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        swift_modules.extract(libraries, folder / "graphs")
        archives = {library: folder / f"{library}.doccarchive" for library in libraries}
        done = [compiles(library, folder) & convert(library, folder / "graphs", archive, base)
                for library, archive in archives.items()]
        if not all(done):
            return 1
        shutil.rmtree(SITE, ignore_errors=True)
        return subprocess.run(
            ["docc", "merge", *archives.values(), "--output-path", SITE, "--synthesized-landing-page-name", "TapSim"]).returncode


if __name__ == "__main__":
    sys.exit(main())
