/// An error or a warning at a location of a file, with a hint for fixing it.
public struct Diagnostic: Error, Hashable, Sendable {
    public enum Place: Hashable, Sendable {
        /// In a document built by a program.
        case nowhere
        case file(SourceFile)
        case range(SourceRange)

        /// Creates a location from a range, or ``nowhere`` without one.
        public init(_ range: SourceRange?) {
            self = range.map(Place.range) ?? .nowhere
        }
    }

    /// Another relevant location, such as the first occurrence of a duplicate key.
    public struct Related: Hashable, Sendable {
        public let message: String
        public let range: SourceRange

        public init(_ message: String, at range: SourceRange) {
            self.message = message
            self.range = range
        }
    }

    /// The kind of problem, with a meaning that never changes between versions.
    public let code: DiagnosticCode
    /// A description of the problem, as a clause.
    public let message: String
    public let place: Place
    /// A hint for fixing the problem, as a clause; may be empty.
    public let hint: String
    public let related: [Related]
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

    /// The diagnostic with another related location.
    package func adding(_ place: Related) -> Diagnostic { Diagnostic(self, severity, adding: place) }

    /// Turns a warning into an error, with the location that causes this; leaves an error unchanged.
    func asError(for cause: Related?) -> Diagnostic {
        severity == .error ? self : Diagnostic(self, .error, adding: cause)
    }

    /// The maximum length of a message or hint in Unicode scalars; longer texts, which may quote the file, are truncated.
    public static let maximumTextLength = 2_000

    private static func shortened(_ text: String) -> String {
        guard text.unicodeScalars.count > maximumTextLength else { return text }
        return String(text.unicodeScalars.prefix(maximumTextLength)) + "…"
    }

    /// Creates a diagnostic about a scalar or a part of it.
    ///
    /// If a parameter supplied the value, the diagnostic points to the use of the parameter and to its definition.
    ///
    /// - Parameter part: Offsets into the Unicode scalars of the text, or `nil` for all of it.
    public init(
        _ code: DiagnosticCode, _ message: String, at scalar: Scalar, part: Range<Int>? = nil, hint: String = ""
    ) {
        let written = part.map { scalar.place(of: $0) } ?? scalar.written
        if let definition = scalar.definition {
            let related = written.map { [Related("`params.\(definition.name)` is defined here", at: $0)] } ?? []
            self.init(code, message, at: Place(scalar.range), hint: hint, related: related)
        } else {
            self.init(code, message, at: Place(written), hint: hint)
        }
    }

    /// Creates a diagnostic about a node: at a scalar, or at the beginning of a map or list.
    ///
    /// For a map that extends a map of another file, the diagnostic points to both.
    public init(_ code: DiagnosticCode, _ message: String, at node: Node, hint: String = "") {
        switch node {
        case .scalar(let scalar): self.init(code, message, at: scalar, hint: hint)
        case .list: self.init(code, message, at: Place(node.head), hint: hint)
        case .map(let map):
            let related = map.under.map { [Related("it extends this map", at: $0)] } ?? []
            self.init(code, message, at: Place(node.head), hint: hint, related: related)
        }
    }
}

public enum Severity: String, Hashable, Sendable, CaseIterable, OutputValue {
    /// The scenario does not run.
    case error
    /// The scenario runs, but may not do what the author meant.
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

/// The diagnostics collected while reading and checking documents.
public struct Diagnostics: Hashable, Sendable {
    /// The diagnostics in the order of discovery.
    public private(set) var found: [Diagnostic] = []
    private var known: Set<Diagnostic> = []

    public init() {}

    /// Adds a diagnostic unless an equal one was reported before, for example if several cases share a line.
    public mutating func report(_ diagnostic: Diagnostic) {
        if known.insert(diagnostic).inserted { found.append(diagnostic) }
    }

    /// Turns every warning into an error.
    ///
    /// - Parameter cause: The location of the setting that requests this.
    package mutating func makeErrors(because cause: SourceRange?) {
        let related = cause.map { Diagnostic.Related("warnings are treated as errors here", at: $0) }
        found = found.map { $0.asError(for: related) }
        known = Set(found)
    }

    public var isEmpty: Bool { found.isEmpty }

    /// A Boolean value that indicates whether there is an error, which prevents the scenario from running.
    public var hasErrors: Bool { found.contains { $0.severity == .error } }

    /// The number of errors, not counting warnings.
    public var errorCount: Int { found.count { $0.severity == .error } }

    /// The diagnostics by file name, then by location, then in the order of discovery.
    public var sorted: [Diagnostic] {
        let keyed = found.enumerated().map { index, diagnostic in
            (diagnostic.place.file?.name ?? "", diagnostic.place.range?.offset ?? -1, index)
        }
        return keyed.sorted(by: <).map { found[$0.2] }
    }

    /// The sorted diagnostics as text for people, separated by blank lines.
    public func text(colour: Bool = false) -> String {
        sorted.map { $0.text(colour: colour) }.joined(separator: "\n\n")
    }

    public var node: Node {
        sorted.node
    }
}

extension Diagnostic: OutputModel {
    /// The JSON form of a diagnostic.
    ///
    /// ```
    /// {"code": "S012", "severity": "error", "message": …, "hint": …,
    ///  "file": …, "line": 6, "column": 5, "length": 4, "related": [{"message": …, "file": …, "line": …, …}]}
    /// ```
    /// Lines and columns count from 1. Columns and lengths are in Unicode scalars. Keys without a value are omitted.
    package static let output = OutputTable<Diagnostic>(
        "diagnostic", "An error or a warning about a file",
        .always("code", "The code, such as S012; `tapsim explain S012` explains it", \.code.rawValue),
        .always("severity", "Errors prevent a run, warnings do not", \.severity),
        .always("message", "A description of the problem", \.message),
        .filled("hint", "How to fix it", \.hint),
        Place.output.rows(of: \.place),
        .filled("related", "Related locations", \.related))
}

extension Diagnostic.Related: OutputModel {
    package static let output = OutputTable<Self>(
        "related", "A related location",
        .always("message", "The relation to the problem", \.message),
        Diagnostic.Place.output.rows { .range($0.range) })
}

extension Diagnostic.Place {
    fileprivate static let output = OutputTable<Self>(
        "place", "A location",
        .maybe("file", "The file") { $0.file?.name }, .maybe("line", "The line, counted from 1") { $0.range?.line },
        .maybe("column", "The column in Unicode scalars, counted from 1") { $0.range?.column },
        .maybe("length", "The length of the text it is about, in Unicode scalars") { $0.range?.length })
}
