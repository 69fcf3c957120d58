/// One pass over a file: values by recursion, at most as deep as the limits say.
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
            throw scanner.error("text stands behind the end of the document", hint: "a file holds one JSON value")
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
            throw scanner.error("a key is missing", hint: "keys stand in double quotes")
        }
        let key = try scanner.string()
        scanner.skipBlanks()
        guard scanner.skip(":") else {
            throw scanner.error("a `:` is missing", hint: "it stands between key and value")
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

    /// Moves to the next item or key of a list or map, or behind its end.
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
                throw scanner.error("a `,` or `\(bracket)` is missing", hint: "one of them is needed here")
            }
            scanner.skipBlanks()
            if scanner.next == bracket {
                throw scanner.error(
                    "a `,` stands before `\(bracket)`", hint: "JSON has no comma behind the last value")
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
