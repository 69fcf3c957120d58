import TapScenario
import Testing

/// The line of a trait as a source of values, so that what is wrong with one is told there.
///
/// The file has the name of the source file of the test and what the trait says on the line of the trait; lines before
/// are empty.
struct TraitSource {
    private let range: SourceRange

    /// Takes what a trait says.
    init(_ text: String, at location: SourceLocation) {
        let before = String(repeating: "\n", count: max(0, location.line - 1))
        let file = SourceFile(name: location.filePath, text: before + text)
        range = SourceRange(file, offset: before.unicodeScalars.count, end: file.scalars.count)
    }

    /// Takes a trait that names a scenario.
    init(scenario path: String, at location: SourceLocation) {
        self.init(".scenario(\"\(path)\")", at: location)
    }

    /// Whether a place is that of a trait, and its text what the trait says.
    static func holds(_ range: SourceRange) -> Bool { range.file.name.hasSuffix(".swift") }

    /// A value with this place.
    func place(_ node: Node) -> Node {
        switch node {
        case .scalar(let scalar): .scalar(place(scalar))
        case .list(let list): .list(NodeList(list.items.map(place), range: range))
        case .map(let map):
            .map(NodeMap(map.entries.map { NodeMap.Entry(place($0.key), place($0.value)) }, range: range))
        }
    }

    /// An error of the trait as a whole.
    func error(_ code: DiagnosticCode, _ message: String, hint: String) -> Diagnostic {
        Diagnostic(code, message, at: .range(range), hint: hint)
    }

    private func place(_ scalar: Scalar) -> Scalar { Scalar(scalar.text, form: scalar.form, range: range) }
}
