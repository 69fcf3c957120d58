"""Tests Tools/corenfc-overlay: its rewriting, its refusals, and the compilation of a guarded source."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tools/lib"))

from overlay.command import REEXPORTED
from overlay.mask import mask
from overlay.rewrite import Rewritten

GUARDED = """\
#if os(iOS) && !targetEnvironment(macCatalyst)
import Foundation

@objc public protocol ReaderDelegate {
    func didRead(_ text: String)
}

@objcMembers
public class Reader: NSObject {
    @objc dynamic public var count = 0
    public weak var delegate: ReaderDelegate?

    @objc(readWithText:) public func read(_ text: String) {
        count += 1
        delegate?.didRead("@objc \\(text) #if os(iOS)")
    }
}
#else
#error("not for this system")
#endif
"""
PROGRAM = """\
#if os(iOS)
import Foundation
#endif
final class Printer: NSObject, ReaderDelegate {
    func didRead(_ text: String) { print(#line, text) }
}
let (reader, printer) = (Reader(), Printer())
reader.delegate = printer
reader.read("card")
"""


def command(*arguments):
    return subprocess.run(
        [ROOT / "Tools/corenfc-overlay", *map(str, arguments)], capture_output=True, text=True, check=False)


def rewritten(text):
    return Rewritten(text, REEXPORTED)


class MaskTests(unittest.TestCase):
    def test_comments_and_literals_are_blank_and_code_stays(self):
        for text, code in [
            ("a // @objc\nb", "a         \nb"),
            ("a /* x /* y */ z */ b", "a" + " " * 19 + "b"),
            ('a("@objc") b', "a(       ) b"),
            ('a("x \\(f("@objc")) y") b', "a(                   ) b"),
            ('a(#"x " \\(y"#) b', "a(" + " " * 11 + ") b"),
            ('a("""\n " @objc\n""") b', "a(   \n        \n   ) b"),
            ('"open\nb', "     \nb"),
            ("/* open", "       "),
        ]:
            self.assertEqual(mask(text), code)

    def test_length_and_lines_stay_for_any_text(self):
        for text in ['"\\', '"\\(', '#"', '"""', "/*/*", '"\\("\\(', "#if", "@objc("]:
            self.assertEqual(len(mask(text)), len(text))
            self.assertEqual(rewritten(text).text.count("\n"), text.count("\n"))


class RewriteTests(unittest.TestCase):
    def test_each_rule(self):
        for before, after in [
            ("#if os(iOS)", "#if true   "),
            ("#elseif os( iOS ) || os(macOS)", "#elseif true      || os(macOS)"),
            ("#if !os(iOS)", "#if !true   "),
            ("// #if os(iOS)", "// #if os(iOS)"),
            ('print("#if os(iOS)")', 'print("#if os(iOS)")'),
            ("@objc func f()", "      func f()"),
            ("@objc(f:) func f()", "          func f()"),
            ("@objcMembers class A {}", "             class A {}"),
            ("dynamic public var a = 0", "        public var a = 0"),
            ("let dynamic = 1", "let dynamic = 1"),
            ("@IBOutlet weak var a: B?", "          weak var a: B?"),
            ("@IBOutlet weak var a: UILabel!", "               var a: UILabel! = UILabel()"),
            ("@IBOutlet private weak var a: UILabel! {", "          private      var a: UILabel! = UILabel() {"),
            ("@IBOutlet var a: [UIButton]! // all", "          var a: [UIButton]! = [] // all"),
            ("@IBOutlet weak var a: UILabel?", "          weak var a: UILabel?"),
            ("b.add(self, action: #selector(tap(_:)))", "b.add(self, action:  Selector(tap(_:)))"),
            ("override init(style: A, reuseIdentifier: B?) {", "required init(style: A, reuseIdentifier: B?) {"),
            ("override init(style: A) {", "override init(style: A) {"),
            ("@objc protocol P {", "      protocol P : AnyObject {"),
            ("@objc public protocol P: Q {", "      public protocol P: AnyObject, Q {"),
            ("@objc protocol P: NSObjectProtocol {", "      protocol P: NSObjectProtocol {"),
            ("import CoreNFC\nclass A: ObservableObject {}", "import CoreNFC; import Combine\nclass A: ObservableObject {}"),
            ("import CoreNFC\nlet a = URLSession.shared", "import CoreNFC; import FoundationNetworking\nlet a = URLSession.shared"),
            ("import Combine\nclass A: ObservableObject {}", "import Combine\nclass A: ObservableObject {}"),
            ("import Foundation\n@Observable class A {}", "import Foundation; import Observation\n@Observable class A {}"),
            ("import UIKit\nlet a = String(localized: b)", "import UIKit; import FoundationLocalization\nlet a = String(localized: b)"),
            ("import UIKit\nvar a: NSUserActivity?", "import UIKit; import CoreNFC\nvar a: NSUserActivity?"),
        ]:
            self.assertEqual(rewritten(before).text, after)

    def test_what_cannot_be_rewritten_is_named_with_its_line(self):
        text = "var a: some View { b }\n// #selector\nlet a = #selector(getter: b)\n@objc optional func c()\n"
        self.assertEqual([line for line, _ in rewritten(text).obstacles], [1, 3, 4])


class CommandTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.sources = self.folder / "Sources"
        self.sources.mkdir()

    def test_a_guarded_source_compiles_and_keeps_its_lines(self):
        (self.sources / "Reader.swift").write_text(GUARDED)
        (self.sources / "main.swift").write_text(PROGRAM)
        overlay = command("--flags", "swiftc", "-o", self.folder / "out", self.sources)
        self.assertEqual(overlay.returncode, 0, overlay.stderr)
        self.assertIn("2 of 2 files rewritten: 2 conditions, 5 attributes", overlay.stderr)
        files = [self.sources / "Reader.swift", self.sources / "main.swift"]
        program = self.folder / "program"
        plain = ["swiftc", *map(str, files), "-o", str(program)]
        refused = subprocess.run(plain, capture_output=True, text=True, check=False)
        self.assertIn("not for this system", refused.stderr)
        built = subprocess.run([*plain, *overlay.stdout.split()], capture_output=True, text=True, check=False)
        self.assertEqual(built.returncode, 0, built.stderr)
        run = subprocess.run([program], capture_output=True, text=True, check=True)
        self.assertEqual(run.stdout, "5 @objc card #if os(iOS)\n")
        self.assertEqual((self.sources / "Reader.swift").read_text(), GUARDED)

    def test_a_second_run_drops_what_is_no_longer_needed(self):
        source = self.sources / "A.swift"
        out = self.folder / "out"
        source.write_text("#if os(iOS)\n#endif\n")
        self.assertEqual(command("-o", out, self.sources).returncode, 0)
        self.assertEqual(len(json.loads((out / "overlay.yaml").read_text())["roots"]), 1)
        source.write_text("let a = 1\n")
        (out / "sources/mine.txt").write_text("mine")
        self.assertEqual(command("-o", out, self.sources).returncode, 0)
        self.assertEqual(json.loads((out / "overlay.yaml").read_text())["roots"], [])
        self.assertEqual([path.name for path in (out / "sources").iterdir()], ["mine.txt"])

    def test_what_it_refuses_it_tells_in_a_sentence(self):
        (self.sources / "A.swift").write_text("let a = 1\n")
        (self.folder / "full").mkdir()
        (self.folder / "full/note.txt").write_text("mine")
        (self.folder / "none").mkdir()
        (self.folder / "bytes.swift").write_bytes(b"\xff\xfe")
        (self.folder / "linked").mkdir()
        (self.folder / "linked/overlay.yaml").write_text("")
        (self.folder / "linked/sources").symlink_to(self.folder / "full")
        for arguments, sentence in [
            (["-o", self.folder / "out", self.folder / "missing"], "no such file or folder"),
            (["-o", self.folder / "out", self.folder / "none"], "holds no Swift file"),
            (["-o", self.folder / "full", self.sources], "holds other files"),
            (["-o", self.folder / "linked", self.sources], "is a symbolic link"),
            (["-o", self.sources / "out", self.sources], "lies within the sources"),
            (["-o", self.folder / "out", self.folder / "bytes.swift"], "can't decode"),
            ([self.sources], "required: -o/--output"),
        ]:
            run = command(*arguments)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn(sentence, run.stderr)
        self.assertEqual((self.folder / "full/note.txt").read_text(), "mine")

    def test_help_names_the_options(self):
        run = command("--help")
        self.assertEqual(run.returncode, 0)
        for word in ["--output", "--flags", "never touched", "examples:"]:
            self.assertIn(word, run.stdout)


if __name__ == "__main__":
    unittest.main()
