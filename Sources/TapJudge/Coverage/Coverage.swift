import TapCards
import TapDocument
import TapField
import TapScenario
import TapWire

/// The commands, states, answers and faults that clients met in finished runs, out of those that their cards make possible.
public struct Coverage: Sendable {
    public enum Part: String, Hashable, Sendable, CaseIterable {
        case commands
        case states
        /// Answers to the commands that were sent: a card's answer, a refusal by status or NAK, a damaged answer, or silence.
        case answers
        /// Faults that fit an exchange or a call in the runs.
        case faults
    }

    /// Something that a client can meet, and how often it was met.
    public struct Item: Hashable, Sendable {
        /// A name such as `felica.read`, `Mode0`, `felica.read FF A2` or `rf.silence`.
        public let name: String
        public var count: Int

        package init(name: String, count: Int = 0) {
            self.name = name
            self.count = count
        }
    }

    public private(set) var traceCount = 0
    public private(set) var chips: [String] = []
    private var items: [Part: [Item]] = [:]
    private var places: [Part: [String: Int]] = [:]

    public init() {}

    /// Returns the items of a part in the order in which they first appeared.
    public func items(_ part: Part) -> [Item] { items[part] ?? [] }

    public func met(_ part: Part) -> [Item] { items(part).filter { $0.count > 0 } }

    public func unmet(_ part: Part) -> [Item] { items(part).filter { $0.count == 0 } }

    /// Returns the share of a part that was met, in whole percent, rounded down; `nil` if there is nothing to meet.
    public func percentage(of part: Part) -> Int? {
        let all = items(part)
        return all.isEmpty ? nil : 100 * all.count { $0.count > 0 } / all.count
    }

    /// Adds a run.
    ///
    /// - Parameters:
    ///   - cards: The cards in the run. If empty, the cards are unknown, and only what was met counts.
    ///   - refusals: The refusals with which the cards could have answered each command, as ``ReceivedAnswer/words``.
    ///   - isOfCampaign: Whether the document of a campaign already lists the faults, so that they are not counted twice.
    public mutating func add(
        _ trace: Trace, of cards: [ScenarioCase.NamedCard], refusals: [CommandName: [String]] = [:],
        isOfCampaign: Bool = false
    ) {
        traceCount += 1
        for card in cards {
            if !chips.contains(card.definition.icName) { chips.append(card.definition.icName) }
            let scope = CardScope(card.definition.makeEngine())
            for command in scope.commands { offer(.commands, command.rawValue) }
            for state in scope.states { offer(.states, state) }
        }
        let exchanges = trace.exchanges
        for exchange in exchanges { add(exchange, refusals) }
        addStates(of: trace)
        offerFaults(fitting: trace, exchanges, cards.map { $0.definition.makeEngine() })
        if !isOfCampaign { addFaults(of: trace) }
    }

    /// Adds the faults that a campaign injected; most of its runs leave no trace.
    ///
    /// - Parameter document: The output of `tapsim fuzz --json`.
    public mutating func add(campaign document: Node) {
        for run in (document["cases"]?.items ?? []).flatMap({ $0["runs"]?.items ?? [] }) {
            guard let fault = run["fault"]?.text, run["verdict"]?.text != "not reached" else { continue }
            meet(fault: fault.prefix { $0 != ":" })
        }
    }

    private mutating func add(_ exchange: Exchange, _ refusals: [CommandName: [String]]) {
        guard let command = CommandName(of: exchange.command), command.layer != .selection else { return }
        meet(.commands, command.rawValue)
        let possible = ReceivedAnswer.always + (refusals[command] ?? [])
        for words in possible { offer(.answers, "\(command) \(words)") }
        meet(.answers, "\(command) \(ReceivedAnswer(exchange).words)")
    }

    private mutating func addStates(of trace: Trace) {
        for event in trace.events {
            switch event.kind {
            case .answer(_, _, let state, _): meet(.states, CardScope.state(state))
            case .silence(let states): for state in states { meet(.states, CardScope.state(state.state)) }
            default: break
            }
        }
    }

    /// Offers the faults that fit an exchange or a call of the run, since they could have been injected there.
    private mutating func offerFaults(fitting trace: Trace, _ exchanges: [Exchange], _ cards: [any CardEngine]) {
        var calls: Set<PCSCCall> = []
        for event in trace.events {
            guard case .call(let call) = event.kind else { continue }
            switch call.layer {
            case .pcsc(let function): calls.insert(function)
            case .apdu: calls.insert(.transmit)
            case .control: calls.insert(.control)
            case .pn532, .port100, .usb, .phone: break
            }
        }
        for kind in FaultCatalogue.all where kind.isPossible(exchanges, calls, cards) { offer(.faults, kind.name) }
    }

    private mutating func addFaults(of trace: Trace) {
        for event in trace.events {
            switch event.kind {
            case .fault(let fault): meet(fault: fault.kind.name[...])
            // A trace that was read from a file has its faults as text.
            case .note(let text) where text.hasPrefix(Self.faultNote): meet(fault: text.dropFirst(Self.faultNote.count))
            default: break
            }
        }
    }

    private static let faultNote = "fault "

    private mutating func meet(fault text: Substring) {
        let name = String(text.prefix { $0 != " " && $0 != "," })
        if FaultCatalogue.named(name) != nil { meet(.faults, name) }
    }

    private mutating func offer(_ part: Part, _ name: String) { _ = place(part, name) }

    private mutating func meet(_ part: Part, _ name: String) {
        let place = place(part, name)
        items[part]?[place].count += 1
    }

    private mutating func place(_ part: Part, _ name: String) -> Int {
        if let place = places[part]?[name] { return place }
        let place = items[part]?.count ?? 0
        items[part, default: []].append(Item(name: name))
        places[part, default: [:]][name] = place
        return place
    }
}

extension FaultKind {
    /// Returns whether the fault could have been injected in a run with these exchanges and PC/SC calls.
    fileprivate func isPossible(_ exchanges: [Exchange], _ calls: Set<PCSCCall>, _ cards: [any CardEngine]) -> Bool {
        switch effect {
        case .transport, .reader: calls.contains { fits(.call($0)) }
        // Faults of a phone leave a different kind of call.
        case .phone: false
        default: !Fault(self).places(in: exchanges, cards: cards).isEmpty
        }
    }
}

/// The kind of answer that a reader received in an exchange.
public enum ReceivedAnswer: Hashable, Sendable {
    case answered
    /// Status flags that report an error, or a NAK.
    case refused(String)
    case damaged
    case silence

    /// The words for the answers that any command can receive.
    static let always = [ReceivedAnswer.answered, .damaged, .silence].map(\.words)

    public init(_ exchange: Exchange) {
        guard let answer = exchange.answers.first else {
            self = .silence
            return
        }
        let frame = answer.opened ?? answer.frame
        guard answer.firstCollidedBit == nil, answer.frame.integrity == .good else {
            self = .damaged
            return
        }
        let command = CommandName(of: exchange.command)
        if !frame.technology.isFeliCa, frame.bitCount == Acknowledgement.bitCount {
            let acknowledgement = frame.bytes.first.map { Acknowledgement($0) } ?? .ack
            self = acknowledgement.isAck ? .answered : .refused("NAK \(acknowledgement.rawValue)")
        } else if command?.feliCa?.hasStatusFlags == true, frame.bytes.count >= FeliCaPacket.statusLength {
            let flags = StatusFlags(frame.bytes[FeliCaPacket.idmLength], frame.bytes[FeliCaPacket.idmLength + 1])
            self = flags.isSuccess ? .answered : .refused("status \(Hex.text([flags.flag2]))")
        } else {
            self = .answered
        }
    }

    public var words: String {
        switch self {
        case .answered: "answered"
        case .refused(let words): words
        case .damaged: "damaged"
        case .silence: "silence"
        }
    }
}
