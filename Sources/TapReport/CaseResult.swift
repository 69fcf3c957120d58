import TapDescribe
import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

public struct CaseResult: Sendable {
    public let scenarioCase: ScenarioCase
    public let record: RunRecord
    public let verdict: Verdict
    public let reproduceCommand: [String]
    /// The wall-clock time of the case, if it was measured.
    public var wall: Duration?
    /// The folder with the saved page and trace, once they are saved.
    public var folder: String?
    /// The number of exchanges and calls in the JSON output, the newest ones; `nil` for all.
    public var newest: Int?

    public init(_ scenarioCase: ScenarioCase, _ record: RunRecord, _ verdict: Verdict, reproduceCommand: [String]) {
        self.scenarioCase = scenarioCase
        self.record = record
        self.verdict = verdict
        self.reproduceCommand = reproduceCommand
    }

    /// The outcome, if the case asks for it and the baseline runs allow one.
    var finding: OutcomeFinding? { try? record.outcome?.get() }

    /// The decisions that depended on the machine's clock; for a failed case, also the steps of its timeline that the clock
    /// started.
    var clockDecisions: [String] {
        guard !verdict.isPassed else { return record.clockDecisions }
        var steps: [SourceReference] = []
        for event in record.world.trace.events where event.isMeasured {
            if let source = event.source, steps.last != source { steps.append(source) }
        }
        return steps.map { "\($0) came at its own time, whatever the client did" } + record.clockDecisions
    }

    /// The reads and writes that a card carried out, such as `2 reads, 1 write`, or `no read succeeded`.
    var traffic: String {
        let recorded = record.world.recordedReplyCount
        guard recorded == 0 else { return CountText.of(recorded, "recorded APDU") }
        let traffic = record.world.traffic
        if traffic.reads + traffic.writes == 0,
            record.world.trace.exchanges.contains(where: { CommandName(of: $0.command)?.isRead == true })
        {
            return "no read succeeded"
        }
        let parts = [(traffic.reads, "read"), (traffic.writes, "write")].filter { $0.0 > 0 || $0.1 == "read" }
        return parts.map { CountText.of($0.0, $0.1) }.joined(separator: ", ")
    }
}

extension CaseResult: OutputModel {
    /// The case in JSON.
    ///
    /// Times are card time in nanoseconds. Wall-clock times are omitted, so that two runs give the same text.
    package static let output = OutputTable<Self>(
        "case", "A case",
        .always("number", "Its number, from 1", \.scenarioCase.number),
        .maybe("name", "Its name", \.scenarioCase.name),
        .always("passed", "Whether it met all expectations", \.verdict.isPassed),
        .always("card_time", "Its duration", \.record.world.now.wholeNanoseconds),
        .always("client", "The client; null if TapSim does not see its end", \.record.seen),
        .maybe("transport", "The transport that the client used", \.record.transportUsed),
        .maybe("verdict", "The outcome for the client, if it is judged", \.finding),
        .always("failures", "Expectations that were not met", \.verdict.failures),
        .filled("decided_by_clock", "Decisions that depended on the clock", \.clockDecisions),
        .always("warnings", "Signs of a mistake in the scenario", \.verdict.warnings),
        .filled(
            "unused_faults", "Faults that were injected less often than planned", as: .list(unused.shape)
        ) { $0.record.world.plan.unmet.map(unused.node) },
        .filled("assumed", "Assumptions about ICs on which answers relied", \.assumptions),
        .maybe("not_kept", "The part that a long run dropped", \.record.world.trace.omission),
        .maybe("folder", "The folder with the saved page and trace", \.folder),
        .each("exchanges", "The exchanges") { $0.entries.lazy.compactMap(\.exchange) },
        .each("calls", "Host commands that led to no frame") { $0.entries.lazy.compactMap(\.call) },
        .always("reproduce", "The command that repeats the case") { ShellText.text($0.reproduceCommand) })

    private static let unused = OutputTable<(entry: FaultPlan.Entry, tally: FaultPlan.Tally)>(
        "unused-fault", "A fault that was not injected",
        .always("fault", "The fault") { $0.entry.name },
        .always("injected", "How often it was injected") { $0.tally.injected.count },
        .always("seen", "How often its trigger occurred") { $0.tally.seen })

    private var entries: TraceEntries {
        newest.map(record.world.trace.lastEntries) ?? record.world.trace.entries
    }

    /// Returns the case and its result, for `meta.json`.
    public func metaNode(of name: String, tapsim version: String) -> Node {
        .map([
            "tapsim": .text(version), "name": .text(name), "file": .text(scenarioCase.file),
            "seed": .number(scenarioCase.seed), "case": .number(scenarioCase.number),
            "case_name": scenarioCase.name.map(Node.text), "passed": .boolean(verdict.isPassed),
            "transport": record.transportUsed.map(Node.text),
            "client": record.seen.map { ClientReport.End.output.node($0.client.end) },
            "failures": verdict.failures.node, "reproduce": .text(ShellText.text(reproduceCommand)),
        ])
    }
}

extension RunRecord: OutputModel {
    package static let output = OutputTable<Self>(
        "client", "A client",
        ClientReport.End.output.rows(of: \.client.end),
        .always("stdout", "Its standard output", \.client.standardOutput),
        .always("stderr", "Its standard error", \.client.standardError),
        .maybe("result", "The result that it printed", \.client.result),
        .maybe(
            "never_ready", "The ready line that it never printed", \.client.missedReady?.description),
        .maybe("visits", "The visits of cards, if there are several", \.client.visits))

    var seen: RunRecord? { end.isUnseen ? nil : self }
}

extension ClientReport.Visits: OutputModel {
    package static let output = OutputTable<Self>(
        "visits", "Visits of cards",
        .always("planned", "The number of planned visits", \.planned),
        .always("finished", "The number of finished visits", \.finished))
}

extension TraceOmission: OutputModel {
    package static let output = OutputTable<Self>(
        "not-kept", "The part that a long run dropped",
        .maybe("first", "The first dropped exchange", \.numbers?.lowerBound),
        .maybe("last", "The last dropped exchange", \.numbers?.upperBound),
        .always("calls", "The number of dropped calls", \.calls))
}

extension Exchange: OutputModel {
    /// The exchange in JSON; times are card time in nanoseconds.
    package static let output = OutputTable<Self>(
        "exchange", "An exchange",
        .always("number", "Its number, from 1", \.number),
        .maybe("reader", "The reader, if there are several", \.reader),
        .always("time", "When the command began", \.time.wholeNanoseconds),
        .always("command", "The command", as: frame.shape) {
            frame.node(($0.command, FrameDescription(command: $0.command).line))
        },
        .always("answers", "The answers; empty for silence", as: .list(answer.shape)) { exchange in
            exchange.answers.map { answer.node(($0, exchange.command)) }
        })

    private static let frame = OutputTable<(frame: RFFrame, line: String)>(
        "frame", "A frame",
        .always("hex", "The bytes without CRC") { Hex.text($0.frame.bytes) },
        .always("bits", "The number of bits transmitted") { $0.frame.bitCount },
        .always("is", "The frame in words") { $0.line })

    private static let answer = OutputTable<(answer: Answer, command: RFFrame)>(
        "answer", "An answer",
        .always("time", "When it began") { $0.answer.time.wholeNanoseconds },
        frame.rows { ($0.answer.frame, FrameDescription(answer: $0.answer.frame, to: $0.command).line) },
        .always("cards", "The card; several in a collision") { $0.answer.cards })
}

extension TraceEntry.Call: OutputModel {
    /// The call in JSON; its time is card time in nanoseconds.
    package static let output = OutputTable<Self>(
        "call", "A call",
        .always("after", "The exchange before it, 0 for none", \.exchange),
        .maybe("reader", "The reader, if there are several", \.reader),
        .always("time", "When it was made", \.time.wholeNanoseconds),
        HostCall.output.rows(of: \.call))
}

extension HostCall {
    /// The command and its outcome in JSON; traces have the same keys.
    static let output = OutputTable<Self>(
        "host-call", "A command of a host",
        .always("layer", "The layer between host and reader", as: .word(Layer.names), \.layer.name),
        .maybe("code", "The control code") { $0.layer.code.map { Hex.digits($0, width: 8) } },
        .maybe("endpoint", "The endpoint of the USB") { call in
            if case .usb(let endpoint) = call.layer { Hex.digits(endpoint, width: 2) } else { nil }
        },
        .maybe("function", "The function, if it failed or carries no command") {
            $0.result == nil ? nil : $0.layer.function
        },
        .maybe("hex", "The command") {
            $0.result != nil && $0.command.isEmpty ? nil : Hex.text($0.command)
        },
        .maybe("result", "The return value of the function", \.result),
        .maybe("outcome", "The outcome of a command", as: .word(Outcome.names)) {
            $0.result == nil ? $0.outcome.name : nil
        },
        .filled("answer", "The answer") { Hex.text($0.outcome.answer) },
        .maybe("refused", "Whether the reader refused the command") { $0.result == nil ? $0.isRefused : nil },
        .filled("is", "The command in words") { $0.result == nil ? $0.described?.line ?? "" : "" })

    /// The return value of a function; `nil` for a command.
    private var result: String? { if case .returned(let result) = outcome { result } else { nil } }

    /// The command and the answer in words; `nil` for a function, and for calls that only the driver understands.
    var described: HostExchange? {
        switch layer {
        case .apdu: HostExchange(command, answer: outcome.answer, .apdu)
        case .control(let code) where ControlCode(code).isEscape && command.first == CommandAPDU.reader:
            HostExchange(command, answer: outcome.answer, .apdu)
        case .pn532: HostExchange(command, answer: outcome.answer, .pn532)
        case .port100: HostExchange(command, answer: outcome.answer, .port100)
        case .control, .usb, .pcsc, .phone: nil
        }
    }
}

extension HostCall.Layer {
    fileprivate static let names = ["apdu", "control", "pn532", "port100", "usb", "pcsc", "phone"]

    fileprivate var code: UInt32? {
        if case .control(let code) = self { code } else { nil }
    }

    fileprivate var name: String {
        switch self {
        case .apdu: "apdu"
        case .control: "control"
        case .pn532: "pn532"
        case .port100: "port100"
        case .usb: "usb"
        case .pcsc: "pcsc"
        case .phone: "phone"
        }
    }

    /// The name of the function; empty for a command.
    var function: String {
        switch self {
        case .pcsc(let call): call.function
        case .phone(let event): event.rawValue
        case .apdu, .control, .pn532, .port100, .usb: ""
        }
    }
}

extension HostCall.Outcome {
    /// Creates the outcome with a ``name``, and with the bytes of an answer; `nil` for another word.
    init?(_ name: String, answer: [UInt8]) {
        guard let outcome = Self.ofCommand(answer).first(where: { $0.name == name }) else { return nil }
        self = outcome
    }

    fileprivate static var names: [String] { ofCommand([]).map(\.name) }

    private static func ofCommand(_ answer: [UInt8]) -> [HostCall.Outcome] {
        [.answer(answer), .unsupported, .noCard, .failed, .waiting]
    }

    fileprivate var name: String {
        switch self {
        case .answer: "answer"
        case .unsupported: "unsupported"
        case .noCard: "no card"
        case .failed: "failed"
        case .waiting: "waiting"
        case .returned: "returned"
        }
    }
}
