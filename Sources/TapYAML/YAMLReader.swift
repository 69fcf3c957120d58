import TapDocument

/// Reads scenario files in YAML into the same tree as ``JSONReader`` does.
///
/// Of YAML it takes mappings, sequences, plain and quoted scalars, literal blocks and comments, and one `---` at the
/// top; everything else is refused by name. Scalars stay the text that was written. In a build without the package
/// trait YAML every file is refused with a sentence that says so.
public struct YAMLReader: DocumentReader {
    /// Whether this build can read YAML.
    public static var isAvailable: Bool {
        #if YAML
            true
        #else
            false
        #endif
    }

    /// How large a document may be.
    public let limits: DocumentLimits

    public init(limits: DocumentLimits = .scenario) {
        self.limits = limits
    }

    /// Reads a file up to its first error in the grammar.
    public func read(_ file: SourceFile, into diagnostics: inout Diagnostics) -> Node? {
        #if YAML
            if let refusal = limits.refusal(of: file) {
                diagnostics.report(refusal)
                return nil
            }
            var builder = TreeBuilder(file, limits)
            defer { for diagnostic in builder.diagnostics { diagnostics.report(diagnostic) } }
            do {
                return try builder.document()
            } catch {
                diagnostics.report(error)
                return nil
            }
        #else
            diagnostics.report(
                Diagnostic(
                    .noYAML, "this build cannot read YAML", at: .file(file),
                    hint: "build with the package trait YAML, or write the file as JSON"))
            return nil
        #endif
    }
}

/// The readers of scenario files.
public enum DocumentReaders {
    /// The reader for a file by its name: JSON for `.json`, YAML for everything else.
    public static func reader(for fileName: String) -> any DocumentReader {
        fileName.lowercased().hasSuffix(".json") ? JSONReader() : YAMLReader()
    }
}
