"""Finds what of a Swift file is code: comments and the text of literals are blanked, place by place."""

import re

# Where something other than code begins: a comment, or a literal with its number signs.
_START = re.compile(r'//|/\*|#*"')
_COMMENT_EDGE = re.compile(r"/\*|\*/")


def mask(text):
    """The same text, as long as it was, with blanks for comments and literals; line ends stay."""
    kept = list(text)
    position = 0
    while match := _START.search(text, position):
        start = match.start()
        if match.group() == "//":
            end = _line_end(text, start)
        elif match.group() == "/*":
            end = _comment_end(text, start)
        else:
            end = _literal_end(text, start, match.group().count("#"))
        for index in range(start, end):
            if kept[index] != "\n":
                kept[index] = " "
        position = end
    return "".join(kept)


def _line_end(text, start):
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _comment_end(text, start):
    """Comments nest."""
    depth = 0
    for edge in _COMMENT_EDGE.finditer(text, start):
        depth += 1 if edge.group() == "/*" else -1
        if depth == 0:
            return edge.end()
    return len(text)


def _literal_end(text, start, signs):
    """The end of a literal, whose interpolations may hold literals in turn."""
    quote_at = start + signs
    quote = '"""' if text.startswith('"""', quote_at) else '"'
    closing, escape = quote + "#" * signs, "\\" + "#" * signs
    position = quote_at + len(quote)
    while position < len(text):
        if text.startswith(escape + "(", position):
            position = _interpolation_end(text, position + len(escape) + 1)
        elif text.startswith(escape, position):
            position += len(escape) + 1
        elif text.startswith(closing, position):
            return position + len(closing)
        elif text[position] == "\n" and quote == '"':
            return position
        else:
            position += 1
    return len(text)


def _interpolation_end(text, position):
    depth = 1
    while position < len(text) and depth:
        match = _START.match(text, position)
        if match and '"' in match.group():
            position = _literal_end(text, position, match.group().count("#"))
            continue
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        position += 1
    return position
