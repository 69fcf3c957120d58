"""Checks that documentation, messages and help are plain English, and that Japanese pages are up to date.

    check_language.py [--tapsim PROGRAM]        reports every problem as FILE:LINE: problem; exits with 1 if there are any
    check_language.py --translated PAGE.ja.md…  records that these pages match their English pages

It reports:

- phrases of BANNED in the pages, and in doc comments and string literals of Sources
- doc comments that begin with What, How or Whether
- sentences of more than LONGEST_SENTENCE words in the pages, outside code blocks and tables
- lines of `tapsim --help` and `tapsim VERB --help` with more than LONGEST_HELP_LINE columns, if a program is given
- line breaks inside Japanese paragraphs, which browsers show as a gap
- Japanese pages that are older than their English pages. A Japanese page records the digest of the English page it was
  translated from in a comment: <!-- english: docs/ios.md sha256:… -->. If it was translated from several, each has a comment.
"""

import argparse
import bisect
import hashlib
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
# English pages; a folder means all its pages.
PAGES = (
    "README.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md", "docs", "Scenarios", "Sources",
    "Tools/examples/README.md")
SOURCES = ("*.swift", "*.js", "*.py")

LONGEST_SENTENCE = 40
LONGEST_HELP_LINE = 80
# The digits of a digest to record in a translation.
DIGITS = 12

# Expressions, and what to write instead. An entry must not match correct English: prefer an exact phrase, and put correct uses
# into a group `allowed`.
BANNED = (
    # Words of this project that nobody else uses.
    (r"sound cards?", "`sound card` is audio hardware: control card"),
    (r"(?:careful|careless|sound|good|bad) (?:client|app)s?", "correct client, buggy client"),
    (r"clean runs?", "baseline run"),
    (r"stand-ins?", "placeholder"),
    (r"(?<!over )the air", "RF, or over the air"),
    (r"on air", "over the air"),
    (r"mend(?:s|ed|ing)?", "fix"),
    (r"lean(?:s|ed|ing)? on", "rely on"),
    # Passive voice that hides who says what.
    # A lie is told, and cards can be told apart.
    (r"(?P<allowed>lies? (?:\w+ ){0,3}?(?:is|are|was|were|be|been) told)|(?:is|are|was|were|be|been) told(?! from| apart)",
     "say who reports what: report, print, show"),
    (r"(?:is|are|was|were) said", "say who reports what: report, print, show"),
    (r"tells? of", "describe, report, list"),
    (r"taken for", "mistaken for, treated as"),
    (r"(?:is|are) passed over", "ignored, skipped"),
    # Negation of the noun instead of the verb.
    (r"(?<!there )is no(?! (?:longer|more|less|better|worse))", "plain negation: is not a …, does not …"),
    (r"none where", "plain negation: has no … if …"),
    # Defaults.
    (r"where nothing is \w+", "if omitted, …"),
    (r"(?:^|(?<=[.;:] ))without (?:it|one|them)(?=,? (?:the (?:first|last|newest|one)|all|only) )",
     "if omitted, … or (default: …)"),
    # Places for things that have none.
    (r"behind `--`", "after `--`"),
    (r"one behind the other", "in order"),
    (r"in the place of", "instead of, replaces"),
    (r"beside", "next to, or besides for `in addition to`"),
    (r"stands? (?:there|here|under|behind|below|above|at)", "is, are: name the location"),
    (r"lies? (?:before|there|behind)", "is on the reader, follows"),
    (r"on the USB", "on USB"),
    # Other habits.
    (r"go(?:es|ing)? on|went on", "continue, resume"),
    (r"as long as it takes", "without a timeout"),
    (r"gives? (?:\w+ ){1,4}free", "release"),
    (r"mak(?:e|es|ing) (?:a|the|its|each|every|that|this) runs?", "perform, run"),
    (r"for ever", "forever"),
)
PHRASES = [(re.compile(rf"(?<![\w-])(?:{expression})(?![\w-])", re.IGNORECASE), advice) for expression, advice in BANNED]

COMMENT_START = re.compile(r"(?:What|How|Whether) ")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]*]*\s+(?=[\"'(\[*]*[A-Z`0-9])")
LIST_ITEM = re.compile(r"\s*(?:[-*]|\d+\.) +")
ENGLISH_PAGE = re.compile(r"<!-- english: (\S+) sha256:([0-9a-f]{12,64}) -->")
JAPANESE = r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]"


@dataclass
class Block:
    """A paragraph, a list item, a heading, a table row, a doc comment or a string literal."""

    lines: list[str]
    first_line: int
    kind: str

    def text(self) -> str:
        return " ".join(self.lines)

    def line(self, position: int) -> int:
        """The number of the line that contains a position of the text."""
        starts = [0]
        for line in self.lines[:-1]:
            starts.append(starts[-1] + len(line) + 1)
        return self.first_line + bisect.bisect_right(starts, position) - 1


def plain(line: str) -> str:
    """Replaces code by one word, and links by their text; keeps `--`, which is a phrase's part."""
    line = re.sub(r"`[^`]+`", lambda code: code[0] if code[0] == "`--`" else "`x`", line)
    return re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", line)


def markdown(text: str) -> list[Block]:
    blocks: list[Block] = []
    is_open = is_code = is_comment = False
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if re.match(r"(```|~~~)", line):
            is_code, is_open = not is_code, False
            continue
        if is_code:
            continue
        if line.startswith("<!--") or is_comment:
            is_comment, is_open = "-->" not in line, False
            continue
        if not line or line.startswith("<"):
            is_open = False
        elif line.startswith(("#", "|")):
            blocks.append(Block([line], number, "row"))
            is_open = False
        elif LIST_ITEM.match(raw) or not is_open:
            blocks.append(Block([LIST_ITEM.sub("", raw).strip()], number, "paragraph"))
            is_open = True
        else:
            blocks[-1].lines.append(line)
    return blocks


def code(text: str, has_doc_comments: bool) -> Iterator[Block]:
    """The doc comments and string literals of a source file."""
    comment: Block | None = None
    quoted: Block | None = None
    is_quoted = False
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if is_quoted:
            is_quoted = '"""' not in line
            if is_quoted and line:
                quoted = quoted or Block([], number, "literal")
                quoted.lines.append(line.removesuffix("\\").strip())
            elif quoted:
                yield quoted
                quoted = None
            continue
        if has_doc_comments and line.startswith("///") and line != "///":
            comment = comment or Block([], number, "comment")
            comment.lines.append(line[3:].strip())
            continue
        if comment:
            yield comment
            comment = None
        if line.startswith(("//", "#")):
            continue
        if line.count('"""') % 2:
            is_quoted = True
            continue
        for literal in LITERAL.finditer(line):
            if " " in literal[1]:
                yield Block([literal[1].strip()], number, "literal")


class Report:
    def __init__(self) -> None:
        self.problems: list[str] = []

    def add(self, path: str, line: int | None, problem: str) -> None:
        self.problems.append(f"{path}:{line}: {problem}" if line else f"{path}: {problem}")

    def phrases(self, path: str, block: Block) -> None:
        block = Block([plain(line) for line in block.lines], block.first_line, block.kind)
        text = block.text()
        for expression, advice in PHRASES:
            for match in expression.finditer(text):
                if match.groupdict().get("allowed"):
                    continue
                phrase = match[0].strip(" .;:")
                self.add(path, block.line(match.start()), f"\"{phrase}\": {advice}")

    def sentences(self, path: str, block: Block) -> None:
        block = Block([plain(line) for line in block.lines], block.first_line, block.kind)
        start = 0
        for sentence in SENTENCE_END.split(block.text()):
            count = len(re.findall(r"\S*\w\S*", sentence))
            # A sentence of which a quarter is code is a list of names.
            if count > LONGEST_SENTENCE and 4 * sentence.count("`x`") < count:
                position = block.text().find(sentence, start)
                self.add(path, block.line(position),
                         f"a sentence of {count} words (at most {LONGEST_SENTENCE}): {sentence[:60]}…")


def name(path: pathlib.Path) -> str:
    return str(path.relative_to(ROOT))


def pages() -> list[pathlib.Path]:
    paths = [ROOT / page for page in PAGES]
    found = [page for path in paths for page in (sorted(path.glob("**/*.md")) if path.is_dir() else [path])]
    return found + [page for page in japanese_pages() if page not in found]


def japanese_pages() -> list[pathlib.Path]:
    return sorted({*ROOT.glob("*.ja.md"), *ROOT.glob("docs/**/*.ja.md")})


def is_japanese(page: pathlib.Path) -> bool:
    return page.name.endswith(".ja.md")


def check_page(page: pathlib.Path, report: Report) -> None:
    for block in markdown(page.read_text(encoding="utf-8")):
        if not is_japanese(page):
            report.phrases(name(page), block)
            if block.kind == "paragraph":
                report.sentences(name(page), block)
        for number, (before, after) in enumerate(zip(block.lines, block.lines[1:]), block.first_line):
            if re.search(JAPANESE + "$", before) or re.match(JAPANESE, after):
                report.add(name(page), number, "a line break inside a Japanese paragraph; browsers show a gap: write one line")


def check_source(path: pathlib.Path, report: Report) -> None:
    for block in code(path.read_text(encoding="utf-8"), path.suffix == ".swift"):
        report.phrases(name(path), block)
        if block.kind == "comment" and (start := COMMENT_START.match(block.lines[0])):
            report.add(name(path), block.first_line, f"a doc comment begins with \"{start[0].strip()}\": name the thing, or "
                       "begin with a verb such as Returns")


def check_help(program: str, report: Report) -> None:
    def printed(*arguments: str) -> list[str]:
        return subprocess.run([program, *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()

    overview = printed("--help")
    verbs = [match[1] for line in overview if (match := re.match(r"  ([a-z]+)  +\S", line)) and match[1] != "tapsim"]
    if len(verbs) < 10:
        report.add("tapsim --help", None, "lists no verbs in a form that this check knows")
    for arguments in [["--help"], *([verb, "--help"] for verb in verbs)]:
        lines = overview if arguments == ["--help"] else printed(*arguments)
        for number, line in enumerate(lines, 1):
            if len(line) > LONGEST_HELP_LINE:
                report.add(f"tapsim {' '.join(arguments)}", number,
                           f"{len(line)} columns (at most {LONGEST_HELP_LINE}): {line[:60]}…")


def digest(page: pathlib.Path) -> str:
    return hashlib.sha256(page.read_bytes()).hexdigest()


def check_translation(page: pathlib.Path, report: Report) -> None:
    advice = f"translate the changes, then run python3 Tools/lib/check_language.py --translated {name(page)}"
    recorded = ENGLISH_PAGE.findall(page.read_text(encoding="utf-8"))
    if not recorded:
        report.add(name(page), None, f"does not record the English page it was translated from: {advice}")
    for source, digits in recorded:
        if not (ROOT / source).exists():
            report.add(name(page), None, f"records {source} as its English page, which does not exist")
        elif not digest(ROOT / source).startswith(digits):
            report.add(name(page), None, f"is older than {source}: {advice}")


def record_translation(page: pathlib.Path) -> None:
    """Records the English pages that a Japanese page names or, if it names none, the one with its file name."""
    text = page.read_text(encoding="utf-8")
    if not ENGLISH_PAGE.search(text):
        text = f"{recorded_page(name(page.with_name(page.name.removesuffix('.ja.md') + '.md')))}\n{text}"
    page.write_text(ENGLISH_PAGE.sub(lambda recorded: recorded_page(recorded[1]), text), encoding="utf-8")


def recorded_page(source: str) -> str:
    return f"<!-- english: {source} sha256:{digest(ROOT / source)[:DIGITS]} -->"


def main() -> int:
    parser = argparse.ArgumentParser(description="Checks the language of documentation, messages and help.")
    parser.add_argument("--tapsim", metavar="PROGRAM", help="also check the help of this tapsim")
    parser.add_argument("--translated", metavar="PAGE", nargs="+", type=pathlib.Path,
                        help="record that these Japanese pages match their English pages")
    given = parser.parse_args()
    if given.translated:
        for page in given.translated:
            record_translation(page.resolve())
        return 0

    report = Report()
    for page in pages():
        check_page(page, report)
    for page in japanese_pages():
        check_translation(page, report)
    for path in sorted(path for pattern in SOURCES for path in (ROOT / "Sources").glob(f"**/{pattern}")):
        check_source(path, report)
    if given.tapsim:
        check_help(given.tapsim, report)
    for problem in report.problems:
        print(problem)
    return 1 if report.problems else 0


if __name__ == "__main__":
    sys.exit(main())
