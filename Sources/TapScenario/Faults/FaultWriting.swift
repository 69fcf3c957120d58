import TapField
import TapWire

extension FaultPlan {
    /// The plan as a file writes it under `faults`.
    public var node: Node { .list(entries.map(\.node)) }
}

extension FaultPlan.Entry {
    /// The entry as a file writes it.
    var node: Node {
        .map([
            "when": trigger.node, "times": times == IntegerRange(1, through: 1) ? nil : .text(times.description),
            "do": fault.node, "id": id.map(Node.text),
        ])
    }
}

extension Fault {
    /// The fault as a file writes it: its name, or a map with what is set about it.
    var node: Node {
        guard !arguments.written.isEmpty || !fix.isEmpty else { return .text(kind.name) }
        var entries = arguments.written.map { (key: $0.name, value: $0.value.node) }
        if !fix.isEmpty { entries.append(("fix", .list(fix.map { .text($0.rawValue) }))) }
        return .map([(key: kind.name, value: .map(entries))])
    }
}

extension FaultValue {
    /// The value as a file writes it.
    fileprivate var node: Node {
        switch self {
        case .integer(let number): .number(number)
        case .flag(let flag): .boolean(flag)
        case .time(.duration(let duration)): .text(DurationRule.text(duration))
        case .time(.percent), .bytes, .word: .text(description)
        }
    }
}
