import TapRun
import TapScenario

/// A scenario with those of its cases that are to run, with the client they are to run with.
struct SelectedScenario {
    /// The file as the user named it.
    let file: String
    /// The name of the scenario.
    let name: String
    /// The seed of the run.
    let seed: UInt64
    /// The cases, in order.
    let cases: [ScenarioCase]

    /// Who reads the cards, for the heading.
    var clientText: String { cases.first.map(CaseRun.clientText) ?? "" }

    /// What a client given on the command line made of the scenario's expectations, or nothing.
    var droppedExpectations: String? {
        var names: [String] = []
        for name in cases.flatMap(\.droppedExpectations) where !names.contains(name) { names.append(name) }
        guard !names.isEmpty else { return nil }
        return "not judged, since written for another client: \(names.joined(separator: ", "))"
    }
}
