/// An error or a doubt at a place of a file, with what the author needs to mend it.
public struct Diagnostic: Error, Hashable, Sendable {
    public enum Place: Hashable, Sendable {
        /// In a document that was built by a program.
        case nowhere
        case file(SourceFile)
        case range(SourceRange)

        /// A piece of a file if there is one, else nowhere.
        public init(_ range: SourceRange?) {
            self = range.map(Place.range) ?? .nowhere
        }
    }

    /// Another place that has to do with it, such as where a key was written first.
    public struct Related: Hashable, Sendable {
        /// What is there.
        public let message: String
        public let range: SourceRange

        public init(_ message: String, at range: SourceRange) {
            self.message = message
            self.range = range
        }
    }

    /// The kind of trouble; never changes its meaning between versions.
    public let code: DiagnosticCode
    /// What is wrong, half a sentence.
    public let message: String
    public let place: Place
    /// What is needed there or how to mend it, half a sentence; may be empty.
    public let hint: String
    /// Other places that have to do with it.
    public let related: [Related]
    /// How grave it is.
    public let severity: Severity

    public init(
        _ code: DiagnosticCode, _ message: String, at place: Place, hint: String = "", related: [Related] = []
    ) {
        self.code = code
        self.message = Self.shortened(message)
        self.place = place
        self.hint = Self.shortened(hint)
        self.related = related
        severity = code.severity
    }

    private init(_ other: Diagnostic, _ severity: Severity, adding place: Related?) {
        code = other.code
        message = other.message
        self.place = other.place
        hint = other.hint
        related = other.related + (place.map { [$0] } ?? [])
        self.severity = severity
    }

    /// The diagnostic with one more place that has to do with it.
    package func adding(_ place: Related) -> Diagnostic { Diagnostic(self, severity, adding: place) }

    /// A warning as an error, with the place that makes it one; an error as it is.
    func asError(for cause: Related?) -> Diagnostic {
        severity == .error ? self : Diagnostic(self, .error, adding: cause)
    }

    /// Most Unicode scalars of a message and of a hint, both of which may quote what a file says; the rest is cut off.
    public static let maximumTextLength = 2_000

    private static func shortened(_ text: String) -> String {
        guard text.unicodeScalars.count > maximumTextLength else { return text }
        return String(text.unicodeScalars.prefix(maximumTextLength)) + "…"
    }

    /// Creates a diagnostic about a scalar or a part of it.
    ///
    /// About a value that came in by a parameter it points to the use, and beside it to the definition.
    ///
    /// - Parameter part: Offsets into the Unicode scalars of the text, or `nil` for all of it.
    public init(
        _ code: DiagnosticCode, _ message: String, at scalar: Scalar, part: Range<Int>? = nil, hint: String = ""
    ) {
        let written = part.map { scalar.place(of: $0) } ?? scalar.written
        if let definition = scalar.definition {
            let related = written.map { [Related("the value of `params.\(definition.name)`", at: $0)] } ?? []
            self.init(code, message, at: Place(scalar.range), hint: hint, related: related)
        } else {
            self.init(code, message, at: Place(written), hint: hint)
        }
    }

    /// Creates a diagnostic about a node: a scalar, or a map or list by its beginning.
    ///
    /// About a map that changes one of another file it points to both.
    public init(_ code: DiagnosticCode, _ message: String, at node: Node, hint: String = "") {
        switch node {
        case .scalar(let scalar): self.init(code, message, at: scalar, hint: hint)
        case .list: self.init(code, message, at: Place(node.head), hint: hint)
        case .map(let map):
            let related = map.under.map { [Related("this is what it extends", at: $0)] } ?? []
            self.init(code, message, at: Place(node.head), hint: hint, related: related)
        }
    }
}

/// How grave a diagnostic is.
public enum Severity: String, Hashable, Sendable, CaseIterable, OutputValue {
    /// The scenario does not run.
    case error
    /// It runs, and may not do what was meant.
    case warning
}

extension Diagnostic.Place {
    public var file: SourceFile? {
        switch self {
        case .nowhere: nil
        case .file(let file): file
        case .range(let range): range.file
        }
    }

    public var range: SourceRange? {
        guard case .range(let range) = self else { return nil }
        return range
    }
}

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
    package mutating func makeErrors(because cause: SourceRange?) {
        let related = cause.map { Diagnostic.Related("warnings are errors here", at: $0) }
        found = found.map { $0.asError(for: related) }
        known = Set(found)
    }

    public var isEmpty: Bool { found.isEmpty }

    /// Whether there is an error, which keeps the scenario from running.
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

    public var node: Node {
        sorted.node
    }
}

extension Diagnostic: OutputModel {
    /// The diagnostic as a program reads it.
    ///
    /// ```
    /// {"code": "S012", "severity": "error", "message": …, "hint": …,
    ///  "file": …, "line": 6, "column": 5, "length": 4, "related": [{"message": …, "file": …, "line": …, …}]}
    /// ```
    /// Lines and columns count from 1, columns and lengths in Unicode scalars. Keys without a value are left out.
    package static let output = OutputTable<Diagnostic>(
        "diagnostic", "An error of a file",
        .always("code", "Such as S012; `tapsim explain` tells about it", \.code.rawValue),
        .always("severity", "A warning keeps nothing from running", \.severity),
        .always("message", "What is wrong", \.message),
        .filled("hint", "What is needed there, or how to mend it", \.hint),
        Place.output.rows(of: \.place),
        .filled("related", "Other places that have to do with it", \.related))
}

extension Diagnostic.Related: OutputModel {
    package static let output = OutputTable<Self>(
        "related", "A related place",
        .always("message", "What is there", \.message),
        Diagnostic.Place.output.rows { .range($0.range) })
}

extension Diagnostic.Place {
    fileprivate static let output = OutputTable<Self>(
        "place", "A place",
        .maybe("file", "The file") { $0.file?.name }, .maybe("line", "The line, from 1") { $0.range?.line },
        .maybe("column", "The column, from 1, in Unicode scalars") { $0.range?.column },
        .maybe("length", "How many Unicode scalars it is about") { $0.range?.length })
}
