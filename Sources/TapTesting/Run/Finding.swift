import TapField
import TapReport
import TapScenario
import TapWire
import Testing

/// Something a test has to be told: what is wrong, and where.
struct Finding: Hashable, Sendable {
    /// What is wrong and what to do, a sentence without a full stop.
    let text: String
    /// Where: the line of a trait, of a scenario or of the test.
    let location: SourceLocation
    /// Whether the test may pass all the same.
    var isWarning = false

    init(_ text: String, at location: SourceLocation) {
        self.text = text
        self.location = location
    }

    /// What is wrong with a document; where it has no place, at the test.
    init(_ diagnostic: Diagnostic, of test: SourceLocation) {
        let place = diagnostic.place
        let trait = place.range.flatMap { TraitSource.holds($0) ? "\(PrintableText.line($0.text)): " : nil } ?? ""
        text = trait + diagnostic.message + (diagnostic.hint.isEmpty ? "" : "; \(diagnostic.hint)")
        location =
            place.file.map { file in
                test.moved(to: file.name, line: place.range?.line ?? 1, column: place.range?.column ?? 1)
            } ?? test
        isWarning = diagnostic.severity == .warning
    }

    /// An expectation that was not met, at its line.
    init(_ failure: Failure, of test: SourceLocation) {
        text = failure.text + (failure.hint.map { "; \($0)" } ?? "")
        location = failure.source.map { test.moved(to: $0.file, line: $0.line, column: 1) } ?? test
    }
}

extension SourceLocation {
    /// A place in another file of the same module, or in another line.
    fileprivate func moved(to path: String, line: Int, column: Int) -> SourceLocation {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let id = path == filePath ? fileID : "\(moduleName)/\(name)"
        return SourceLocation(fileID: id, filePath: path, line: max(1, line), column: max(1, column))
    }
}
