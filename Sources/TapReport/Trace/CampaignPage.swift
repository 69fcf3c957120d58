import TapDescribe
import TapDocument
import TapField
import TapJudge
import TapScenario

/// The page of a campaign, filled case by case; repeated texts are referenced by number.
public struct CampaignPage {
    private let version: String
    private var cases: [Node] = []
    private var texts: [Node] = []
    private var numbers: [String: Int] = [:]

    /// The reason why the campaign ended before all runs were performed, such as `--time`.
    public var stop: String?

    /// - Parameter version: The version of TapSim.
    public init(tapsim version: String) {
        self.version = version
    }

    /// Adds a case.
    ///
    /// - Parameters:
    ///   - document: The output of `tapsim fuzz --json` for the case.
    ///   - verdicts: The grid of the case.
    ///   - exchanges: The exchanges of the baseline run.
    ///   - folders: The folders of saved runs, by run name, relative to the folder of the campaign.
    ///   - reproduceCommand: The command of a run, before and after its name.
    public mutating func add(
        _ document: Node, of verdicts: VerdictGrid, exchanges: [Exchange], folders: [String: String],
        reproduceCommand: (before: String, after: String)
    ) {
        let known = document.entries.filter { !["runs", "measured"].contains($0.key.text) }
        let words = exchanges.map { exchange -> Node in
            ["n": .number(exchange.number), "is": .text(FrameDescription(command: exchange.command).line)]
        }
        let faults = Dictionary(
            uniqueKeysWithValues: verdicts.faultNames.enumerated().map { ($0.element, $0.offset) })
        let runs = verdicts.entries.map { entry in
            node(entry, faults, folders[entry.run.name].map { "\($0)/trace.html" })
        }
        cases.append(
            .map(
                known.map { ($0.key.text, $0.value) } + [
                    ("runs", .list(runs)), ("exchanges", .list(words)),
                    ("summaries", .map(Self.summaries(verdicts, \.summary))),
                    ("glosses", .map(Self.summaries(verdicts, \.japaneseSummary))),
                    ("reproduce", .list([.text(reproduceCommand.before), .text(reproduceCommand.after)])),
                ]))
    }

    public var html: String {
        RunPage.html(
            campaign: [
                "v": .number(TraceLines.version), "tapsim": .text(version), "cases": .list(cases),
                "stopped": stop.map(Node.text) ?? .null,
                "letters": .list(Outcome.allCases.map(\.node)), "texts": .list(texts),
            ])
    }

    private mutating func node(_ entry: VerdictGrid.Entry, _ faults: [String: Int], _ page: String?) -> Node {
        let run = entry.run
        var entries: [(key: String, value: Node)] = [
            ("fault", .number(faults[run.faultName] ?? 0)),
            (run.place.isCall ? "call" : "exchange", .number(run.place.number)),
        ]
        switch entry.cell {
        case .notReached: entries.append(("verdict", "not reached"))
        case .judged(let finding):
            entries.append(("verdict", .number(Outcome.allCases.firstIndex(of: finding.outcome) ?? 0)))
            if let exchange = finding.exchange { entries.append(("at", .number(exchange))) }
            entries.append(("reason", text(finding.reason)))
            if let cause = entry.cause { entries.append(("cause", text(cause))) }
        }
        if let readBack = entry.readBack { entries.append(("read_back", .text(readBack.rawValue))) }
        if let page { entries.append(("page", text(page))) }
        return .map(entries)
    }

    private mutating func text(_ text: String) -> Node {
        if let number = numbers[text] { return .number(number) }
        numbers[text] = texts.count
        texts.append(.text(text))
        return .number(texts.count - 1)
    }

    /// A text for each fault, by the name of the fault without parameters.
    private static func summaries(
        _ grid: VerdictGrid, _ text: (FaultKind) -> String?
    ) -> [(key: String, value: Node)] {
        var summaries: [(key: String, value: Node)] = []
        for entry in grid.entries where summaries.last?.key != entry.run.fault.kind.name {
            guard let text = text(entry.run.fault.kind) else { continue }
            summaries.append((entry.run.fault.kind.name, .text(text)))
        }
        return summaries
    }
}

extension Outcome {
    fileprivate var node: Node {
        [
            "letter": .text(String(mark)), "verdict": .text(rawValue), "ok": .boolean(isOK), "summary": .text(summary),
            "gloss": .text(japaneseSummary),
        ]
    }

    private var japaneseSummary: String {
        switch self {
        case .correct: "正常終了し、結果は基準実行と同じでした。"
        case .clearError: "失敗したことを、終了コードか `clear_error` で指定した出力で報告しました。"
        case .crash: "シグナルで終了したか、サニタイザーのエラーやパニックを出力しました。"
        case .hang: "`limits.wall` か `client.kill_after` の時間になっても動いていたか、`limits.idle` の時間待ち続けました。"
        case .livelock: "`limits.exchanges` か `limits.retries_per_command` を超えてコマンドを送り続けました。"
        case .wrongResult: "正常終了しましたが、結果が基準実行と違います。"
        case .silentLoss: "カードの内容か基準実行の結果より少ししか出力せず、エラーも報告しませんでした。"
        case .safety: "求められていない、取り返しのつかない操作をカードにしました。"
        case .protocolMisuse: "カードやリーダーのマニュアルが禁じる使い方をしました。"
        case .leak: "コンテキスト、カードハンドル、トランザクションを解放せずに終了しました。"
        case .flaky: "失敗しましたが、同じ実行を繰り返すと違う動作をしました。"
        }
    }
}
