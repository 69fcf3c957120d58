/// A selection among the cases of a file: by number, counted from 1, or by name.
package struct CaseNames: CustomStringConvertible {
    private let names: [(number: Int, name: String)]

    /// Creates a selection from the names of the cases, in order.
    package init(_ names: [String]) {
        self.names = names.enumerated().map { ($0 + 1, $1) }
    }

    /// Creates a selection from some or all cases of a file.
    package init(_ cases: [ScenarioCase]) {
        names = cases.map { ($0.number, $0.displayName) }
    }

    package var count: Int { names.count }

    /// The indices of the selected cases: the case with that number, otherwise all cases with that name.
    package func indices(of text: String) -> [Int] {
        let number = names.indices.filter { Int(text) == names[$0].number }
        return number.isEmpty ? names.indices.filter { names[$0].name == text } : number
    }

    /// A list of all cases to choose from: `1 a balance; 2 a history`.
    package var description: String { names.map { "\($0.number) \($0.name)" }.joined(separator: "; ") }
}
