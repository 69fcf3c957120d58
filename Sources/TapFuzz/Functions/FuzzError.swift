import TapJudge

/// The reason why a campaign is impossible, a sentence without its full stop.
public struct FuzzError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }

    init(_ error: BaselineError) {
        let advice =
            switch error.code {
            case .fails: "fix that first"
            case .varies: "return a value without the parts that differ from run to run"
            case .tooFew, .tooLong: error.advice
            }
        self.init("the campaign needs \(BaselineError.needed), but got \(error.found); \(advice)")
    }

    init(_ problem: RunSelection.Problem) {
        let option = problem.isException ? "except" : "only"
        self.init(
            "`\(option): [\"\(problem.pattern)\"]` \(problem.reason); "
                + problem.suggestion(before: "docs/faults.md lists them"))
    }

    /// Creates the error of a campaign that has nothing to run; `nil` if it has runs.
    init?(noRunOf campaign: Campaign) {
        if let (name, error) = campaign.named.problems.first {
            self.init("`only: [\"\(name)\"]` names no run of this client: \(error)")
            return
        }
        let places = campaign.phase.places
        guard !places.isEmpty else {
            self.init("the client reaches no card in its baseline run, so no fault can be injected")
            return
        }
        let hasRuns = !campaign.named.runs.isEmpty || !campaign.cards.isEmpty || !campaign.runs.isEmpty
        guard !hasRuns else { return nil }
        let asked = campaign.settings.selection.patterns.map { "`\($0)`" }.joined(separator: ", ")
        self.init(
            "no fault requested\(asked.isEmpty ? "" : " as \(asked)") can be injected; the baseline run has "
                + places.map(\.description).joined(separator: "; "))
    }
}
