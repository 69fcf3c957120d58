/// Reads JSON into a tree with places, strictly.
///
/// Source: RFC 8259. Beyond it, a key written twice is an error, and so is half a surrogate pair, which no text holds.
public struct JSONReader: DocumentReader {
    /// How large a document may be.
    public let limits: DocumentLimits

    public init(limits: DocumentLimits = .scenario) {
        self.limits = limits
    }

    /// Reads a file; after an error in the grammar nothing more is read.
    public func read(_ file: SourceFile, into diagnostics: inout Diagnostics) -> Node? {
        if let refusal = limits.refusal(of: file) {
            diagnostics.report(refusal)
            return nil
        }
        guard file.endOfText > 0 else {
            diagnostics.report(
                Diagnostic(.emptyFile, "the file is empty", at: .file(file), hint: "a JSON value is needed"))
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
