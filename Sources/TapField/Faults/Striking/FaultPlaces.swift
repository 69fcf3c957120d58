import TapCards
import TapWire

extension Fault {
    /// The exchanges of a run without faults at which it can strike and would change something, by their numbers.
    ///
    /// Faults of commands and answers are tried on what the run has of them, so that nobody tries a longer history at a
    /// read that failed. A fault of the image is the same wherever it strikes, so it has one place, the first.
    ///
    /// - Parameter exchanges: The exchanges of the run, in order.
    public func places(in exchanges: [Exchange]) -> [Int] {
        var previous: AirFrame?
        var places: [Int] = []
        for exchange in exchanges {
            if canStrike(exchange, after: previous) { places.append(exchange.number) }
            previous = exchange.answers.first?.frame ?? previous
        }
        return isOfImage ? Array(places.prefix(1)) : places
    }

    /// A deadline beyond that of any card, since an exchange does not tell which card it was and what it allows itself.
    private static let longestDeadline = Duration.seconds(10)

    private var isOfImage: Bool {
        kind.effect.parts.contains { if case .image = $0 { true } else { false } }
    }

    private func canStrike(_ exchange: Exchange, after previous: AirFrame?) -> Bool {
        guard let command = CommandName(of: exchange.command), kind.scope.fits(command) else { return false }
        let strike = FaultStrike(fault: self, command: exchange.command, exchange: exchange.number, source: nil)
        return kind.effect.parts.contains { part in
            switch part {
            case .command(let effect): changes(exchange, strike, effect)
            case .answer(let effect): changes(exchange, after: previous, strike, effect)
            default: true
            }
        }
    }

    /// Whether the cards hear something else, where anybody notices: what meets silence anyway changes nothing.
    private func changes(
        _ exchange: Exchange, _ strike: FaultStrike, _ effect: @Sendable (inout CommandOnAir, FaultStrike) -> Void
    ) -> Bool {
        var command = CommandOnAir(frame: exchange.command)
        effect(&command, strike)
        return command.frame != exchange.command && !exchange.answers.isEmpty
    }

    private func changes(
        _ exchange: Exchange, after previous: AirFrame?, _ strike: FaultStrike,
        _ effect: @Sendable (inout AnswerOnAir, FaultStrike) -> Void
    ) -> Bool {
        let first = exchange.answers.first
        let before = AnswerOnAir(
            command: exchange.command, frame: first?.frame, after: first.map { $0.time - exchange.time } ?? .zero,
            deadline: Self.longestDeadline, previous: previous)
        var after = before
        effect(&after, strike)
        for fix in fix { after.mend(fix) }
        return after != before
    }
}
