import TapField
import TapScenario
import TapWire

/// Finds planned faults that were never injected: a run without them tested nothing.
enum UnusedFaults {
    static func failures(of test: ScenarioCase, in world: World) -> [Failure] {
        guard test.settings.unusedFaults == .fail else { return [] }
        return world.plan.unmet.map { entry, tally in
            Failure(
                path: "faults  \(entry.name)", source: entry.source, expected: expected(entry),
                got: got(entry, tally), nearest: tally.injected.last.flatMap { $0 > 0 ? $0 : nil },
                hint: hint(entry, tally, world.trace))
        }
    }

    private static func expected(_ entry: FaultPlan.Entry) -> String {
        let times = entry.times.lower == 1 ? "" : " \(entry.times.lower) times"
        return "it to be injected\(times), \(text(entry.trigger))"
    }

    private static func got(_ entry: FaultPlan.Entry, _ tally: FaultPlan.Tally) -> String {
        let injected = tally.injected.isEmpty ? "never" : CountText.of(tally.injected.count, "time")
        return "\(injected), \(seen(entry.trigger, tally.seen))"
    }

    private static func hint(_ entry: FaultPlan.Entry, _ tally: FaultPlan.Tally, _ trace: Trace) -> String {
        let commands = CommandCounts(trace).text
        let sent = entry.trigger.event.isExchange && tally.seen == 0 ? " The run had \(commands)." : ""
        return
            "A fault that is never injected tests nothing: correct `when`, or set `settings.unused_faults: report`.\(sent)"
    }

    private static func text(_ trigger: EventTrigger) -> String {
        let place = trigger.nth == 1 ? "" : " number \(trigger.nth)"
        return "at \(text(trigger.event))\(place)"
    }

    private static func seen(_ trigger: EventTrigger, _ count: Int) -> String {
        "with \(text(trigger.event)) seen \(CountText.of(count, "time"))"
    }

    private static func text(_ event: EventPattern) -> String {
        switch event {
        case .exchange: "exchange"
        case .command(let pattern): "\(pattern)"
        case .card(let event, let name): "card \(name.map { "\($0) " } ?? "")\(event.rawValue)"
        case .reader(let event, let name): "reader \(name.map { "\($0) " } ?? "")\(event.rawValue)"
        case .client(.line(let text)): "client line \(ClientJudge.quote(text))"
        case .client(let event): "client \(event)"
        case .call(let call): "call \(call.rawValue)"
        case .phone(let event): "phone \(event.rawValue)"
        }
    }
}

private struct CommandCounts {
    private static let maximum = 6

    let text: String

    init(_ trace: Trace) {
        var counts: [(name: String, count: Int)] = []
        for exchange in trace.entries.lazy.compactMap(\.exchange) {
            let command = CommandName(of: exchange.command)
            let name = command?.rawValue ?? "frame"
            if let index = counts.firstIndex(where: { $0.name == name }) {
                counts[index].count += 1
            } else {
                counts.append((name, 1 + (command.map { trace.omission?.count(of: $0) ?? 0 } ?? 0)))
            }
        }
        let listed = counts.prefix(Self.maximum).map { "\($0.name) \(CountText.of($0.count, "time"))" }
        let more = counts.count > Self.maximum ? " and others" : ""
        text = listed.isEmpty ? "no command at all" : listed.joined(separator: ", ") + more
    }
}
