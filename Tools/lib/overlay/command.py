"""The command: options, files, the overlay and the flags."""

import argparse
import json
import pathlib
import re
import sys

from overlay.rewrite import Rewritten

# Bounds of what is read; a package of sources is far below them.
MAX_FILES = 20_000
MAX_BYTES = 8 * 1024 * 1024
# Words by which a file is known to use a module that it need not import on Apple platforms.
REEXPORTED = {
    "Combine": ["ObservableObject", "@Published", "AnyCancellable", "PassthroughSubject"],
    "CoreNFC": ["NSUserActivity"],
    "FoundationLocalization": ["String(localized", "String.LocalizationValue"],
    "FoundationNetworking": ["URLSession", "URLRequest", "URLResponse", "HTTPURLResponse"],
    "Observation": ["@Observable", "@ObservationIgnored", "withObservationTracking"],
}
# What this command writes below its output folder, by which it knows a folder as its own.
OVERLAY, COPIES = "overlay.yaml", "sources"
# The names of copies; a file with another name is not of this command's.
COPY = re.compile(r"\d{5}-.*\.swift")

DESCRIPTION = """\
Lets sources written for iOS compile on Linux unchanged.

Writes rewritten copies of the Swift files that need it, and a compiler overlay that serves each copy under the path of
its original. Prints the flags to give to the compiler. The sources themselves are never touched. In the copies
  - os(iOS) is true in #if and #elseif;
  - @objc, @objcMembers, dynamic, @IBOutlet, @IBAction and the like are blanks;
  - an outlet of one of UIKit's types has an empty object, since no storyboard connects it;
  - #selector(method) is a Selector of the UIKit in Tools/AppleShims, which calls the method;
  - a cell's init(style:reuseIdentifier:) is required, so that a table can make cells of its class;
  - a protocol that was one of Objective-C is one of classes;
  - Combine, FoundationLocalization, FoundationNetworking, Observation and CoreNFC are imported where a file uses what
    Foundation, UIKit or SwiftUI have of them on Apple platforms.
Lines keep their numbers, so that what the compiler says fits the original."""
EPILOG = """\
examples:
  swift build $(Tools/corenfc-overlay --output .build/overlay Sources/Reader)
  swiftc $(Tools/corenfc-overlay --flags swiftc -o /tmp/overlay Sources) -c Sources/*.swift
Run it again after a source has changed; it writes only what differs. Paths with blanks need a .unsafeFlags setting."""


class Refusal(Exception):
    """Something that cannot be done, as a sentence."""


def main(arguments):
    options = _options(arguments)
    try:
        _write(options)
    except Refusal as refusal:
        print(f"corenfc-overlay: {refusal}", file=sys.stderr)
        return 2
    except (OSError, UnicodeDecodeError) as error:
        print(f"corenfc-overlay: {error}", file=sys.stderr)
        return 2
    return 0


def _options(arguments):
    parser = argparse.ArgumentParser(
        prog="corenfc-overlay", description=DESCRIPTION, epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+", type=pathlib.Path, help="folders with Swift files, or single files")
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path, help="folder for the copies and the overlay")
    parser.add_argument(
        "--flags", choices=["swiftpm", "swiftc"], default="swiftpm", help="for whom the flags are written (swiftpm)")
    parser.add_argument("--quiet", action="store_true", help="say nothing of what was rewritten and what cannot be")
    return parser.parse_args(arguments)


def _write(options):
    output = options.output.absolute()
    files = _files(options.sources)
    _claim(output, options.sources)
    entries, rewritten, kept = [], [], set()
    for number, file in enumerate(files):
        result = _read(file)
        copy = output / COPIES / f"{number:05}-{file.name}"
        if result.text is not None:
            entries.append(_entry(file, copy))
            rewritten.append(result)
            kept.add(copy.name)
            _store(copy, result.text)
        if not options.quiet:
            for line, reason in result.obstacles:
                print(f"{file}:{line}: note: {reason}; leave the file out of the build", file=sys.stderr)
    for old in (output / COPIES).iterdir():
        if old.name not in kept and COPY.fullmatch(old.name):
            old.unlink()
    overlay = {"version": 0, "use-external-names": False, "roots": entries}
    _store(output / OVERLAY, json.dumps(overlay, indent=1, ensure_ascii=False) + "\n")
    if not options.quiet:
        _tell(files, rewritten)
    flags = ["-vfsoverlay", str(output / OVERLAY)]
    print(*(f"-Xswiftc {flag}" if options.flags == "swiftpm" else flag for flag in flags))


def _files(sources):
    files = set()
    for source in sources:
        if not source.exists():
            raise Refusal(f"{source}: no such file or folder; name the folder that holds the Swift files")
        found = source.rglob("*.swift") if source.is_dir() else [source]
        files.update(file.absolute() for file in found if ".build" not in file.parts)
        if len(files) > MAX_FILES:
            raise Refusal(f"{source}: more than {MAX_FILES} Swift files; name the folder of one target")
    if not files:
        raise Refusal(f"{', '.join(map(str, sources))}: holds no Swift file; name the folder that holds them")
    return sorted(files)


def _claim(output, sources):
    """Makes the output folder, unless it is not this command's to write to."""
    for source in sources:
        try:
            inside = output.resolve().relative_to(source.resolve()).parts
        except ValueError:
            continue
        if not any(part.startswith(".") for part in inside):
            raise Refusal(f"{output}: lies within the sources, where the copies would be compiled too; choose another")
    if output.exists() and any(output.iterdir()) and not (output / OVERLAY).exists():
        raise Refusal(f"{output}: holds other files; name a new folder for the output")
    if (output / COPIES).is_symlink():
        raise Refusal(f"{output / COPIES}: is a symbolic link, and old copies are removed there; choose another folder")
    (output / COPIES).mkdir(parents=True, exist_ok=True)


class _Result:
    """What became of one file; text is None where the file can stay as it is."""

    def __init__(self, before, rewritten):
        self.text = rewritten.text if rewritten.text != before else None
        self.rewritten = rewritten
        self.obstacles = rewritten.obstacles


def _read(file):
    if file.stat().st_size > MAX_BYTES:
        raise Refusal(f"{file}: larger than {MAX_BYTES} bytes; leave it out")
    with open(file, encoding="utf-8", newline="") as stream:
        text = stream.read()
    return _Result(text, Rewritten(text, REEXPORTED))


def _entry(file, copy):
    content = {"type": "file", "name": file.name, "external-contents": str(copy)}
    return {"type": "directory", "name": str(file.parent), "contents": [content]}


def _store(path, text):
    """Writes a file unless it says so already, so that nothing is compiled again without need."""
    data = text.encode()
    if path.exists() and path.read_bytes() == data:
        return
    part = path.with_name(path.name + ".part")
    part.write_bytes(data)
    part.replace(path)


def _tell(files, results):
    changed = [result.rewritten for result in results]
    print(
        f"{len(changed)} of {len(files)} files rewritten: {sum(each.conditions for each in changed)} conditions, "
        f"{sum(each.attributes for each in changed)} attributes, {sum(each.imports for each in changed)} imports",
        file=sys.stderr)
