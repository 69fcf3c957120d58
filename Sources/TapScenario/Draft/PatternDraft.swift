import TapField
import TapWire

/// The pattern that states an exchange of a run.
enum PatternDraft {
    /// The pattern as a file writes it, or nothing for what no pattern states: empty frames and selection, which
    /// readers do in ways of their own.
    static func node(of exchange: Exchange) -> Node? {
        let seen = SeenExchange(exchange)
        guard let name = seen.command.name, name.layer != .selection else { return nil }
        var entries: [(key: String, value: Node)] = [("command", .text(name.rawValue))]
        entries += arguments(of: seen.command, name)
        if let reply = reply(seen.reply) { entries.append(("reply", reply)) }
        return .map(entries)
    }

    private static func arguments(of command: CommandFacts, _ name: CommandName) -> [(key: String, value: Node)] {
        var entries: [(key: String, value: Node)] = []
        if let system = command.system { entries.append(("system", code(system.rawValue))) }
        switch command.services.count {
        case 0: break
        case 1: entries.append(("service", code(command.services[0].rawValue)))
        default: entries.append(("service", .list(command.services.map { code($0.rawValue) })))
        }
        if !command.blocks.isEmpty { entries.append(("blocks", numbers(command.blocks.map(\.number)))) }
        if let pages = command.pages {
            let isOne = pages.count == 1
            entries.append((isOne ? "page" : "pages", isOne ? .number(pages.lowerBound) : range(pages)))
        }
        if let password = command.password { entries.append(("pwd", hex(password))) }
        if let data = command.data, name.opcode != .compatibilityWrite { entries.append(("data", hex(data))) }
        return entries
    }

    private static func reply(_ reply: ReplyFacts) -> Node? {
        switch reply {
        case .silence: "silence"
        case .acknowledgement(let value): value.isAck ? "ack" : ["nak": .number(value.rawValue)]
        case .status(let flags, let count, _):
            .map([
                "status": hex([flags.flag1, flags.flag2]), "blocks": flags.isSuccess ? count.map(Node.number) : nil,
            ])
        case .data: "ok"
        case .collision, .damaged: nil
        }
    }

    private static func numbers(_ numbers: [Int]) -> Node {
        guard let first = numbers.first, let last = numbers.last else { return [] }
        guard zip(numbers, numbers.dropFirst()).allSatisfy({ $1 == $0 + 1 }) else {
            return .list(numbers.map(Node.number))
        }
        return range(first...last)
    }

    private static func range(_ range: ClosedRange<Int>) -> Node {
        range.count == 1 ? .number(range.lowerBound) : .text("\(range.lowerBound)..\(range.upperBound)")
    }

    private static func code(_ code: UInt16) -> Node { .text(Hex.digits(code, width: 4)) }

    private static func hex(_ bytes: [UInt8]) -> Node { .text(Hex.text(bytes, separator: " ")) }
}
