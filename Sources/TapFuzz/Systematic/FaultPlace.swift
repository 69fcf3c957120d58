import TapField
import TapWire

/// A place in the clean run at which faults strike: an exchange, or a call of PC/SC.
public struct FaultPlace: Hashable, Sendable, CustomStringConvertible {
    /// What happens there.
    public enum Site: Hashable, Sendable {
        /// An exchange with a command.
        case exchange(CommandName)
        /// A call of PC/SC.
        case call(PCSCCall)
    }

    /// What happens there.
    public let site: Site
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

    private static func counted(_ sites: [(number: Int, site: Site, isAnswered: Bool)]) -> [FaultPlace] {
        var counts: [Site: Int] = [:]
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
        }
    }

    /// Whether a fault can strike here; what changes an answer or a card that answers can do so only where one does.
    public func admits(_ kind: FaultKind) -> Bool {
        switch (site, kind.effect) {
        case (.call(let call), .door): kind.scope.fits(call)
        case (.call, _), (.exchange, .door), (.exchange, .phone): false
        case (.exchange(let command), let effect):
            (isAnswered || !effect.needsAnswer) && kind.scope.fits(command)
        }
    }

    /// Whether it is a call of PC/SC.
    public var isCall: Bool {
        if case .call = site { true } else { false }
    }

    /// The word for what happens there: `felica.read` or `transmit`.
    public var word: String {
        switch site {
        case .exchange(let command): command.rawValue
        case .call(let call): call.rawValue
        }
    }

    /// The short name of the place: `7` for an exchange, `c3` for a call.
    public var name: String { isCall ? "c\(number)" : "\(number)" }

    /// The place in words: `exchange 7, felica.read 2`.
    public var description: String { "\(isCall ? "call" : "exchange") \(number), \(word) \(nth)" }
}
