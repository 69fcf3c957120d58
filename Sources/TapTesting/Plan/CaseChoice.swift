import TapScenario

/// Which of several cases a trait means.
struct CaseChoice {
    private let names: [String]

    /// Takes the names of the cases in their order.
    init(_ names: [String]) {
        self.names = names
    }

    /// The index of a case by its number, from 1, or its name; the only one without either.
    ///
    /// What is wrong is reported.
    func index(of name: String?, _ source: TraitSource, into diagnostics: inout Diagnostics) -> Int? {
        let list = names.enumerated().map { "\($0 + 1) \($1)" }.joined(separator: "; ")
        guard let name else {
            if names.count == 1 { return 0 }
            let hint = "choose one: `.scenario(…, case: \"…\")`"
            diagnostics.report(source.error(.contradiction, "the file has several cases: \(list)", hint: hint))
            return nil
        }
        let index = names.indices.first { Int(name) == $0 + 1 } ?? names.firstIndex(of: name)
        if index == nil {
            diagnostics.report(source.error(.unknownName, "there is no case `\(name)`", hint: "there are: \(list)"))
        }
        return index
    }
}
