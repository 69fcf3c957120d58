import TapField
import TapWire

/// An exchange as patterns see it.
struct SeenExchange {
    let exchange: Exchange
    let command: CommandFacts
    let reply: ReplyFacts

    init(_ exchange: Exchange) {
        self.exchange = exchange
        command = CommandFacts(exchange.command)
        reply = ReplyFacts(exchange, command.name)
    }

    var number: Int { exchange.number }

    /// Whether the frame belongs to selection.
    var isSelection: Bool { command.name?.layer == .selection }

    /// In what the exchange differs from a pattern, in words; empty if it matches, nothing if it is another command.
    func differences(from pattern: ExchangePattern) -> [String]? {
        guard command.name == pattern.command else { return nil }
        let services = pattern.arguments.compactMap { argument in
            if case .service(let code) = argument { code } else { nil }
        }
        let service = services.count == 1 && command.services.contains(services[0]) ? services[0] : nil
        var differences = pattern.arguments.compactMap { command.difference(from: $0, service: service) }
        if let card = pattern.card {
            let senders = exchange.answers.flatMap(\.cards)
            if !senders.contains(card) {
                differences.append(
                    senders.isEmpty ? "no card that answers" : "from \(senders.joined(separator: ", "))")
            }
        }
        if let expected = pattern.reply, !reply.matches(expected) { differences.append("reply \(reply)") }
        return differences
    }

    func matches(_ pattern: ExchangePattern) -> Bool {
        differences(from: pattern)?.isEmpty ?? false
    }

    /// The command and its reply in a few words.
    var summary: String { "\(command.name?.rawValue ?? "an empty frame"), reply \(reply)" }
}
