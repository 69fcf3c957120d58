/// A choice among the cases of a file: by number, from 1, or by name.
package struct CaseNames: CustomStringConvertible {
    private let names: [(number: Int, name: String)]

    /// Takes the names of the cases in their order.
    package init(_ names: [String]) {
        self.names = names.enumerated().map { ($0 + 1, $1) }
    }

    /// Takes cases, some of a file or all.
    package init(_ cases: [ScenarioCase]) {
        names = cases.map { ($0.number, $0.displayName) }
    }

    package var count: Int { names.count }

    /// The indices of the cases that are meant: the one of that number, else all of that name.
    package func indices(of text: String) -> [Int] {
        let number = names.indices.filter { Int(text) == names[$0].number }
        return number.isEmpty ? names.indices.filter { names[$0].name == text } : number
    }

    /// All of them, to choose from: `1 a balance; 2 a history`.
    package var description: String { names.map { "\($0.number) \($0.name)" }.joined(separator: "; ") }
}
