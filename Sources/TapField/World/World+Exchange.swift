import TapCards
import TapWire

/// An exchange under way: what each phase leaves for those after it.
private struct OngoingExchange {
    /// What the reader sends.
    let command: AirFrame
    /// How long the reader waits for an answer; `nil` where nobody here knows.
    let waiting: Duration?
    /// What the command says; `nil` where nothing is planned that would ask.
    var facts: CommandFacts?
    /// The faults that are injected into it.
    var injections: [FaultInjection] = []
    /// The command as the cards hear it; `nil` if it does not reach them.
    var heard: AirFrame?
    /// The cards that hear it; once it has ended, those that have heard all of it.
    var hearing: [HearingCard] = []
    /// What they answer, in the order of the scenario.
    var answers: [CardAnswerInField] = []
    /// When the command has ended.
    var commandEnd = Duration.zero
    /// What the reader receives.
    var received = FieldAnswer.silence
}

extension World {
    /// Sends a frame into the field and waits for what comes back.
    ///
    /// The field is switched on if it is off, since a frame is a modulated field. Card time advances by the length of
    /// the frame, the delay of the card and the length of the answer, or to the end of the waiting. A card that leaves
    /// while a frame is on air neither hears the end of a command nor ends its answer.
    ///
    /// - Parameters:
    ///   - frame: What the reader sends.
    ///   - waiting: How long it waits for an answer to begin. `nil` where nobody here knows when the reader gives up:
    ///     then no answer comes too late, and silence takes no time.
    /// - Returns: What the reader receives.
    public mutating func exchange(_ frame: AirFrame, waiting: Duration?) -> FieldAnswer {
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
        if let facts = exchange.facts { advanceTimeline(.command(facts)) }
        log.count(frame, exchange.received)
        letCardsLeaveWaitingClient()
        return exchange.received
    }

    /// Lets happen what is due, switches the field on, and writes the command into the trace.
    private mutating func begin(_ exchange: inout OngoingExchange) {
        log.exchangeCount += 1
        advance(to: now)
        if !field.isOn { switchField(on: true) }
        record(.command(exchange.command))
        if plans.areOpen { exchange.facts = CommandFacts(exchange.command) }
    }

    /// Counts the command for the plan of faults.
    private mutating func countFaults(_ exchange: inout OngoingExchange) {
        guard let facts = exchange.facts else { return }
        exchange.injections = countFaults(at: .command(facts))
    }

    /// Lets faults change cards and field before the command, and the command itself.
    private mutating func injectBeforeCommand(_ exchange: inout OngoingExchange) {
        turnWornCells()
        injectIntoField(exchange.injections, at: .beforeCommand)
        injectIntoImages(exchange.injections)
        exchange.heard = changed(exchange.command, by: exchange.injections)
    }

    /// Sends the command; cards that keep their power until its end have heard it.
    private mutating func sendCommand(_ exchange: inout OngoingExchange) {
        if let heard = exchange.heard { exchange.hearing = field.listeners(to: heard.technology) }
        advance(to: now + exchange.command.commandAirTime)
        exchange.hearing.removeAll { !field.stillHears($0) }
        injectIntoCards(exchange.hearing, exchange.injections)
        injectIntoField(exchange.injections, at: .afterCommand)
        exchange.hearing.removeAll { !field.stillHears($0) }
    }

    /// Lets the cards that have heard the command answer it.
    private mutating func letAnswer(_ exchange: inout OngoingExchange) {
        guard let heard = exchange.heard else { return }
        exchange.answers = field.answers(to: heard, of: exchange.hearing)
    }

    /// Lets faults change the answers, and mends in them what is to be mended.
    private mutating func changeAnswers(_ exchange: inout OngoingExchange) {
        guard !plans.faults.isEmpty else { return }
        settleMemory(&exchange.answers)
        changeFirst(
            of: &exchange.answers, to: exchange.command, heardBy: exchange.hearing, exchange.waiting,
            exchange.injections)
    }

    /// Puts together what reaches the reader in time.
    private mutating func receive(_ exchange: inout OngoingExchange) {
        if let waiting = exchange.waiting { exchange.answers.removeAll { $0.after > waiting } }
        if nextPlannedInstant != nil { exchange.answers.removeAll { !isHeardToTheEnd($0) } }
        exchange.received = FieldAnswer(superposing: exchange.answers)
        exchange.commandEnd = now
        field.answeringCard = exchange.answers.first?.card
        guard !plans.faults.isEmpty else { return }
        plans.aftermath.previous = exchange.answers.first?.frame ?? plans.aftermath.previous
    }

    /// Whether the card of an answer will still be there when its answer ends.
    private func isHeardToTheEnd(_ answer: CardAnswerInField) -> Bool {
        guard let card = answer.card, let next = nextPlannedInstant, next <= now + answer.end else { return true }
        var future = self
        future.trace = .off
        future.advance(to: now + answer.end)
        return future.cards[card].powerLosses == cards[card].powerLosses
    }

    /// Writes what was received into the trace, behind what the timeline holds for the time before each answer.
    private mutating func record(_ exchange: OngoingExchange) {
        guard log.trace.isOn else { return }
        let (answers, end) = (exchange.answers, exchange.commandEnd)
        switch exchange.received {
        case .silence: record(.silence(states: exchange.hearing.map { field.state(of: $0.index) }))
        case .frame(let frame, let after): record(frame, of: answers, at: end + after)
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

    /// Writes an answer of one or several cards into the trace, with the state of the first at the end of the command.
    private mutating func record(_ frame: AirFrame, of senders: [CardAnswerInField], at instant: Duration) {
        let names = field.names(of: senders)
        let state = senders[0].card.map { field.state(of: $0).state } ?? ""
        advance(to: instant)
        record(.answer(frame, card: names, state: state, slot: senders[0].slot))
    }

    /// Lets time pass until the last answer or the waiting ends, and faults act inside the answer and behind it.
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

    /// Lets the cards leave a client that does nothing but see whether they are still there.
    private mutating func letCardsLeaveWaitingClient() {
        guard log.presence?.isOver == true else { return }
        if haveCardsLeft {
            log.callCount += 1
        } else {
            letCardsLeave("the reader only sees whether the card is still there")
        }
    }
}
