/// Where a program leaves its result, and what of it may differ from one run to the next.
public struct ResultSpec: Hashable, Sendable {
    /// Where the result is.
    public enum Place: Hashable, Sendable {
        /// The standard output, which is JSON.
        case standardOutputAsJSON
        /// The lines of the standard output.
        case standardOutput
        /// A file below the folder of the run: its JSON, or its lines where it is none.
        case file(String)
    }

    /// Something that may differ.
    public enum Ignored: Hashable, Sendable {
        /// A value, by its place; `*` in it stands for every item or key.
        case value(JSONPointer)
        /// Every line in which a pattern is found.
        case line(LinePattern)
    }

    /// Where the result is.
    public var place: Place
    /// What may differ.
    public var ignored: [Ignored]

    /// Most bytes of a file that are read.
    public static let maximumFileLength = 1 << 20

    public init(_ place: Place = .standardOutputAsJSON, ignoring ignored: [Ignored] = []) {
        self.place = place
        self.ignored = ignored
    }

    /// A program that says nothing of its result: its standard output, if that is JSON.
    public static let usual = ResultSpec()

    /// The file that holds the result, below the folder of the run.
    public var file: String? {
        if case .file(let path) = place { path } else { nil }
    }

    /// The result of a run, or nothing if it left none.
    ///
    /// - Parameters:
    ///   - standardOutput: What the program printed.
    ///   - file: What the file holds, if there is one.
    public func result(standardOutput: [UInt8], file: [UInt8]?) -> Node? {
        switch place {
        case .standardOutputAsJSON: Self.json(standardOutput)
        case .standardOutput: Self.lines(standardOutput)
        case .file: file.map { Self.json($0) ?? Self.lines($0) }
        }
    }

    /// What runs of the same kind agree on: the result without what may differ, or the lines of the standard output
    /// where there is no result.
    public func comparable(_ result: Node?, standardOutput: String) -> Node {
        var node = result ?? Self.lines(Array(standardOutput.utf8))
        for ignored in ignored {
            switch ignored {
            case .value(let pointer): node = node.removing(pointer.names[...])
            case .line(let pattern): node = node.removingLines(pattern)
            }
        }
        return node
    }

    private static func json(_ bytes: [UInt8]) -> Node? {
        var diagnostics = Diagnostics()
        let node = JSONReader().read(SourceFile(name: "result", bytes: bytes), into: &diagnostics)
        return diagnostics.hasErrors ? nil : node
    }

    private static func lines(_ bytes: [UInt8]) -> Node {
        let text = String(decoding: bytes, as: UTF8.self)
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return .list(lines.map { Node.text(String($0)) })
    }
}

extension Node {
    /// The same without what a path of names leads to.
    fileprivate func removing(_ path: ArraySlice<String>) -> Node {
        guard let name = path.first else { return .null }
        let rest = path.dropFirst()
        switch self {
        case .scalar: return self
        case .list(let list):
            let items = list.items.enumerated().compactMap { index, item -> Node? in
                guard name == "*" || name == "\(index)" else { return item }
                return rest.isEmpty ? nil : item.removing(rest)
            }
            return .list(NodeList(items, range: list.range))
        case .map(let map):
            let entries = map.entries.compactMap { entry -> NodeMap.Entry? in
                guard name == "*" || name == entry.key.text else { return entry }
                return rest.isEmpty ? nil : NodeMap.Entry(entry.key, entry.value.removing(rest))
            }
            return .map(NodeMap(entries, range: map.range))
        }
    }

    /// A list of lines without those in which a pattern is found; anything else as it is.
    fileprivate func removingLines(_ pattern: LinePattern) -> Node {
        guard case .list(let list) = self else { return self }
        let items = list.items.filter { item in item.text.map { !pattern.isFound(in: $0) } ?? true }
        return .list(NodeList(items, range: list.range))
    }
}
