import TapCards
import TapDocument
import TapField
import TapScenario
import TapWire

/// What oracles ask of a run, found out once.
struct RunFacts: Sendable {
    let record: RunRecord
    /// The exchanges that are kept, in order.
    let exchanges: [SeenExchange]
    /// Those with FeliCa cards.
    let felica: [SeenExchange]
    /// Those with type A cards.
    let typeA: [SeenExchange]
    /// The message of each card before the run and after it, where the client wrote one, by the card's name.
    let messages: [String: WrittenMessage]
    let end: EndAccount
    /// The messages after the clean run, where this one is held against it.
    let cleanMessages: [String: WrittenMessage]?

    /// Finds out the facts of a run.
    ///
    /// - Parameter clean: Those of the clean run, where there is one to hold it against.
    init(_ record: RunRecord, against clean: RunFacts? = nil) {
        self.record = record
        cleanMessages = clean?.messages
        end = record.end
        var exchanges = record.world.trace.exchanges.map(SeenExchange.init)
        var index = -1
        for event in record.world.trace.events {
            switch event.kind {
            case .command: index += 1
            case .silence(let states) where exchanges.indices.contains(index): exchanges[index].silentStates = states
            default: break
            }
        }
        self.exchanges = exchanges
        felica = exchanges.filter { $0.exchange.command.technology.isFeliCa }
        typeA = exchanges.filter { !$0.exchange.command.technology.isFeliCa }
        let messages = record.world.cards.compactMap { slot in
            AcknowledgedMemory.message(of: slot, exchanges).map { (slot.name, $0) }
        }
        self.messages = Dictionary(messages) { first, _ in first }
    }

    var world: World { record.world }
    var client: ClientReport { record.client }
    /// The exchange to look at where none shows more.
    var place: Int? { record.place }

    /// What became of the client, where no exchange shows it better than ``place``.
    func finding(_ outcome: Outcome, _ reason: String) -> OutcomeFinding {
        OutcomeFinding(outcome, at: place, reason)
    }

    /// All misdeeds that the run shows by itself, in the order of the oracles.
    var misdeeds: [Misdeed] { Oracle.all.flatMap { $0(self) } }
}

/// What looks for misdeeds in the facts of a run.
enum Oracle {
    /// The oracles, in the order in which their misdeeds are told.
    static let all: [@Sendable (RunFacts) -> [Misdeed]] = [
        unaskedWrites, guessedPasswords, blindWrites,
        wrongLengths, wrongIDms, tooManyBlocks, { refusedAgain($0.felica) },
        unheardCommands, readsBeyond, invertedReads, { refusedAgain($0.typeA) },
        serviceMisuses, serviceLeaks, halfWrittenMessages,
    ]
}

/// Something a client did that it should not do unasked.
///
/// What the clean runs do as well is the client's way and is not held against it: a misdeed of a run counts only where
/// the clean runs have none of the same key, or one of a smaller amount.
struct Misdeed: Hashable, Sendable {
    let outcome: Outcome
    /// What of ``SafetyRule`` it breaks, where it is one of safety.
    let rule: SafetyRule?
    /// What it is, the same in every run that does it.
    let key: String
    /// How much of it there is.
    let amount: Int
    let exchange: Int?
    /// What it is, a sentence without its full stop.
    let reason: String

    init(
        _ outcome: Outcome, _ rule: SafetyRule? = nil, key: String, amount: Int = 1, at exchange: Int?,
        _ reason: String
    ) {
        self.outcome = outcome
        self.rule = rule
        self.key = key
        self.amount = amount
        self.exchange = exchange
        self.reason = reason
    }
}

/// An exchange as patterns and oracles see it.
struct SeenExchange {
    let exchange: Exchange
    let command: CommandFacts
    let reply: ReplyFacts
    /// States of the cards that heard the command and did not answer, of a run that is looked at as a whole.
    var silentStates: [TraceEvent.CardState] = []

    init(_ exchange: Exchange) {
        self.exchange = exchange
        command = CommandFacts(exchange.command)
        reply = ReplyFacts(exchange, command.name)
    }

    var number: Int { exchange.number }

    /// Whether the frame belongs to selection.
    var isSelection: Bool { command.name?.layer == .selection }

    var name: String { command.name?.rawValue ?? "frame" }

    var isWrite: Bool { command.name?.isWrite ?? false }

    /// Whether the client was told that its command was carried out; data are no answer to a write.
    var isAccepted: Bool {
        switch reply {
        case .acknowledgement(let value): value.isAck
        case .status(let flags, _, _): flags.isSuccess
        case .data: !isWrite
        case .silence, .collision, .damaged: false
        }
    }

    /// Whether the client was told that its command was not carried out.
    var isRefused: Bool {
        switch reply {
        case .acknowledgement(let value): !value.isAck
        case .status(let flags, _, _): !flags.isSuccess
        case .data, .silence, .collision, .damaged: false
        }
    }

    func wasAnswered(by name: String) -> Bool {
        exchange.answers.contains { $0.cards.contains { $0 == name || $0.split(separator: ", ").contains(name[...]) } }
    }

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

    var summary: String { "\(command.name?.rawValue ?? "an empty frame"), reply \(reply)" }
}

extension CommandName {
    package var isRead: Bool { feliCaCode == .readWithoutEncryption || opcode == .read || opcode == .fastRead }

    package var isWrite: Bool {
        feliCaCode == .writeWithoutEncryption || opcode == .write || opcode == .compatibilityWrite
    }
}
