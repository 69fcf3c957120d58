/// All that was found while documents were read and checked.
public struct Diagnostics: Hashable, Sendable {
    /// The diagnostics in the order they were found.
    public private(set) var found: [Diagnostic] = []
    private var known: Set<Diagnostic> = []

    public init() {}

    /// Adds a diagnostic; one that was found before, as where several cases share a line, is kept once.
    public mutating func report(_ diagnostic: Diagnostic) {
        if known.insert(diagnostic).inserted { found.append(diagnostic) }
    }

    /// Makes every warning an error.
    ///
    /// - Parameter cause: Where a file asks for that.
    mutating func makeErrors(because cause: SourceRange?) {
        let related = cause.map { Diagnostic.Related("warnings are errors here", at: $0) }
        found = found.map { $0.asError(for: related) }
        known = Set(found)
    }

    /// Whether nothing was found, not even a warning.
    public var isEmpty: Bool { found.isEmpty }

    /// Whether there is an error, so that nothing can run.
    public var hasErrors: Bool { found.contains { $0.severity == .error } }

    /// Number of errors, warnings not counted.
    public var errorCount: Int { found.count { $0.severity == .error } }

    /// The diagnostics by file name, then by place; those of the same place in the order they were found.
    public var sorted: [Diagnostic] {
        let keyed = found.enumerated().map { index, diagnostic in
            (diagnostic.place.file?.name ?? "", diagnostic.place.range?.offset ?? -1, index)
        }
        return keyed.sorted(by: <).map { found[$0.2] }
    }

    /// The diagnostics as a person reads them, sorted, a blank line between any two.
    public func text(colour: Bool = false) -> String {
        sorted.map { $0.text(colour: colour) }.joined(separator: "\n\n")
    }

    /// The diagnostics as a program reads them, sorted.
    public var node: Node {
        .list(sorted.map(\.node))
    }
}
