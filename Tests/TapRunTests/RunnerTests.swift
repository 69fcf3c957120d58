import ScenarioSupport
import TapClient
import TapFuzz
import TapJudge
import TapRun
import TapScenario
import TapYAML
import Testing

/// The ways to perform the runs of a campaign.
@Suite(.enabled(if: YAMLReader.isAvailable)) struct `The runners of a campaign` {
    private func test() throws -> ScenarioCase {
        try #require(
            LoadedScenario("{format: 1, cards: {card: {template: suica, balance: 3120, trips: 12}}}").first)
    }

    /// The outcomes of all runs in a grid.
    private func cells(_ report: FuzzReport) -> [String] {
        (report.grid.entries + (report.grid.guided?.findings ?? [])).map { entry in
            "\(entry.run.name): \(entry.outcome?.rawValue ?? "not reached"), \(entry.readBack?.rawValue ?? "not read")"
        }
    }

    @Test(arguments: [1, 4]) func `produce the same grid for the same client`(jobs: Int) async throws {
        let test = try test()
        var settings = Campaign.Settings(
            try RunSelection(only: ["rf.*", "felica.*", "card.*"]), guided: .runs(60))
        let function = try await Fuzzing.report(test, settings, patience: Fuzzing.patience) { link in
            var reader = CardReader(link)
            return try await reader.readTransitCard()
        }
        settings.jobs = Jobs { jobs }
        var limits = CampaignLimits()
        let campaign = try await Campaign(test, settings, on: CaseRunner(test))
        let builtin = try await campaign.report(within: &limits)
        #expect(builtin.grid.places == function.grid.places && builtin.grid.untried == function.grid.untried)
        #expect(cells(builtin) == cells(function) && builtin.grid.entries.count > 100)
        #expect(builtin.grid.guided?.outcomes == function.grid.guided?.outcomes)
        #expect(!builtin.causes.isEmpty && builtin.faultlessCauses == function.faultlessCauses)
    }
}
