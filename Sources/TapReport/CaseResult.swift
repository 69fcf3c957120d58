import TapDescribe
import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

/// A case that was run and judged.
public struct CaseResult: Sendable {
    public let scenarioCase: ScenarioCase
    public let record: RunRecord
    public let verdict: Verdict
    public let again: [String]
    /// The time the case took by the clock, if that was measured.
    public var wall: Duration?
    /// The folder in which page and trace are kept, once they are.
    public var folder: String?

    public init(_ scenarioCase: ScenarioCase, _ record: RunRecord, _ verdict: Verdict, again: [String]) {
        self.scenarioCase = scenarioCase
        self.record = record
        self.verdict = verdict
        self.again = again
    }

    /// The outcome, where the case asks for it and clean runs could tell.
    var finding: OutcomeFinding? { try? record.outcome?.get() }

    /// What the clock of the machine decided; for a failed case also which steps of its timeline it started.
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

extension CaseResult {
    /// The case as a program reads it, with the newest exchanges and calls.
    ///
    /// Times are card time in nanoseconds. Times of the machine are left out, so that two runs give the same text.
    public func node(newest count: Int) -> Node {
        let entries = record.world.trace.lastEntries(count)
        return .map(
            facts.entries.map { ($0.key.text, $0.value) } + [
                ("exchanges", .list(entries.compactMap { $0.exchange?.node })),
                ("calls", .list(entries.compactMap { $0.call?.node })), ("again", againNode),
            ])
    }

    /// Writes the case as a program reads it, exchange by exchange.
    public func write(to stream: inout JSONWriter.Stream) {
        stream.beginMap()
        for entry in facts.entries { stream.add(entry.value, entry.key.text) }
        let entries = record.world.trace.entries
        stream.beginList("exchanges")
        for case .exchange(let exchange) in entries { stream.add(exchange.node) }
        stream.end()
        stream.beginList("calls")
        for case .call(let call) in entries { stream.add(call.node) }
        stream.end()
        stream.add(againNode, "again")
        stream.end()
    }

    private var againNode: Node { .text(ShellWords.text(again)) }

    /// What was run and what it came to, for `meta.json`.
    public func metaNode(of name: String, tapsim version: String) -> Node {
        .map([
            "tapsim": .text(version), "name": .text(name), "file": .text(scenarioCase.file),
            "seed": .number(scenarioCase.seed), "case": .number(scenarioCase.number),
            "case_name": scenarioCase.name.map(Node.text), "passed": .boolean(verdict.isPassed),
            "transport": record.transportUsed.map(Node.text),
            "client": record.end.entries.isEmpty ? nil : .map(record.end.entries),
            "failures": .list(verdict.failures.map(\.node)), "again": againNode,
        ])
    }

    /// All but the exchanges and the command line that repeats it.
    private var facts: Node {
        .map([
            "number": .number(scenarioCase.number),
            "name": scenarioCase.name.map(Node.text),
            "passed": .boolean(verdict.isPassed),
            "card_time": .number(record.world.now.wholeNanoseconds),
            "client": record.clientNode,
            "transport": record.transportUsed.map(Node.text),
            "verdict": finding?.node,
            "failures": .list(verdict.failures.map(\.node)),
            "decided_by_clock": clockDecisions.isEmpty ? nil : .list(clockDecisions.map(Node.text)),
            "warnings": .list(verdict.warnings.map(\.node)),
            "unused_faults": unusedFaults.isEmpty ? nil : .list(unusedFaults),
            "assumed": assumptions.isEmpty ? nil : .list(assumptions.map(\.node)),
            "not_kept": record.world.trace.omission?.node,
            "folder": folder.map(Node.text),
        ])
    }
}

extension CaseResult {
    private var unusedFaults: [Node] {
        record.world.plan.unmet.map { entry, tally in
            ["fault": .text(entry.name), "injected": .number(tally.injected.count), "seen": .number(tally.seen)]
        }
    }
}

extension RunRecord {
    /// How the client ended and what it printed; null for one out of sight.
    var clientNode: Node {
        var entries = end.entries
        guard !entries.isEmpty else { return .null }
        entries.append(("stdout", .text(client.standardOutput)))
        entries.append(("stderr", .text(client.standardError)))
        if let result = client.result { entries.append(("result", result)) }
        if let missed = client.missedReady { entries.append(("never_ready", .text(missed.description))) }
        if let visits = client.visits {
            entries.append(
                ("visits", ["planned": .number(visits.planned), "finished": .number(visits.finished)]))
        }
        return .map(entries)
    }
}

extension Exchange {
    /// Times are card time in nanoseconds.
    public var node: Node {
        .map([
            "number": .number(number),
            "reader": reader.map(Node.text),
            "time": .number(time.wholeNanoseconds),
            "command": .map(command.entries(FrameDescription(command: command).line)),
            "answers": .list(
                answers.map { answer in
                    let line = FrameDescription(answer: answer.frame, to: command).line
                    let time: [(key: String, value: Node)] = [("time", .number(answer.time.wholeNanoseconds))]
                    return .map(
                        time + answer.frame.entries(line) + [("cards", .list(answer.cards.map(Node.text)))])
                }),
        ])
    }
}

extension TraceEntry.Call {
    /// Its time is card time in nanoseconds.
    public var node: Node {
        let place: Node = .map([
            "after": .number(exchange), "reader": reader.map(Node.text), "time": .number(time.wholeNanoseconds),
        ])
        return .map(place.entries.map { ($0.key.text, $0.value) } + call.entries)
    }
}

extension HostCall {
    /// What was asked for and what came of it, as a program reads it.
    var entries: [(key: String, value: Node)] {
        var entries: [(key: String, value: Node)] = [("layer", .text(layer.name))]
        if let code = layer.code { entries.append(("code", .text(Hex.digits(code, width: 8)))) }
        if case .usb(let endpoint) = layer { entries.append(("endpoint", .text(Hex.digits(endpoint, width: 2)))) }
        if case .returned(let result) = outcome {
            entries.append(("function", .text(layer.function)))
            if !command.isEmpty { entries.append(("hex", .text(Hex.text(command)))) }
            return entries + [("result", .text(result))]
        }
        entries += [("hex", .text(Hex.text(command))), ("outcome", .text(outcome.name))]
        if !outcome.answer.isEmpty { entries.append(("answer", .text(Hex.text(outcome.answer)))) }
        entries.append(("refused", .boolean(isRefused)))
        if let line = described?.line, !line.isEmpty { entries.append(("is", .text(line))) }
        return entries
    }

    /// Command and answer in words; `nil` for a function, and for what only the driver knows.
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
    /// What ``name`` says, with the bytes of an answer; `nil` for another word.
    init?(_ name: String, answer: [UInt8]) {
        let outcomes: [HostCall.Outcome] = [.answer(answer), .unsupported, .noCard, .failed, .waiting]
        guard let outcome = outcomes.first(where: { $0.name == name }) else { return nil }
        self = outcome
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

extension TraceOmission {
    /// Which exchanges are not kept, and how many calls are not.
    var node: Node {
        .map([
            "first": numbers.map { .number($0.lowerBound) }, "last": numbers.map { .number($0.upperBound) },
            "calls": .number(calls),
        ])
    }
}

extension AirFrame {
    fileprivate func entries(_ line: String) -> [(key: String, value: Node)] {
        [("hex", .text(Hex.text(bytes))), ("bits", .number(bitCount)), ("is", .text(line))]
    }
}
