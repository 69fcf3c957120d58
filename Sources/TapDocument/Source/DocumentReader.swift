/// A parser for files; this target has the JSON reader, and the YAML reader has its own target.
public protocol DocumentReader: Sendable {
    /// Reads a file.
    ///
    /// - Returns: The tree, or `nil` if the structure of the text cannot be recovered. A tree may come with errors. Of
    ///   duplicate keys, it has the first.
    func read(_ file: SourceFile, into diagnostics: inout Diagnostics) -> Node?
}

public struct DocumentLimits: Hashable, Sendable {
    public let maximumBytes: Int
    /// The maximum nesting depth of maps and lists.
    public let maximumDepth: Int
    /// The maximum number of scalars, lists and maps, not counting keys.
    public let maximumNodes: Int

    /// The maximum nesting depth of any limits, because trees are walked recursively.
    public static let deepestNesting = 256

    public init(maximumBytes: Int, maximumDepth: Int, maximumNodes: Int) {
        self.maximumBytes = maximumBytes
        self.maximumDepth = min(maximumDepth, Self.deepestNesting)
        self.maximumNodes = maximumNodes
    }

    public static let scenario = DocumentLimits(maximumBytes: 1 << 20, maximumDepth: 32, maximumNodes: 10_000)
}

extension DocumentLimits {
    /// The reason why the bytes of a file cannot be read, or `nil` if they can.
    public func refusal(of file: SourceFile) -> Diagnostic? {
        if file.bytes.count > maximumBytes {
            return Diagnostic(
                .limitExceeded, "the file is too large", at: .file(file),
                hint: "a file can have at most \(maximumBytes) bytes")
        }
        if let offset = file.brokenOffset {
            let isUTF16 = file.bytes.starts(with: [0xFF, 0xFE]) || file.bytes.starts(with: [0xFE, 0xFF])
            return Diagnostic(
                .notUTF8, "the file is not UTF-8", at: .range(SourceRange(file, offset: offset, length: 1)),
                hint: isUTF16 ? "it looks like UTF-16; save it as UTF-8" : "save it as UTF-8")
        }
        return nil
    }

    public func tooDeep(at range: SourceRange) -> Diagnostic {
        Diagnostic(
            .limitExceeded, "maps and lists are nested too deeply", at: .range(range),
            hint: "at most \(maximumDepth) levels are allowed")
    }

    /// The error for the first value beyond the limit.
    public func tooMany(at range: SourceRange) -> Diagnostic {
        Diagnostic(
            .limitExceeded, "the file has too many values", at: .range(range),
            hint: "a file can have at most \(maximumNodes) values")
    }
}
