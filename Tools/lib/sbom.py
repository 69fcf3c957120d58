"""Writes the software bill of materials (SBOM) of a release in CycloneDX 1.6. Called by Tools/release.

Its libraries are the ones that the linker took code from. The same packages give the same bytes: the serial number is
derived from the content, and the time is that of the commit.
"""

import collections
import gzip
import hashlib
import json
import pathlib
import platform
import re
import time
import urllib.parse
import uuid

from packages import DEBIAN_NAMES, Program, output

# The SPDX expressions for the libraries that may be linked in, by the names of their sources.
LICENCES = {
    "gcc": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "glibc": "LGPL-2.1-or-later",
    "libyaml": "MIT",
    "openssl": "Apache-2.0",
    "swift": "Apache-2.0 WITH Swift-exception",
}


class Unknown(Exception):
    """A library that cannot be described."""


def write(program: Program, made: list[pathlib.Path], linked: pathlib.Path, path: pathlib.Path) -> None:
    """Writes the SBOM of a program, from the linker's map of it, and of the packages that contain it."""
    libraries = components(linked)
    content = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(program.date)),
            "tools": {"components": [{"type": "application", "name": "Tools/release", "version": program.version}]},
            "component": {
                "type": "application", "bom-ref": "tapsim", "name": "tapsim", "version": program.version,
                "licenses": [{"license": {"id": "Apache-2.0"}}], "purl": f"pkg:generic/tapsim@{program.version}",
                "components": [file(item) for item in [program.path, *made]],
            },
        },
        "components": libraries,
        "dependencies": [
            {"ref": "tapsim", "dependsOn": [library["bom-ref"] for library in libraries]},
            *({"ref": library["bom-ref"]} for library in libraries),
        ],
    }
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(content, sort_keys=True))
    path.write_text(json.dumps({**content, "serialNumber": f"urn:uuid:{serial}"}, indent=2) + "\n", encoding="utf-8")


def file(path: pathlib.Path) -> dict:
    return {
        "type": "file", "bom-ref": f"file:{path.name}", "name": path.name,
        "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(path.read_bytes()).hexdigest()}],
    }


def components(linked: pathlib.Path) -> list[dict]:
    """Returns the libraries that the linker's map names as `archive.a(member.o)`."""
    taken = collections.defaultdict(set)
    for archive in set(re.findall(r"(/\S+\.a)\(", linked.read_text(encoding="utf-8", errors="replace"))):
        resolved = pathlib.Path(archive).resolve()
        taken[source(resolved)].add(resolved.name)
    return [library(*of, sorted(names)) for of, names in sorted(taken.items())]


def source(archive: pathlib.Path) -> tuple[str, str, str]:
    """Returns the package URL, source and version of an archive."""
    if "swift_static" in archive.parts:
        version = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
        return f"pkg:github/swiftlang/swift@swift-{version}-RELEASE", "swift", version
    changelog = next((folder / "usr/share/doc/libc6-dev/changelog.Debian.gz"
                      for folder in archive.parents if folder.name == "libc"), None)
    if changelog:
        version = re.match(r"glibc \((.*?)\)", gzip.decompress(changelog.read_bytes()).decode())[1]
        return purl("libc6-dev", version, "debian-11"), "glibc", version
    package = output("dpkg-query", "--search", archive).split(":")[0]
    name, version = output("dpkg-query", "--show", "--showformat", "${source:Package}\t${Version}", package).split("\t")
    system = platform.freedesktop_os_release()
    return purl(package, version, f"{system['ID']}-{system['VERSION_ID']}"), re.sub(r"-\d+$", "", name), version


def purl(package: str, version: str, system: str) -> str:
    name, version = (urllib.parse.quote(text, safe="") for text in (package, version))
    return f"pkg:deb/{system.split('-')[0]}/{name}@{version}?arch={DEBIAN_NAMES[platform.machine()]}&distro={system}"


def library(url: str, source: str, version: str, archives: list[str]) -> dict:
    if source not in LICENCES:
        raise Unknown(f"the licence of {source} ({', '.join(archives)}) is unknown; add it to LICENCES in Tools/lib/sbom.py")
    return {
        "type": "library", "bom-ref": url, "name": source if source == "swift" else archives[0].removesuffix(".a"),
        "version": version, "description": f"Linked in: {', '.join(archives)} of {source}",
        "licenses": [{"expression": LICENCES[source]}], "purl": url,
    }
