import TapDocument
import TapSystem
import TapJudge
import TapReport
import TapRun
import TapScenario
import TapWire

extension Verb {
    static let coverage = Verb(
        name: "coverage",
        usages: ["[TRACE|FOLDER…]"],
        summary: "Report which commands, states, answers and faults clients met in kept runs.",
        examples: [
            Example("Report what all kept runs met", "tapsim coverage"),
            Example("Fail if less than half of the faults were met", "tapsim coverage --part faults --fail-under 50"),
        ],
        details: """
            Without a TRACE or FOLDER, all runs in .tapsim/runs count. To keep passing runs
            too, use tapsim run --trace always, or --tapsim-trace always with pytest. The
            cards of the runs determine what could have been met: the commands of their ICs
            (commands that need keys only if a card has keys); their states; for each command
            that was sent, an answer, a damaged answer, silence, and the card's refusal of
            the command with one byte changed; and the faults that apply to what was sent. If
            there is no resolved.json next to a trace, only what was met is known. Campaigns
            of tapsim fuzz count with all faults that they injected.
            """,
        options: [
            .value(
                "--part", "PART", isRepeatable: true, "Report only this part: commands, states, answers or faults"),
            .value("--fail-under", "N", "Exit with 1 if less than N percent of a --part was met"),
            .flag("--json", "Print a JSON document instead of text"),
        ],
        run: { arguments, context in try CoverageVerb(arguments, context).run() })
}

struct CoverageVerb {
    private static let mostTraces = 10_000
    /// The maximum depth below a folder at which traces are found: runs, a run, a case.
    private static let maximumDepth = 3
    private static let limits = DocumentLimits(
        maximumBytes: TraceReader.maximumBytes, maximumDepth: 16, maximumNodes: 20_000_000)

    private let arguments: Arguments
    private let context: CommandContext
    private var console: Console { context.console }
    private let parts: [Coverage.Part]
    private let least: Int

    init(_ arguments: Arguments, _ context: CommandContext) throws(UsageError) {
        self.arguments = arguments
        self.context = context
        let wanted = try arguments.values("--part").map { text throws(UsageError) -> Coverage.Part in
            try Arguments.word(text, of: "--part")
        }
        parts = wanted.isEmpty ? Coverage.Part.allCases : Coverage.Part.allCases.filter(wanted.contains)
        least = try arguments.number("--fail-under") ?? 0
        guard 0...100 ~= least else { throw UsageError("`--fail-under` needs a number from 0 to 100") }
        guard least == 0 || !wanted.isEmpty else {
            throw UsageError("`--fail-under` needs a part, such as `--part commands`")
        }
    }

    func run() throws -> ExitCode {
        let paths = arguments.operands.isEmpty ? [RunFolder.parent] : arguments.operands
        let coverage = try coverage(of: paths)
        guard coverage.traceCount > 0 else {
            throw VerbError(
                .usage, "no traces in \(ListText.choice(paths))",
                help: "`tapsim run` keeps only failed cases; keep all of them with `tapsim run --trace always …`")
        }
        if arguments.isGiven("--json") {
            console.print(json: Self.output.node((coverage, parts)))
        } else {
            for line in CoverageText(coverage, parts).lines { console.print(line) }
        }
        if coverage.met(.commands).isEmpty {
            console.warn(
                "no client sent a command to a card in \(ListText.choice(paths)); check that it opens a reader, and keep "
                    + "passing runs with `tapsim run --trace always`")
        }
        let shares = parts.compactMap { part in coverage.percentage(of: part).map { (part, share: $0) } }
        let low = shares.filter { $0.share < least }.map { part, share in "\(share)% of the \(part.rawValue) were met" }
        let isEmpty = shares.isEmpty && least > 0
        guard isEmpty || !low.isEmpty else { return .passed }
        let met = isEmpty ? "there is nothing that could be met" : low.joined(separator: ", ")
        console.printError("\(met), but `--fail-under` requires \(least)%")
        return .failed
    }

    static let output = OutputTable<(coverage: Coverage, parts: [Coverage.Part])>(
        "coverage-document", "A coverage",
        .always("tapsim", "The version of TapSim") { _ in TapSimCommand.version },
        .always("traces", "The number of traces") { $0.coverage.traceCount },
        .always("cards", "The ICs of the cards") { $0.coverage.chips },
        .always("parts", "The parts: `commands`, `states`, `answers`, `faults`", as: .map(part.shape)) { document in
            OutputMap(document.parts.map { ($0.rawValue, part.node((document.coverage, $0))) })
        })

    private static let part = OutputTable<(coverage: Coverage, part: Coverage.Part)>(
        "covered-part", "A part of a coverage",
        .always("met", "What was met, and how often") {
            OutputMap($0.coverage.met($0.part).map { ($0.name, $0.count) })
        },
        .always("never", "What could have been met but was not") { $0.coverage.unmet($0.part).map(\.name) },
        .maybe("percentage", "The percentage that was met, rounded down; absent if nothing could be met") {
            $0.coverage.percentage(of: $0.part)
        })

    private func coverage(of paths: [String]) throws -> Coverage {
        // An error must not continue the progress line.
        defer { console.showProgress("") }
        var coverage = Coverage()
        for path in paths where !arguments.operands.isEmpty || context.folder.isThere(path) {
            try add(path, 0, to: &coverage)
        }
        return coverage
    }

    /// Adds a trace, or the traces in a folder and below.
    private func add(
        _ path: String, _ depth: Int, isOfCampaign: Bool = false, to coverage: inout Coverage
    ) throws {
        guard let names = context.folder.names(in: path) else {
            guard depth == 0 else { return }
            guard path.hasSuffix(".jsonl") else {
                throw VerbError(.usage, "\(path) is neither a folder nor a trace.jsonl")
            }
            return try addTrace(path, to: &coverage)
        }
        if names.contains("trace.jsonl") { try addTrace("\(path)/trace.jsonl", isOfCampaign, to: &coverage) }
        let isCampaign = names.contains(RunFolder.campaignDocument)
        if isCampaign {
            coverage.add(campaign: try document("\(path)/\(RunFolder.campaignDocument)"))
        }
        guard depth < Self.maximumDepth else { return }
        for name in names where !name.hasPrefix(".") {
            try add("\(path)/\(name)", depth + 1, isOfCampaign: isCampaign, to: &coverage)
        }
    }

    private func addTrace(_ path: String, _ isOfCampaign: Bool = false, to coverage: inout Coverage) throws {
        guard coverage.traceCount < Self.mostTraces else {
            throw VerbError(.usage, "there are more than \(Self.mostTraces) traces; name fewer folders")
        }
        let kept = KeptCase(path, in: context.folder)
        let trace = try kept.trace()
        let loaded = try kept.scenarioPath.map {
            try ScenarioFiles.load([$0], ScenarioArguments(), context)
        }
        let scenarioCase = loaded?.first?.cases.first
        coverage.add(
            trace, of: scenarioCase?.cards ?? [],
            refusals: scenarioCase.map { RefusalProbe($0, trace).refusals } ?? [:], isOfCampaign: isOfCampaign)
        console.showProgress("\(CountText.of(coverage.traceCount, "trace")) read")
    }

    private func document(_ path: String) throws(VerbError) -> Node {
        var diagnostics = Diagnostics()
        let file = SourceFile(name: path, bytes: try KeptCase.bytes(of: path, in: context.folder))
        guard let document = JSONReader(limits: Self.limits).read(file, into: &diagnostics) else {
            throw VerbError(.usage, "\(path) is not a campaign kept by tapsim fuzz")
        }
        return document
    }
}
