import TapField
import TapScenario
import TapWire

/// The facts about a run that oracles need, computed once.
struct RunFacts: Sendable {
    /// The number of actions at the end that show what a loop consists of.
    private static let loopWindow = 16
    /// The number of commands without an answer that shows that a client is looking for cards; some clients search twice a
    /// second.
    private static let fewestSearches = 4

    let record: RunRecord
    let exchanges: [SeenExchange]
    let felica: [SeenExchange]
    let typeA: [SeenExchange]
    /// The message of each card before and after the run, by card, if the client wrote one.
    let messages: [String: WrittenMessage]
    let end: EndAccount
    let baselineMessages: [String: WrittenMessage]?

    /// - Parameter clean: The facts of the baseline run, if there is one to compare with.
    init(_ record: RunRecord, against clean: RunFacts? = nil) {
        self.record = record
        baselineMessages = clean?.messages
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
    /// The exchange to look at if no other one is more relevant.
    var place: Int? { record.place }

    /// Returns a finding at ``place``, for a finding without a more relevant exchange.
    func finding(_ outcome: Outcome, _ reason: String, sign: String? = nil, isPlaced: Bool = false) -> OutcomeFinding {
        OutcomeFinding(outcome, at: place, reason, sign: sign ?? Sign.general(reason), isPlaced: isPlaced)
    }

    /// A Boolean value that indicates whether the client in the end only looked for a card, or waited for one, while there was
    /// none.
    var isLookingForCard: Bool {
        guard !hasLostReader else { return true }
        // Through PC/SC, the reader looks for cards by itself.
        if let use = record.service, !calls.isEmpty { return use.waits > 0 && !hasCardInSlot }
        let last = exchanges.suffix(Self.fewestSearches)
        guard last.count == Self.fewestSearches, last.allSatisfy(\.isSearching) else { return false }
        if last.allSatisfy({ $0.exchange.answers.isEmpty }) { return true }
        // A weak field loses and damages answers, so that no selection is ever finished.
        guard world.plan.injected.contains(where: \.takesCardAway) else { return false }
        let loop = exchanges.suffix(Self.loopWindow)
        return loop.count == Self.loopWindow && loop.allSatisfy { $0.isSearching && ($0.isUnheard || $0.isUnfinished) }
    }

    /// A Boolean value that indicates whether a fault stopped the service or unplugged the reader for good.
    private var hasLostReader: Bool { world.plan.injected.contains(where: \.takesReaderAway) }

    /// A Boolean value that indicates whether PC/SC shows programs a card.
    private var hasCardInSlot: Bool {
        for event in world.trace.events.reversed() {
            if case .slot(_, let atr) = event.kind { return atr != nil }
        }
        return false
    }

    private var calls: [String] { world.trace.calls.compactMap(\.layer.function) }

    /// The last action of the client: a PC/SC call, because such a reader looks for cards by itself, or else a command.
    var lastAct: String {
        let calls = Array(calls.suffix(Self.loopWindow))
        let acts = calls.isEmpty ? lastCommands : calls
        guard let last = acts.last else { return "nothing" }
        guard acts.count(where: { $0 == last }) > 2 else { return last }
        // A loop can be cut off anywhere.
        let counts = Dictionary(acts.map { ($0, 1) }, uniquingKeysWith: +)
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? last
    }

    /// The last commands; the steps of a selection are one action of the client.
    private var lastCommands: [String] {
        let selecting = "selecting a tag"
        return exchanges.suffix(Self.loopWindow).map { $0.isSelection ? selecting : $0.name }.reduce(into: []) {
            if $1 != selecting || $0.last != selecting { $0.append($1) }
        }
    }

    var misdeeds: [Misdeed] { Oracle.all.flatMap { $0(self) } }
}

enum Oracle {
    /// The oracles in the order in which their misdeeds are reported.
    static let all: [@Sendable (RunFacts) -> [Misdeed]] = [
        unaskedWrites, guessedPasswords, blindWrites,
        wrongLengths, wrongIDms, tooManyBlocks, givenUpBlocks, { repeatedRefusals($0.felica) },
        commandsWithoutSelection, readsBeyond, invertedReads, { repeatedRefusals($0.typeA) },
        serviceMisuses, serviceLeaks, halfWrittenMessages, oversizedContainers, secretsInOutput, wrongAcknowledges,
        writesToOthers,
    ]
}

/// Something that a client did and should not do unasked.
///
/// Behaviour in the baseline runs does not count: a misdeed counts only if they have none with the same key, or a smaller
/// amount.
struct Misdeed: Hashable, Sendable {
    let outcome: Outcome
    let rule: SafetyRule?
    /// A key that is the same in every run with this misdeed.
    let key: String
    let amount: Int
    let exchange: Int?
    /// A sentence without its full stop.
    let reason: String

    /// A text that is the same wherever on a card the misdeed happens.
    var sign: String {
        let general = Sign.general(key)
        return rule.map { "\(general), \($0.rawValue)" } ?? general
    }

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

struct SeenExchange {
    let exchange: Exchange
    let command: CommandFacts
    let reply: ReplyFacts
    /// The states of the cards that heard the command and did not answer; filled in only if the whole run is judged.
    var silentStates: [TraceEvent.CardState] = []

    init(_ exchange: Exchange) {
        self.exchange = exchange
        command = CommandFacts(exchange.command)
        reply = ReplyFacts(exchange, command.name)
    }

    var number: Int { exchange.number }

    var isSearching: Bool { command.name?.isOfSearch ?? false }

    var isFindingACard: Bool { isSearching && !exchange.answers.isEmpty }

    var isSelection: Bool { command.name?.layer == .selection }

    var name: String { command.name?.rawValue ?? "frame" }

    var isWrite: Bool { command.name?.isWrite ?? false }

    /// A Boolean value that indicates whether the answer reports success; data does not acknowledge a write.
    var isAccepted: Bool {
        switch reply {
        case .acknowledgement(let value): value.isAck
        case .status(let flags, _, _): flags.isSuccess
        case .data: !isWrite
        case .silence, .collision, .damaged: false
        }
    }

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

    /// Returns the differences from a pattern in words; empty if the pattern matches, `nil` for another command.
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

extension Fault {
    fileprivate var takesReaderAway: Bool {
        guard case .transport(let make) = kind.effect else { return false }
        return [.end, .unplugging].contains(make(arguments))
    }
}

extension Trace {
    package var calls: [HostCall] { events.compactMap { if case .call(let call) = $0.kind { call } else { nil } } }
}

extension HostCall.Layer {
    fileprivate var function: String? {
        switch self {
        case .apdu: PCSCCall.transmit.function
        case .control: PCSCCall.control.function
        case .pcsc(let call): call.function
        case .pn532, .port100, .usb, .phone: nil
        }
    }
}

extension CommandName {
    package var isRead: Bool { feliCaCode == .readWithoutEncryption || opcode == .read || opcode == .fastRead }

    package var isWrite: Bool {
        feliCaCode == .writeWithoutEncryption || opcode == .write || opcode == .compatibilityWrite
    }
}
