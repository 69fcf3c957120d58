import TapCards
import TapWire

/// The state of an exchange, passed from phase to phase.
private struct OngoingExchange {
    let command: RFFrame
    /// The reader's timeout for an answer; `nil` if unknown.
    let waiting: Duration?
    /// The contents of the command; `nil` if no plan needs them.
    var facts: CommandFacts?
    var injections: [FaultInjection] = []
    /// The command as received by the cards; `nil` if it does not reach them.
    var receivedCommand: RFFrame?
    /// The cards that receive it; after its end, the cards that received all of it.
    var hearing: [HearingCard] = []
    /// Their answers, in scenario order.
    var answers: [CardAnswerInField] = []
    /// The time at which the command ended.
    var commandEnd = Duration.zero
    var received = FieldAnswer.silence
}

extension World {
    /// Sends a frame into the field and returns the answer the reader receives.
    ///
    /// The field is switched on if it is off, because a frame is a modulated field. Card time advances by the length of the
    /// frame, the delay of the card and the length of the answer, or to the end of the wait. A card that leaves during a frame
    /// neither receives the end of a command nor completes its answer.
    ///
    /// - Parameters:
    ///   - frame: The frame to send.
    ///   - waiting: The time the reader waits for an answer to begin. If `nil`, it is unknown: no answer is late, and silence
    ///     takes no time.
    public mutating func exchange(_ frame: RFFrame, waiting: Duration?) -> FieldAnswer {
        guard log.takesFrame(), field.readers[field.reader].isPlugged else { return .silence }
        var exchange = OngoingExchange(command: frame, waiting: waiting)
        begin(&exchange)
        countFaults(&exchange)
        injectBeforeCommand(&exchange)
        sendCommand(&exchange)
        letAnswer(&exchange)
        changeAnswers(&exchange)
        receive(&exchange)
        record(exchange)
        settle(exchange)
        endVisit()
        if let facts = exchange.facts { advanceTimeline(.command(facts)) }
        // This matters only after silence.
        let isCardInReach = exchange.received == .silence && hasCardInReach
        log.count(frame, exchange.received, isCardInReach: isCardInReach)
        letCardsLeaveWaitingClient()
        return exchange.received
    }

    /// Performs due steps, switches the field on, and records the command in the trace.
    private mutating func begin(_ exchange: inout OngoingExchange) {
        log.exchangeCount += 1
        advance(to: now)
        if plans.timeline.clock == .exchanges { log.hasMetNoCard = !hasCardInReach }
        if !field.isOn { switchField(on: true) }
        record(.command(exchange.command))
        if plans.areOpen { exchange.facts = CommandFacts(exchange.command) }
    }

    private mutating func countFaults(_ exchange: inout OngoingExchange) {
        guard let facts = exchange.facts else { return }
        exchange.injections = countFaults(at: .command(facts))
    }

    /// Injects faults into cards and field before the command, and into the command itself.
    private mutating func injectBeforeCommand(_ exchange: inout OngoingExchange) {
        turnWornCells()
        injectIntoField(exchange.injections, at: .beforeCommand)
        injectIntoImages(exchange.injections)
        exchange.receivedCommand = changed(exchange.command, by: exchange.injections)
    }

    /// Sends the command, which is received by cards that keep their power until its end.
    private mutating func sendCommand(_ exchange: inout OngoingExchange) {
        if let receivedCommand = exchange.receivedCommand {
            exchange.hearing = field.listeners(to: receivedCommand.technology)
        }
        advance(to: now + exchange.command.commandTransmissionTime)
        exchange.hearing.removeAll { !field.stillHears($0) }
        injectIntoCards(exchange.hearing, exchange.injections)
        injectIntoField(exchange.injections, at: .afterCommand)
        exchange.hearing.removeAll { !field.stillHears($0) }
    }

    /// Collects the answers of the cards that received the command.
    private mutating func letAnswer(_ exchange: inout OngoingExchange) {
        guard let receivedCommand = exchange.receivedCommand else { return }
        exchange.answers = field.answers(to: receivedCommand, of: exchange.hearing)
    }

    /// Injects faults into the answers, and applies their fixes.
    private mutating func changeAnswers(_ exchange: inout OngoingExchange) {
        guard !plans.faults.isEmpty else { return }
        settleMemory(&exchange.answers)
        changeFirst(
            of: &exchange.answers, to: exchange.command, heardBy: exchange.hearing, exchange.waiting,
            exchange.injections)
    }

    /// Superposes the answers that reach the reader in time.
    private mutating func receive(_ exchange: inout OngoingExchange) {
        if let waiting = exchange.waiting { exchange.answers.removeAll { $0.after > waiting } }
        if nextPlannedInstant != nil { exchange.answers.removeAll { !isReceivedCompletely($0) } }
        exchange.received = FieldAnswer(superposing: exchange.answers)
        exchange.commandEnd = now
        field.answeringCard = exchange.answers.first?.card
        guard !plans.faults.isEmpty else { return }
        plans.aftermath.previous = exchange.answers.first?.frame ?? plans.aftermath.previous
    }

    /// Returns whether the card of an answer keeps its power until the answer ends.
    private func isReceivedCompletely(_ answer: CardAnswerInField) -> Bool {
        guard let card = answer.card, let next = nextPlannedInstant, next <= now + answer.end else { return true }
        var future = self
        future.trace = .off
        future.advance(to: now + answer.end)
        return future.cards[card].powerLosses == cards[card].powerLosses
    }

    /// Records the received answers in the trace, each after the steps due before it.
    private mutating func record(_ exchange: OngoingExchange) {
        guard log.trace.isOn else { return }
        let (answers, end) = (exchange.answers, exchange.commandEnd)
        let opened = opened(exchange.command, byOneOf: exchange.hearing.map(\.index))
        if let opened { record(.opened(opened, answering: nil)) }
        switch exchange.received {
        case .silence: record(.silence(states: exchange.hearing.map { field.state(of: $0.index) }))
        case .frame(let frame, let after):
            record(frame, of: answers, at: end + after)
            if let content = self.opened(frame, byOneOf: answers.compactMap(\.card)) {
                record(.opened(content, answering: opened))
            }
        case .slots(let slots):
            for slot in slots {
                record(slot.frame, of: answers.filter { $0.slot == slot.slot }, at: end + slot.after)
            }
        case .collision(let frame, let bit, let after):
            let names = answers.compactMap { $0.card.map { cards[$0].name } }
            advance(to: end + after)
            record(.collision(frame, firstCollidedBit: bit, cards: names))
        }
    }

    /// Decrypts a frame that only a card's session can decrypt.
    private func opened(_ frame: RFFrame, byOneOf senders: [Int]) -> RFFrame? {
        guard frame.technology.isFeliCa, frame.integrity == .good else { return nil }
        let packet = senders.lazy.compactMap { cards[$0].engine.plain(frame.bytes) }.first
        return packet.map { RFFrame(frame.technology, $0) }
    }

    /// Records an answer of one or several cards in the trace, with the first card's state at the end of the command.
    private mutating func record(_ frame: RFFrame, of senders: [CardAnswerInField], at instant: Duration) {
        let names = field.names(of: senders)
        let state = senders[0].card.map { field.state(of: $0).state } ?? ""
        advance(to: instant)
        record(.answer(frame, card: names, state: state, slot: senders[0].slot))
    }

    /// Advances time to the end of the last answer or of the wait, and injects field faults inside and after the answer.
    private mutating func settle(_ exchange: OngoingExchange) {
        let end = exchange.commandEnd
        if exchange.injections.contains(where: { $0.actsOnField(at: .insideAnswer) }) {
            if let answer = exchange.answers.first {
                advance(to: end + answer.after + (answer.end - answer.after) / 2)
            }
            injectIntoField(exchange.injections, at: .insideAnswer)
        }
        advance(to: end + (exchange.answers.lazy.map(\.end).max() ?? max(.zero, exchange.waiting ?? .zero)))
        injectIntoField(exchange.injections, at: .afterAnswer)
    }

    /// Takes away a card whose visit ended with its answer.
    private mutating func endVisit() {
        guard let card = field.leavingCard else { return }
        field.leavingCard = nil
        endVisit(of: card, after: .zero)
    }

    /// Takes the cards away from a client that only checks whether they are still present.
    private mutating func letCardsLeaveWaitingClient() {
        guard log.presence?.isOver == true else { return }
        letCardsLeave("the reader only checks whether the card is still there")
    }
}
