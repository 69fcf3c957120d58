"""Rewrites a Swift file for Linux: line for line, and column for column wherever something only goes."""

import re

from overlay.mask import mask

_CONDITION = re.compile(r"^[ \t]*#(?:if|elseif)\b.*$", re.MULTILINE)
_IOS = re.compile(r"\bos\s*\(\s*iOS\s*\)")
# Attributes that need the Objective-C runtime or its tools; what they do for the running program is nothing here.
_ATTRIBUTE = re.compile(
    r"@(?:objcMembers|nonobjc|objc(?:\s*\([^()\n]*\))?|IBOutlet|IBAction|IBInspectable|IBDesignable|IBSegueAction"
    r"|UIApplicationMain|GKInspectable)(?![A-Za-z0-9_])"
)
_DYNAMIC = re.compile(
    r"\bdynamic\b(?=\s+(?:(?:public|open|internal|private|fileprivate|package|override|class|static|final|weak|lazy"
    r"|mutating|convenience|required)(?:\(set\))?\s+)*(?:var|let|func|init|subscript)\b)"
)
# Storyboards are not read, so nothing connects an outlet: one of UIKit's types has an object of its own instead, and
# holds it.
_OUTLET = re.compile(
    r"@IBOutlet(?P<words>(?:\s+[a-z]+(?:\(set\))?)*)\s+var\s+\w+\s*:\s*"
    r"(?P<type>UI\w+|NSLayoutConstraint|\[UI\w+\])!(?=[ \t]*(?:$|[;{]))", re.MULTILINE)
_WEAK = re.compile(r"\bweak\b")
_SELECTOR = re.compile(r"#selector\((?!\s*[gs]etter:)")
# UIKit's tables make cells of a class they are given; without Objective-C such an initializer is a required one.
_CELL = re.compile(r"\boverride(?=(?:\s+[a-z]+)*\s+init\s*\(\s*style\b[^()]*\breuseIdentifier\b)")
# A protocol of Objective-C is one of classes without saying so.
_PROTOCOL = re.compile(
    r"@objc(?:\s*\([^()\n]*\))?\s+(?:(?:public|open|internal|private|fileprivate|package)\s+)?protocol\s+\w+\s*"
    r"(?P<edge>[{:])(?P<parents>[^{]*)"
)
_CLASS_BOUND = re.compile(r"\b(?:AnyObject|NSObjectProtocol|class)\b")
_IMPORT = re.compile(r"^[ \t]*(?:@\w+[ \t]+)*import[ \t]+(?P<module>\w+)[^\n]*?(?=[ \t]*$)", re.MULTILINE)
# What no rewriting makes compile; a person has to leave the file out.
_OBSTACLES = [
    (re.compile(r"#selector\(\s*[gs]etter:"), "#selector of a property needs the Objective-C runtime"),
    (re.compile(r"#keyPath\b"), "#keyPath needs the Objective-C runtime"),
    (re.compile(r"\boptional\s+(?:func|var)\b"), "an optional requirement needs the Objective-C runtime"),
    (re.compile(r"@NSManaged\b"), "@NSManaged needs Core Data"),
    (re.compile(r"\bsome\s+(?:View|Scene)\b"), "there are no views of SwiftUI on Linux"),
]


class Rewritten:
    """A file as the compiler is to read it.

    text: the new text, of as many lines as the old one
    conditions, attributes, imports: how much was changed, by kind
    obstacles: pairs of a line number and a sentence, for what stays in the way
    """

    def __init__(self, text, added_imports):
        code = mask(text)
        edits = _condition_edits(code)
        self.conditions = len(edits)
        blanked = [(match.start(), match.end()) for rule in (_ATTRIBUTE, _DYNAMIC) for match in rule.finditer(code)]
        self.attributes = len(blanked)
        edits += [(start, end, _blank(text[start:end])) for start, end in blanked]
        edits += _protocol_edits(code) + _outlet_edits(code)
        edits += [(match.start(), match.end(), " Selector(") for match in _SELECTOR.finditer(code)]
        edits += [(match.start(), match.end(), "required") for match in _CELL.finditer(code)]
        imports = _import_edits(code, added_imports)
        self.imports = len(imports)
        self.text = _apply(text, edits + imports)
        self.obstacles = sorted(
            (code.count("\n", 0, match.start()) + 1, reason)
            for rule, reason in _OBSTACLES
            for match in rule.finditer(code)
        )


def _condition_edits(code):
    """`os(iOS)` becomes `true` in every condition; `true` and blanks are as long as what they stand for."""
    return [
        (line.start() + match.start(), line.start() + match.end(), "true".ljust(len(match.group())))
        for line in _CONDITION.finditer(code)
        for match in _IOS.finditer(line.group())
    ]


def _protocol_edits(code):
    edits = []
    for match in _PROTOCOL.finditer(code):
        edge = match.start("edge")
        if match["edge"] == "{":
            edits.append((edge, edge, ": AnyObject "))
        elif not _CLASS_BOUND.search(match["parents"]):
            edits.append((edge + 1, edge + 1, " AnyObject,"))
    return edits


def _outlet_edits(code):
    edits = []
    for outlet in _OUTLET.finditer(code):
        for weak in _WEAK.finditer(code, outlet.start("words"), outlet.end("words")):
            edits.append((weak.start(), weak.end(), _blank(weak.group())))
        value = "[]" if outlet["type"].startswith("[") else f"{outlet['type']}()"
        edits.append((outlet.end(), outlet.end(), f" = {value}"))
    return edits


def _import_edits(code, added):
    """Names a module on the line of the file's first import, where the file uses it without naming it."""
    imports = list(_IMPORT.finditer(code))
    named = {match["module"] for match in imports}
    if not imports:
        return []
    end = imports[0].end()
    return [
        (end, end, f"; import {module}")
        for module, words in added.items()
        if module not in named and re.search(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})\b", code)
    ]


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def _apply(text, edits):
    # From the end, so that places stay right; an insertion comes after what is blanked at the same place.
    for start, end, replacement in sorted(edits, reverse=True):
        text = text[:start] + replacement + text[end:]
    return text
