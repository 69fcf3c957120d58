import TapCards
import TapWire

extension Fault {
    /// The exchanges of a run without faults into which it can be injected and would change something, by their numbers.
    ///
    /// Faults of commands and answers are tried on what the run has of them, so that nobody tries a longer history at a
    /// read that failed. What a card holds before anything is read is the same wherever it is injected, so such a fault has
    /// one place, the first; one of certain commands changes what the card holds between them.
    ///
    /// - Parameters:
    ///   - exchanges: The exchanges of the run, in order.
    ///   - cards: The cards of the run. A fault of the image has no place where it would change none of them; without
    ///     any it is not known.
    public func places(in exchanges: [Exchange], cards: [any CardEngine] = []) -> [Int] {
        guard cards.isEmpty || cards.contains(where: fits) else { return [] }
        var previous: AirFrame?
        var places: [Int] = []
        for exchange in exchanges {
            if isPlace(exchange, after: previous) { places.append(exchange.number) }
            previous = exchange.answers.first?.frame ?? previous
        }
        return kind.isOfContent ? Array(places.prefix(1)) : places
    }

    /// A deadline beyond that of any card, since an exchange does not tell which card it was and what it allows itself.
    private static let longestDeadline = Duration.seconds(10)

    /// Whether a card hears commands that the fault fits and, where it is of the image, holds what it changes.
    public func fits(_ card: any CardEngine) -> Bool {
        let hears = CommandName.all.contains { command in
            kind.scope.fits(command) && card.hears(command.layer == .felica ? .felica212 : .typeA106)
        }
        guard hears, isOfImage else { return hears }
        let command = AirFrame(card.hears(.typeA106) ? .typeA106 : .felica212, [])
        let injection = FaultInjection(self, command, exchange: 0)
        var changed = card
        for case .image(let effect) in kind.effect.parts { effect(&changed, injection) }
        return !changed.hasSameMemory(asAny: card)
    }

    private var isOfImage: Bool {
        kind.effect.parts.contains { if case .image = $0 { true } else { false } }
    }

    private func isPlace(_ exchange: Exchange, after previous: AirFrame?) -> Bool {
        guard let command = CommandName(of: exchange.command), kind.scope.fits(command) else { return false }
        let injection = FaultInjection(self, exchange.command, exchange: exchange.number)
        return kind.effect.parts.contains { part in
            switch part {
            case .command(let effect): changes(exchange, injection, effect)
            case .answer(let effect): changes(exchange, after: previous, injection, effect)
            default: true
            }
        }
    }

    /// Whether the cards hear something else, where anybody notices: what meets silence anyway changes nothing.
    private func changes(
        _ exchange: Exchange, _ injection: FaultInjection,
        _ effect: @Sendable (inout CommandOnAir, FaultInjection) -> Void
    ) -> Bool {
        var command = CommandOnAir(frame: exchange.command)
        effect(&command, injection)
        return command.frame != exchange.command && !exchange.answers.isEmpty
    }

    private func changes(
        _ exchange: Exchange, after previous: AirFrame?, _ injection: FaultInjection,
        _ effect: @Sendable (inout AnswerOnAir, FaultInjection) -> Void
    ) -> Bool {
        let first = exchange.answers.first
        let before = AnswerOnAir(
            command: exchange.command, frame: first?.frame, after: first.map { $0.time - exchange.time } ?? .zero,
            deadline: Self.longestDeadline, previous: previous)
        var after = before
        effect(&after, injection)
        for fix in fix { after.mend(fix) }
        return after != before
    }
}
