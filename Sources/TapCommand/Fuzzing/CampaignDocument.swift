import TapDocument
import TapFuzz
import TapJudge
import TapReport
import TapRun
import TapScenario

/// The case that a campaign or an audit runs.
struct CampaignHead {
    private let scenario: SelectedScenario
    private let scenarioCase: ScenarioCase

    init(_ scenarioCase: ScenarioCase, _ scenario: SelectedScenario) {
        (self.scenarioCase, self.scenario) = (scenarioCase, scenario)
    }

    static let output = OutputTable<Self>(
        "campaign-head", "A case of a campaign",
        .always("scenario", "The scenario", \.scenario.name), .always("file", "Its file", \.scenario.file),
        .always("client", "The client") { CaseRun.clientText($0.scenarioCase) },
        .always("seed", "The seed", \.scenario.seed), .maybe("case", "The case", \.scenarioCase.name))
}

/// The planned runs of a case, for `--list`.
struct PlannedCase: OutputModel {
    let head: CampaignHead
    let cards: [String]
    let runs: [FuzzRun]

    static let output = OutputTable<Self>(
        "plan", "Planned runs",
        CampaignHead.output.rows(of: \.head),
        .always("control_cards", "The control cards", \.cards), .always("runs", "The runs", \.runs))
}

/// The results of a case in a campaign; the page shows the same.
struct CampaignCase: OutputModel {
    let head: CampaignHead
    let campaign: Campaign
    let report: FuzzReport
    let folders: FindingFolders
    /// The command that repeats a run.
    let reproduceCommand: (FuzzRun) -> [String]
    let speed: CampaignSpeed

    static let output = OutputTable<Self>(
        "grid", "A grid of verdicts",
        CampaignHead.output.rows(of: \.head),
        .always("clean_findings", "Findings without any fault") { $0.folders.clean.described },
        .always("control_cards", "The control cards that the client read, by their names for `--only`") {
            $0.campaign.cards.map(\.name)
        },
        .always("warnings", "Signs of a mistake in the scenario", \.report.warnings),
        .maybe(
            "result_stream",
            "The stream on which the client prints the card's content; absent if `client.result` states it",
            \.campaign.baseline.resultStream),
        .always("places", "The columns", \.report.grid.places),
        .always("faults", "The rows", \.report.grid.faultNames),
        .always("runs", "The cells", \.report.grid.entries),
        .always("causes", "The findings by cause, most serious first", \.causes),
        .always("planned", "The number of planned runs", \.report.grid.plannedCount),
        .filled("not_run", "Runs that were not performed because the campaign ended early", \.report.grid.openRuns),
        .always("totals", "The number of runs with each verdict", \.report.grid.verdictCounts),
        .maybe("guided", "The results of combined faults", \.report.grid.guided),
        .always("read_back", "The contents found on cards after memory faults, with counts") {
            OutputMap($0.report.grid.readBacks.map { ($0.readBack.rawValue, $0.count) })
        },
        .always("never_reached", "Faults that no run reached", \.report.grid.neverReached),
        .always("not_tried", "Faults that apply to nothing here and were not tried", \.report.grid.untried),
        .always("measured", "The times it took, which vary between campaigns", \.speed))

    private var causes: [DescribedCause] {
        report.grid.causes.map { cause in
            DescribedCause(
                cause, reproduceCommand: reproduceCommand(cause.shortest.run),
                folder: folders.runs[cause.shortest.run.name],
                kept: folders.causes[cause.key])
        }
    }
}

extension ResultStream: OutputValue {}
extension CampaignLimits.Stop: OutputValue {}
