import TapDocument
import TapFuzz
import TapSystem
import TapJudge
import TapReport

/// An interrupted campaign whose runs need not be repeated.
struct ResumedCampaign {
    static let option = Option.value(
        "--resume", "FILE", "Resume an interrupted campaign from its campaign.json or --json output"
    ).in(.runs)
    private static let limits = DocumentLimits(maximumBytes: 64 << 20, maximumDepth: 32, maximumNodes: 4_000_000)

    private let path: String
    private let cases: [Node]

    /// Reads the campaign that `--resume` names; `nil` if the option is not given.
    init?(_ arguments: Arguments, in folder: WorkingFolder) throws {
        guard let path = arguments.value("--resume") else { return nil }
        self.path = path
        let bytes: [UInt8]
        do {
            bytes = try folder.bytes(of: path, upTo: Self.limits.maximumBytes)
        } catch {
            throw UsageError("`--resume`: \(error)")
        }
        var diagnostics = Diagnostics()
        let file = SourceFile(name: path, bytes: bytes)
        guard let document = JSONReader(limits: Self.limits).read(file, into: &diagnostics),
            let version = document["tapsim"]?.text, let cases = document["cases"]?.items
        else { throw UsageError("`--resume`: \(path) is not the output of `tapsim fuzz --json`") }
        guard version == TapSimCommand.version else {
            throw UsageError(
                "`--resume`: \(path) was written by tapsim \(version), but this is \(TapSimCommand.version); start a new campaign"
            )
        }
        self.cases = cases
    }

    /// Returns the earlier runs of a case.
    ///
    /// - Parameters:
    ///   - head: The case.
    ///   - phase: The case's planned runs, based on a new baseline run.
    ///   - console: Gets a note if there are no earlier runs: the card, seed or client differs, or the case was never
    ///     started.
    func runs(
        of head: CampaignHead, _ phase: SystematicPhase, _ console: Console
    ) throws -> Campaign.Earlier {
        let entries = CampaignHead.output.entries(head)
        let known = cases.first { item in entries.allSatisfy { item[$0.key] == $0.value } }
        guard let known else {
            console.printError("note: \(path) has no runs for this card, client and seed; starting over")
            return Campaign.Earlier()
        }
        guard known["places"] == phase.places.node else {
            throw UsageError(
                "`--resume`: the client's baseline run differs from the one in \(path); start a new campaign")
        }
        let runs = Dictionary(phase.runs.map { ($0.name, $0) }) { first, _ in first }
        let found = (known["runs"]?.items ?? []).compactMap { node in
            VerdictGrid.Entry.name(of: node).flatMap { runs[$0] }.flatMap { VerdictGrid.Entry($0, node) }
        }
        return Campaign.Earlier(
            Dictionary(found.map { ($0.run.name, $0) }) { first, _ in first },
            guided: known["guided"].map { GuidedResult($0, among: phase.places) })
    }
}
