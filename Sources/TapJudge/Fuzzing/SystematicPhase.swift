import TapField
import TapWire

/// The first phase of fuzzing: every fault that fits, once at every exchange of the baseline run; faults of card contents once
/// in total.
///
/// No randomness is involved: the same baseline run and catalogue give the same runs in the same order.
public struct SystematicPhase: Hashable, Sendable {
    /// The exchanges of the baseline run, then its PC/SC calls, then the events of its phone.
    public let places: [FaultLocation]
    /// The runs by fault in the order of the catalogue, then by variant, then by place.
    public let runs: [FuzzRun]
    /// The faults that cannot be injected anywhere, in the order of the catalogue.
    public let untried: [String]

    /// - Parameters:
    ///   - world: The world after a baseline run that kept all events and calls.
    ///   - isPossible: Whether a run is possible with the given cards, readers and client.
    public init(of world: World, _ kinds: [FaultKind], where isPossible: (FuzzRun) -> Bool = { _ in true }) {
        let phone = FaultLocation.all(ofPhone: world.trace)
        let places = FaultLocation.all(of: world.trace.exchanges) + FaultLocation.all(of: world.plan.calls) + phone
        let runs = kinds.flatMap { kind in
            let admitting = places.filter { $0.admits(kind) }
            return kind.variants.flatMap { arguments in
                let fault = Fault(kind, arguments)
                let exchanges = Set(fault.places(in: world.trace.exchanges, cards: world.cards.map(\.original)))
                return admitting.filter { !$0.isExchange || exchanges.contains($0.number) }
                    .map { FuzzRun(fault, at: $0) }.filter(isPossible)
            }
        }
        let tried = Set(runs.map(\.fault.kind.name))
        self.runs = runs
        // An event of a phone is a place only if a fault applies to it.
        let used = Set(runs.map(\.place))
        self.places = places.filter { !$0.isOfPhone || used.contains($0) }
        untried = kinds.map(\.name).filter { !tried.contains($0) }
    }
}

extension SystematicPhase {
    /// Returns the indices of runs in the best order to perform them: the first run of each fault, then the second of each, so
    /// that a campaign that ends early has tried all kinds.
    package static func order(of runs: [FuzzRun]) -> [Int] {
        var counts: [String: Int] = [:]
        let rounds = runs.map { run in
            defer { counts[run.fault.kind.name, default: 0] += 1 }
            return counts[run.fault.kind.name, default: 0]
        }
        return runs.indices.sorted { (rounds[$0], $0) < (rounds[$1], $1) }
    }
}

/// A place in the baseline run for injecting faults: an exchange, a PC/SC call, or an event between an app and its phone.
public struct FaultLocation: Hashable, Sendable, CustomStringConvertible {
    public let site: FaultSite
    /// The number among the exchanges, calls or phone events of the baseline run, from 1.
    public let number: Int
    /// The number among the places with the same command or call, from 1.
    public let nth: Int
    public let isAnswered: Bool

    /// Returns the exchanges of a run in order, without frames that are not commands.
    public static func all(of exchanges: [Exchange]) -> [FaultLocation] {
        counted(
            exchanges.compactMap { exchange in
                CommandName(of: exchange.command).map { (exchange.number, .exchange($0), !exchange.answers.isEmpty) }
            })
    }

    public static func all(of calls: [PCSCCall]) -> [FaultLocation] {
        counted(calls.enumerated().map { ($0.offset + 1, .call($0.element), false) })
    }

    static func all(ofPhone trace: Trace) -> [FaultLocation] {
        let events = trace.calls.compactMap { if case .phone(let event) = $0.layer { event } else { nil } }
        return counted(events.enumerated().map { ($0.offset + 1, .phone($0.element), false) })
    }

    private static func counted(_ sites: [(number: Int, site: FaultSite, isAnswered: Bool)]) -> [FaultLocation] {
        var counts: [FaultSite: Int] = [:]
        return sites.map { number, site, isAnswered in
            counts[site, default: 0] += 1
            return FaultLocation(site: site, number: number, nth: counts[site] ?? 1, isAnswered: isAnswered)
        }
    }

    public var trigger: EventTrigger {
        switch site {
        case .exchange(let command): .command(command, nth: nth)
        case .call(let call): EventTrigger(.call(call), nth: nth)
        case .phone(let event): EventTrigger(.phone(event), nth: nth)
        }
    }

    /// Returns whether a fault is tried here: faults of services at calls, faults of phones at their events, other faults at
    /// exchanges; faults of answers only where a card answers.
    public func admits(_ kind: FaultKind) -> Bool {
        switch (site, kind.effect) {
        case (.call, .transport), (.phone, .phone): kind.fits(site)
        case (.call, _), (.phone, _), (.exchange, .transport), (.exchange, .phone): false
        case (.exchange, let effect): (isAnswered || !effect.needsAnswer) && kind.fits(site)
        }
    }

    /// Returns a text such as `exchanges 1 to 12, calls c1 to c5`.
    static func text(of places: [FaultLocation]) -> String {
        let kinds: [(noun: String, is: (FaultLocation) -> Bool)] = [
            ("exchanges", \.isExchange), ("calls", \.isCall), ("phone events", \.isOfPhone),
        ]
        let texts = kinds.compactMap { noun, isMeant -> String? in
            let meant = places.filter(isMeant)
            guard let first = meant.first, let last = meant.last else { return nil }
            return "\(noun) \(first.name) to \(last.name)"
        }
        return texts.isEmpty ? "none" : texts.joined(separator: ", ")
    }

    public var isCall: Bool { if case .call = site { true } else { false } }
    var isExchange: Bool { if case .exchange = site { true } else { false } }
    var isOfPhone: Bool { if case .phone = site { true } else { false } }

    /// The command, call or event at this place: `felica.read` or `transmit`.
    public var operation: String {
        switch site {
        case .exchange(let command): command.rawValue
        case .call(let call): call.rawValue
        case .phone(let event): event.rawValue
        }
    }

    /// `7` for an exchange, `c3` for a call, `p2` for a phone event.
    public var name: String { isExchange ? "\(number)" : isCall ? "c\(number)" : "p\(number)" }

    /// `exchange 7, felica.read 2` or, for a phone, `phone.connected 1`.
    public var description: String {
        isOfPhone ? "phone.\(operation) \(nth)" : "\(isCall ? "call" : "exchange") \(number), \(operation) \(nth)"
    }
}

/// The contents that a correct client reads afterwards from the cards of a run.
public enum ReadBack: String, Hashable, Sendable, CaseIterable {
    /// The contents before any run.
    case old
    /// The contents after the baseline run.
    case new
    /// Other contents, such as an empty message.
    case other
    /// An error that the client reports neither before nor after the baseline run.
    case unreadable
}
