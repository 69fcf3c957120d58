"""Tests of check_language.py: the phrases it reports, and correct English that it does not report."""

import unittest

import check_language
from check_language import Block, Report

WRONG = (
    "It is told once.", "The card is no tag.", "Try a sound card.", "Pass it behind `--`.", "The number; without it the first one.",
    "The list goes\non.", "It takes on air time.", "The page that\nstands there.", "one, two, three, " * 14 + "four.",
)
RIGHT = (
    "There is no tag. It is no longer there.", "The key; without it, the old MAC is kept.",
    "A lie is told to the suite.", "It works with and without it.", "Sent over the air.",
    "The cards can be told apart.", "Print `is told`.", "```\nis told\n```", "See [this page](is-told.md).", "The door is open.",
    "| " + "one, two, three, " * 14 + "four. |", "One, two. " * 30, "`one`, `two`, `three` and four, " * 14 + "five.",
)


def problems(text: str) -> list[str]:
    report = Report()
    for block in check_language.markdown(text):
        report.phrases("page", block)
        if block.kind == "paragraph":
            report.sentences("page", block)
    return report.problems


class Language(unittest.TestCase):
    def test_reports_each_wrong_text_once(self):
        for text in WRONG:
            self.assertEqual(len(problems(text)), 1, text)

    def test_accepts_correct_english(self):
        for text in RIGHT:
            self.assertEqual(problems(text), [], text)

    def test_finds_the_line_of_a_phrase(self):
        self.assertTrue(problems("# Title\n\nOne line.\nThis is\ntold.")[0].startswith("page:4: "))

    def test_reads_doc_comments_and_literals(self):
        source = '/// First line,\n/// second line.\nlet a = "b c"  // "d e"\nlet f = """\n    g \\\n    h\n\n    i\n    """\n'
        self.assertEqual(list(check_language.code(source, True)), [
            Block(["First line,", "second line."], 1, "comment"), Block(["b c"], 3, "literal"), Block(["d e"], 3, "literal"),
            Block(["g", "h"], 5, "literal"), Block(["i"], 8, "literal")])


if __name__ == "__main__":
    unittest.main()
