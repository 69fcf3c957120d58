import TapField
import TapWire

/// The first phase of fuzzing: every fault that fits, once at every exchange of the clean run; one of what cards
/// hold once in all.
///
/// Nothing in it is drawn by chance: the same clean run and the same catalogue give the same runs in the same order.
public struct SystematicPhase: Hashable, Sendable {
    /// One run of the phase: a fault at a place.
    public struct Run: Hashable, Sendable {
        /// The fault, in one of the variants of its kind.
        public let fault: Fault
        public let place: FaultPlace

        /// The name by which a run is asked for again: `rf.silence@7`, or `pcsc.slow@c3` at a call.
        public var name: String { "\(faultName)@\(place.name)" }

        /// The name of the fault with what sets it apart from its other variants: `mem.tear:inside=100%`.
        public var faultName: String {
            ([fault.kind.name] + fault.arguments.written.map { "\($0.name)=\($0.value)" }).joined(separator: ":")
        }

        public var plan: FaultPlan { FaultPlan([FaultPlan.Entry(fault, when: place.trigger)]) }
    }

    /// The exchanges of the clean run, and behind them its calls of PC/SC.
    public let places: [FaultPlace]
    /// The runs, fault by fault in the order of the catalogue, each in its variants, place by place in the order of the
    /// clean run.
    public let runs: [Run]

    /// - Parameters:
    ///   - world: The world after a clean run, whose trace has kept its events and whose plan its calls.
    ///   - kinds: The faults to try.
    public init(of world: World, _ kinds: [FaultKind]) {
        let places = FaultPlace.all(of: world.trace.exchanges) + FaultPlace.all(of: world.plan.calls)
        self.places = places
        runs = kinds.flatMap { kind in
            let admitting = places.filter { $0.admits(kind) }
            return kind.variants.flatMap { arguments in
                let fault = Fault(kind, arguments)
                let exchanges = Set(fault.places(in: world.trace.exchanges, cards: world.cards.map(\.original)))
                return admitting.filter { $0.isCall || exchanges.contains($0.number) }
                    .map { Run(fault: fault, place: $0) }
            }
        }
    }
}

/// A place in the clean run at which faults are injected: an exchange, or a call of PC/SC.
public struct FaultPlace: Hashable, Sendable, CustomStringConvertible {
    public let site: FaultSite
    /// Number among the exchanges of the clean run, or among its calls, from 1.
    public let number: Int
    /// Which one with this command, or which such call, it is, from 1.
    public let nth: Int
    /// Whether a card answered there in the clean run.
    public let isAnswered: Bool

    /// The exchanges of a run, in order; frames that are no command are none.
    public static func all(of exchanges: [Exchange]) -> [FaultPlace] {
        counted(
            exchanges.compactMap { exchange in
                CommandName(of: exchange.command).map { (exchange.number, .exchange($0), !exchange.answers.isEmpty) }
            })
    }

    /// The calls of a run, in order.
    public static func all(of calls: [PCSCCall]) -> [FaultPlace] {
        counted(calls.enumerated().map { ($0.offset + 1, .call($0.element), false) })
    }

    private static func counted(_ sites: [(number: Int, site: FaultSite, isAnswered: Bool)]) -> [FaultPlace] {
        var counts: [FaultSite: Int] = [:]
        return sites.map { number, site, isAnswered in
            counts[site, default: 0] += 1
            return FaultPlace(site: site, number: number, nth: counts[site] ?? 1, isAnswered: isAnswered)
        }
    }

    /// What a fault at this place waits for.
    public var trigger: EventTrigger {
        switch site {
        case .exchange(let command): .command(command, nth: nth)
        case .call(let call): EventTrigger(.call(call), nth: nth)
        case .phone(let event): EventTrigger(.phone(event), nth: nth)
        }
    }

    /// Whether a fault is tried here: one of services at calls, others where they are exchanges; what changes an answer or
    /// a card that answers only where one does.
    public func admits(_ kind: FaultKind) -> Bool {
        switch (site, kind.effect) {
        case (.call, .door): kind.fits(site)
        case (.call, _), (.phone, _), (.exchange, .door), (.exchange, .phone): false
        case (.exchange, let effect): (isAnswered || !effect.needsAnswer) && kind.fits(site)
        }
    }

    /// Whether it is a call of PC/SC.
    public var isCall: Bool { if case .call = site { true } else { false } }

    /// The word for what happens there: `felica.read` or `transmit`.
    public var word: String {
        switch site {
        case .exchange(let command): command.rawValue
        case .call(let call): call.rawValue
        case .phone(let event): event.rawValue
        }
    }

    /// The short name of the place: `7` for an exchange, `c3` for a call.
    public var name: String { isCall ? "c\(number)" : "\(number)" }

    /// The place in words: `exchange 7, felica.read 2`.
    public var description: String { "\(isCall ? "call" : "exchange") \(number), \(word) \(nth)" }
}

/// What a sound client reads of the cards that a run has left, when nothing goes wrong any more.
public enum ReadBack: String, Hashable, Sendable, CaseIterable {
    /// What it reads of the cards as they came into the world.
    case old
    /// What it reads of the cards that the clean run left.
    case new
    /// Something else, such as an empty message.
    case other
    /// Nothing: it reports an error, which it does neither before nor after the clean run.
    case unreadable
}
