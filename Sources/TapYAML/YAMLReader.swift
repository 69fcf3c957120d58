import TapDocument

/// A reader for YAML scenario files that produces the same tree as ``JSONReader``.
///
/// It supports mappings, sequences, plain and quoted scalars, literal blocks, comments, and one `---` at the top. It rejects
/// everything else with a specific message. Scalars keep their text. A build without the package trait YAML rejects every
/// file with a message that explains this.
public struct YAMLReader: DocumentReader {
    /// A Boolean value that indicates whether this build can read YAML.
    public static var isAvailable: Bool {
        #if YAML
            true
        #else
            false
        #endif
    }

    public let limits: DocumentLimits

    public init(limits: DocumentLimits = .scenario) {
        self.limits = limits
    }

    /// Reads a file up to its first syntax error.
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
                    hint: "build it with the package trait YAML, or write the file as JSON"))
            return nil
        #endif
    }
}

public enum DocumentReaders {
    /// The reader for a file name: JSON for `.json`, YAML for everything else.
    public static func reader(for fileName: String) -> any DocumentReader {
        fileName.lowercased().hasSuffix(".json") ? JSONReader() : YAMLReader()
    }
}
