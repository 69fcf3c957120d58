import TapField
import TapScenario
import TapWire

extension CaseResult {
    /// The case as a program reads it.
    ///
    /// Times are card time in nanoseconds. What the clock of the machine measured is not in it, so that two runs give
    /// the same text.
    public var node: Node {
        .map([
            "number": .number(scenarioCase.number),
            "name": scenarioCase.name.map(Node.text),
            "passed": .boolean(verdict.isPassed),
            "card_time": .number(record.world.now.wholeNanoseconds),
            "client": record.client.node,
            "door": record.doorUsed.map(Node.text),
            "verdict": finding?.node,
            "failures": .list(verdict.failures.map(\.node)),
            "decided_by_clock": clockDecisions.isEmpty ? nil : .list(clockDecisions.map(Node.text)),
            "unused_faults": unusedFaults.isEmpty ? nil : .list(unusedFaults),
            "exchanges": .list(record.world.trace.exchanges.map(\.node)),
            "again": .text(ShellWords.text(again)),
        ])
    }
}

extension CaseResult {
    /// Faults that have struck less often than planned.
    private var unusedFaults: [Node] {
        record.world.plan.unmet.map { entry, tally in
            ["fault": .text(entry.name), "struck": .number(tally.struck.count), "seen": .number(tally.seen)]
        }
    }
}

extension ClientReport {
    fileprivate var node: Node {
        var entries: [(key: String, value: Node)] = []
        switch end {
        case .exit(let code): entries.append(("exit", .number(code)))
        case .signal(let number): entries.append(("signal", .number(number)))
        case .timeLimit: entries.append(("limit", .text("time")))
        case .exchangeLimit: entries.append(("limit", .text("exchanges")))
        case .idleLimit: entries.append(("limit", .text("idle")))
        case .retryLimit: entries.append(("limit", .text("retries_per_command")))
        case .dismissed(let code):
            entries.append(("dismissed", true))
            if let code { entries.append(("exit", .number(code))) }
        case .killed(let limit, let code):
            entries.append(("killed_after", .text(DurationText.of(limit))))
            if let code { entries.append(("exit", .number(code))) }
        case .elsewhere: return .null
        }
        entries.append(("stdout", .text(standardOutput)))
        entries.append(("stderr", .text(standardError)))
        if let result { entries.append(("result", result)) }
        if let missedReady { entries.append(("never_ready", .text(missedReady.description))) }
        if let visits {
            entries.append(
                ("visits", ["planned": .number(visits.planned), "finished": .number(visits.finished)]))
        }
        return .map(entries)
    }
}

extension Exchange {
    /// The exchange as a program reads it; times are card time in nanoseconds.
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

extension AirFrame {
    fileprivate func entries(_ line: String) -> [(key: String, value: Node)] {
        [("hex", .text(Hex.text(bytes))), ("bits", .number(bitCount)), ("is", .text(line))]
    }
}
