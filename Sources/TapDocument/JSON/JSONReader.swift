import TapWire

/// A strict reader for JSON that produces a tree with locations.
///
/// Source: RFC 8259. In addition, it rejects duplicate keys and unpaired surrogates, which no text can contain.
public struct JSONReader: DocumentReader {
    public let limits: DocumentLimits

    public init(limits: DocumentLimits = .scenario) {
        self.limits = limits
    }

    /// Reads a file up to its first syntax error.
    public func read(_ file: SourceFile, into diagnostics: inout Diagnostics) -> Node? {
        if let refusal = limits.refusal(of: file) {
            diagnostics.report(refusal)
            return nil
        }
        guard file.endOfText > 0 else {
            diagnostics.report(
                Diagnostic(.emptyFile, "the file is empty", at: .file(file), hint: "expected a JSON value"))
            return nil
        }
        var parser = JSONParser(file, limits)
        defer { for duplicate in parser.duplicates { diagnostics.report(duplicate) } }
        do {
            return try parser.parseDocument()
        } catch {
            diagnostics.report(error)
            return nil
        }
    }
}

/// A recursive single-pass parser with limited depth.
struct JSONParser {
    var scanner: JSONScanner
    private(set) var duplicates: [Diagnostic] = []
    private let limits: DocumentLimits
    private var depth = 0
    private var nodeCount = 0

    init(_ file: SourceFile, _ limits: DocumentLimits) {
        scanner = JSONScanner(file)
        self.limits = limits
    }

    mutating func parseDocument() throws(Diagnostic) -> Node {
        scanner.skipBlanks()
        let node = try parseValue()
        scanner.skipBlanks()
        guard scanner.isAtEnd else {
            throw scanner.error("unexpected text after the end of the document", hint: "a file contains one JSON value")
        }
        return node
    }

    private mutating func parseValue() throws(Diagnostic) -> Node {
        nodeCount += 1
        guard nodeCount <= limits.maximumNodes else { throw limits.tooMany(at: scanner.here) }
        switch scanner.next {
        case "{": return try parseMap()
        case "[": return try parseList()
        case "\"": return .scalar(try scanner.string())
        case let next? where next == "-" || ("0"..."9").contains(next): return .scalar(try scanner.number())
        default: return .scalar(try scanner.word())
        }
    }

    private mutating func parseList() throws(Diagnostic) -> Node {
        let start = try open()
        var items: [Node] = []
        while try !isClosed(by: "]", start: start, isFirst: items.isEmpty) {
            items.append(try parseValue())
        }
        return .list(NodeList(items, range: scanner.range(from: start)))
    }

    private mutating func parseMap() throws(Diagnostic) -> Node {
        let start = try open()
        var builder = NodeMap.Builder()
        var isFirst = true
        while try !isClosed(by: "}", start: start, isFirst: isFirst) {
            isFirst = false
            let key = try parseKey()
            if let duplicate = builder.append(key, try parseValue()) { duplicates.append(duplicate) }
        }
        return .map(builder.map(at: scanner.range(from: start)))
    }

    private mutating func parseKey() throws(Diagnostic) -> Scalar {
        guard scanner.next == "\"" else {
            throw scanner.error("a key is missing", hint: "put keys in double quotes")
        }
        let key = try scanner.string()
        scanner.skipBlanks()
        guard scanner.skip(":") else {
            throw scanner.error("a `:` is missing", hint: "put it between key and value")
        }
        scanner.skipBlanks()
        return key
    }

    private mutating func open() throws(Diagnostic) -> Int {
        depth += 1
        guard depth <= limits.maximumDepth else { throw limits.tooDeep(at: scanner.here) }
        let start = scanner.offset
        scanner.offset += 1
        return start
    }

    /// Moves to the next item or key of a list or map, or past its end.
    private mutating func isClosed(
        by bracket: Unicode.Scalar, start: Int, isFirst: Bool
    ) throws(Diagnostic) -> Bool {
        scanner.skipBlanks()
        if scanner.skip(bracket) {
            depth -= 1
            return true
        }
        if !isFirst {
            guard scanner.skip(",") || scanner.isAtEnd else {
                throw scanner.error("a `,` or `\(bracket)` is missing", hint: "add one of them")
            }
            scanner.skipBlanks()
            if scanner.next == bracket {
                throw scanner.error(
                    "unexpected `,` before `\(bracket)`", hint: "JSON has no comma after the last value")
            }
        }
        guard !scanner.isAtEnd else {
            throw Diagnostic(
                .notJSON, "this bracket is never closed",
                at: .range(SourceRange(scanner.file, offset: start, length: 1)), hint: "the file ends first")
        }
        return false
    }
}

struct JSONScanner {
    let file: SourceFile
    var offset = 0

    init(_ file: SourceFile) {
        self.file = file
    }

    var isAtEnd: Bool { offset >= file.scalars.count }

    /// The character at the offset, or `nil` at the end.
    var next: Unicode.Scalar? {
        isAtEnd ? nil : file.scalars[offset]
    }

    var here: SourceRange { file.character(at: offset) }

    func range(from start: Int) -> SourceRange {
        SourceRange(file, offset: start, end: offset)
    }

    func error(_ message: String, hint: String) -> Diagnostic {
        Diagnostic(.notJSON, message, at: .range(here), hint: hint)
    }

    mutating func skipBlanks() {
        while let next, next == " " || next == "\t" || next == "\n" || next == "\r" { offset += 1 }
    }

    mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        offset += 1
        return true
    }

    mutating func word() throws(Diagnostic) -> Scalar {
        let start = offset
        while let next, next.properties.isAlphabetic { offset += 1 }
        let range = range(from: start)
        switch range.text {
        case "true", "false": return Scalar(range.text, form: .boolean, range: range)
        case "null": return Scalar("null", form: .null, range: range)
        case "":
            throw error("a value is missing", hint: Self.advice(on: next))
        default:
            let hint = "put text in double quotes; the only words in JSON are true, false and null"
            throw Diagnostic(.notJSON, "`\(range.text)` is not a JSON value", at: .range(range), hint: hint)
        }
    }

    private static func advice(on next: Unicode.Scalar?) -> String {
        switch next {
        case "'": "put text in double quotes"
        case "/", "#": "JSON has no comments"
        case "+", ".": "a number starts with a digit or `-`"
        default: "expected text in double quotes, a number, true, false, null, `[` or `{`"
        }
    }

    mutating func number() throws(Diagnostic) -> Scalar {
        let start = offset
        _ = skip("-")
        let isZero = next == "0"
        try digits()
        if isZero, offset > start + (file.scalars[start] == "-" ? 2 : 1) {
            throw Diagnostic(
                .notJSON, "a number has a leading zero", at: .range(range(from: start)),
                hint: "put codes and bytes in double quotes")
        }
        if skip(".") { try digits() }
        if skip("e") || skip("E") {
            if !skip("+") { _ = skip("-") }
            try digits()
        }
        let range = range(from: start)
        return Scalar(range.text, form: .number, range: range)
    }

    private mutating func digits() throws(Diagnostic) {
        let start = offset
        while let next, ("0"..."9").contains(next) { offset += 1 }
        guard offset > start else { throw error("a digit is missing", hint: "a digit must follow here") }
    }
}

extension JSONScanner {
    /// Reads a string whose opening quote is at the offset.
    mutating func string() throws(Diagnostic) -> Scalar {
        let start = offset
        offset += 1
        var text = String.UnicodeScalarView()
        while let next, next != "\"" {
            if next == "\\" {
                text.append(try escape())
            } else if next == "\n" || next == "\r" {
                break
            } else if next.value < 0x20 {
                throw error("unescaped control character", hint: Self.advice(onControl: next))
            } else {
                text.append(next)
                offset += 1
            }
        }
        guard skip("\"") else {
            let range = SourceRange(file, offset: start, length: 1)
            throw Diagnostic(
                .notJSON, "this quote is never closed", at: .range(range), hint: "the line ends first")
        }
        return Scalar(String(text), form: .quoted, range: range(from: start))
    }

    private static func advice(onControl scalar: Unicode.Scalar) -> String {
        scalar == "\t" ? "write `\\t`" : "write `\\u\(Hex.digits(scalar.value, width: 4))`"
    }

    private mutating func escape() throws(Diagnostic) -> Unicode.Scalar {
        let start = offset
        offset += 1
        defer { offset += 1 }
        switch next {
        case "\"": return "\""
        case "\\": return "\\"
        case "/": return "/"
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u": return try unicodeEscape(from: start)
        default:
            let range = SourceRange(file, offset: start, length: 2)
            throw Diagnostic(
                .notJSON, "unknown escape sequence", at: .range(range),
                hint: "use one of `\\\"` `\\\\` `\\/` `\\b` `\\f` `\\n` `\\r` `\\t` `\\uXXXX`")
        }
    }

    /// Reads the digits after `\u` and stops at the last digit.
    private mutating func unicodeEscape(from start: Int) throws(Diagnostic) -> Unicode.Scalar {
        let first = try fourDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        let isPair =
            offset + 2 < file.scalars.count && file.scalars[offset + 1] == "\\" && file.scalars[offset + 2] == "u"
        if first < 0xDC00, isPair {
            offset += 2
            let second = try fourDigits()
            let isLow = (0xDC00...0xDFFF).contains(second)
            if isLow, let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) {
                return scalar
            }
        }
        throw Diagnostic(
            .notJSON, "unpaired surrogate", at: .range(SourceRange(file, offset: start, end: offset + 1)),
            hint: "`\\uD800` to `\\uDBFF` must be followed by `\\uDC00` to `\\uDFFF`")
    }

    private mutating func fourDigits() throws(Diagnostic) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            offset += 1
            guard let next, next.isASCII, let digit = Character(next).hexDigitValue else {
                throw error("`\\u` needs four hexadecimal digits", hint: "this is not one")
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
