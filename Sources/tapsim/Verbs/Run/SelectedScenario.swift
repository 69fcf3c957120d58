import TapRun
import TapScenario

/// A scenario with those of its cases that are to run, with the client they are to run with.
struct SelectedScenario {
    /// The file as the user named it.
    let file: String
    let name: String
    /// The seed of the run.
    let seed: UInt64
    /// The cases, in order.
    private(set) var cases: [ScenarioCase]

    /// Who reads the cards, for the heading.
    var clientText: String { cases.first.map(CaseRun.clientText) ?? "" }

    /// The scenario for runs in which no phone reads the cards.
    var withoutPhones: SelectedScenario {
        var copy = self
        copy.cases = cases.map { $0.withoutPhone() }
        return copy
    }

    /// What the command line made of the scenario's expectations, a line for each reason.
    var droppedExpectations: [String] {
        cases.flatMap(\.droppedExpectations).lines
    }
}
