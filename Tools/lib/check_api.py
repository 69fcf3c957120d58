"""Compares the public declarations of the libraries that users import with the lists in docs/api.

    check_api.py             reports every difference; exits with 1 if there are any
    check_api.py --update    writes the lists

Both read the debug build. A list has the declarations of its module and of the internal types that these declarations name, such
as `TapPhone.SessionRecord`, whose properties tests read. A line has the type that contains a declaration, the declaration, and in
brackets the protocols to which it conforms.
"""

import difflib
import json
import pathlib
import sys
import tempfile
from dataclasses import dataclass, field

import swift_modules

LISTS = swift_modules.ROOT / "docs/api"
HELP = """help: if this is intended, run `python3 Tools/lib/check_api.py --update` after the build and commit docs/api.
A removed or changed declaration breaks the code of users: see docs/versioning.md, and describe it in CHANGELOG.md."""
# Protocols that the compiler adds to every type.
IMPLICIT = {"Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype"}


@dataclass
class Symbol:
    module: str
    path: list[str]
    declaration: str
    # The identifiers of the types in the declaration.
    named: set[str]
    protocols: set[str] = field(default_factory=set)

    def line(self, library: str) -> str:
        container = ".".join(([] if self.module == library else [self.module]) + self.path[:-1])
        protocols = f" [{', '.join(sorted(self.protocols))}]" if self.protocols else ""
        return (f"{container}: " if container else "") + self.declaration + protocols


def symbols(folder: pathlib.Path) -> dict[str, Symbol]:
    """Reads symbol graphs; returns their symbols by identifier."""
    graphs = [(path.parent.name, json.loads(path.read_text(encoding="utf-8"))) for path in sorted(folder.glob("*/*.json"))]
    found = {}
    for module, symbol in ((module, symbol) for module, graph in graphs for symbol in graph["symbols"]):
        parts = symbol["declarationFragments"]
        found[symbol["identifier"]["precise"]] = Symbol(
            module, symbol["pathComponents"], " ".join("".join(part["spelling"] for part in parts).split()),
            {part["preciseIdentifier"] for part in parts if "preciseIdentifier" in part})
    for relation in (relation for _, graph in graphs for relation in graph["relationships"]):
        symbol, protocol = found.get(relation["source"]), found.get(relation["target"])
        name = ".".join(protocol.path) if protocol else relation.get("targetFallback")
        if symbol and relation["kind"] == "conformsTo" and name and name not in IMPLICIT:
            symbol.protocols.add(name.removeprefix("Swift."))
    return found


def listed(library: str, internal: list[str], found: dict[str, Symbol]) -> list[str]:
    """Returns the lines of a library's list."""
    own = [symbol for symbol in found.values() if symbol.module == library]
    named = [found[identifier] for symbol in own for identifier in symbol.named if identifier in found]
    types = {(symbol.module, symbol.path[0]) for symbol in named if symbol.module in internal}
    exposed = [symbol for symbol in found.values() if (symbol.module, symbol.path[0]) in types]
    order = lambda symbol: (symbol.module != library, symbol.module, symbol.path, symbol.declaration)
    return [symbol.line(library) for symbol in sorted(own + exposed, key=order)]


def has_changed(path: pathlib.Path, new: list[str]) -> bool:
    """Prints the differences between a list and the declarations."""
    old = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    changes = [line for line in difflib.unified_diff(old, new, n=0, lineterm="") if line[:2] not in ("--", "++", "@@")]
    if changes:
        removed = sum(line.startswith("-") for line in changes)
        print(f"{path.relative_to(swift_modules.ROOT)}: {removed} removed or changed, {len(changes) - removed} added")
        print(*(f"  {line[0]} {line[1:]}" for line in changes), sep="\n")
    return bool(changes)


def main() -> int:
    libraries, internal = swift_modules.libraries()
    with tempfile.TemporaryDirectory() as folder:
        swift_modules.extract(libraries + internal, pathlib.Path(folder))
        found = symbols(pathlib.Path(folder))
    lists = {LISTS / f"{library}.txt": listed(library, internal, found) for library in libraries}
    paths = sorted({*lists, *LISTS.glob("*.txt")})
    if sys.argv[1:] != ["--update"]:
        changed = [path for path in paths if has_changed(path, lists.get(path, []))]
        print(HELP if changed else "no differences")
        return bool(changed)
    for path in paths:
        path.unlink(missing_ok=True)
        # CoreNFC has no list: it declares nothing of its own.
        if lists.get(path):
            path.write_text("\n".join([*lists[path], ""]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
