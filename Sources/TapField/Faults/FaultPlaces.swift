import TapCards
import TapWire

extension Fault {
    /// The numbers of the exchanges of a fault-free run in which the fault would change something.
    ///
    /// Faults of commands and answers are tried on the recorded frames, so a history fault, for example, is not tried at a
    /// failed read. A change of card content has a single site, the first, unless it is limited to certain commands.
    ///
    /// - Parameters:
    ///   - exchanges: The exchanges of the run.
    ///   - cards: The cards of the run, used to skip content changes that change none of them; if empty, content changes are
    ///     kept.
    public func places(in exchanges: [Exchange], cards: [any CardEngine] = []) -> [Int] {
        guard cards.isEmpty || cards.contains(where: fits) else { return [] }
        var previous: RFFrame?
        var places: [Int] = []
        for exchange in exchanges {
            if isPlace(exchange, after: previous, cards) { places.append(exchange.number) }
            previous = exchange.answers.first?.frame ?? previous
        }
        return kind.isOfContent ? Array(places.prefix(1)) : places
    }

    /// Longer than the deadline of any card, because an exchange does not record its card's deadline.
    private static let longestDeadline = Duration.seconds(10)

    /// Returns whether a card receives a matching command and has the content that the fault changes.
    public func fits(_ card: any CardEngine) -> Bool {
        guard kind.isReceived(by: card) else { return false }
        guard isOfImage else { return true }
        return changes(card, at: RFFrame(card.hears(.typeA106) ? .typeA106 : .felica212, []))
    }

    private func changes(_ card: any CardEngine, at command: RFFrame) -> Bool {
        let injection = FaultInjection(self, command, exchange: 0)
        var changed = card
        for case .image(let effect) in kind.effect.parts { effect(&changed, injection) }
        return !changed.hasSameMemory(asAny: card)
    }

    /// A Boolean value that indicates whether the fault changes the content of a card.
    package var isOfImage: Bool {
        kind.effect.parts.contains { if case .image = $0 { true } else { false } }
    }

    private func isPlace(_ exchange: Exchange, after previous: RFFrame?, _ cards: [any CardEngine]) -> Bool {
        guard let command = CommandName(of: exchange.command), kind.scope.fits(command) else { return false }
        let injection = FaultInjection(self, exchange.command, exchange: exchange.number)
        return kind.effect.parts.contains { part in
            switch part {
            case .command(let effect): changes(exchange, injection, effect)
            // Without the card, its encrypted answers cannot be decrypted.
            case .content where command.feliCa?.isSecureFrame == true: !exchange.answers.isEmpty
            case .content(let effect): changes(exchange, after: previous, injection, effect)
            case .answer(let effect): changes(exchange, after: previous, injection, effect)
            case .image where !kind.isOfContent && !cards.isEmpty:
                cards.contains { kind.isReceived(by: $0) && changes($0, at: exchange.command) }
            default: true
            }
        }
    }

    /// Returns whether the cards receive a different command and this matters: without an answer, nothing changes.
    private func changes(
        _ exchange: Exchange, _ injection: FaultInjection,
        _ effect: @Sendable (inout RFCommand, FaultInjection) -> Void
    ) -> Bool {
        var command = RFCommand(frame: exchange.command)
        effect(&command, injection)
        return command.frame != exchange.command && !exchange.answers.isEmpty
    }

    private func changes(
        _ exchange: Exchange, after previous: RFFrame?, _ injection: FaultInjection,
        _ effect: @Sendable (inout RFAnswer, FaultInjection) -> Void
    ) -> Bool {
        let first = exchange.answers.first
        let before = RFAnswer(
            command: exchange.command, frame: first?.frame, after: first.map { $0.time - exchange.time } ?? .zero,
            deadline: Self.longestDeadline, previous: previous)
        var after = before
        effect(&after, injection)
        for fix in fix { after.repair(fix) }
        return after != before
    }
}

extension FaultKind {
    /// Returns whether a card receives any command in the scope of the fault.
    public func isReceived(by card: any CardEngine) -> Bool {
        CommandName.all.contains { command in
            scope.fits(command) && card.hears(command.layer == .felica ? .felica212 : .typeA106)
        }
    }
}
