import TapCards
import TapWire

/// Exchanges that several cards hear or none does, or into which the timeline or faults may come.
extension World {
    /// Lets all cards that hear a frame answer it, while cards may come and go and faults may strike.
    mutating func exchangeWithAll(_ frame: AirFrame, _ waiting: Duration?) -> FieldAnswer {
        var hearing: [Int] = []
        var answers: [CardAnswerInField] = []
        // Asked once: with the exchange the last of what is planned may be over.
        let isPlanned = hasPlans
        let struck = isPlanned ? letAnswerAsPlanned(frame, &hearing, &answers, waiting) : []
        if !isPlanned { letAnswer(frame, &hearing, &answers) }
        if let waiting { answers.removeAll { $0.after > waiting } }
        let received = FieldAnswer(superposing: answers)
        answeringCard = answers.isEmpty ? nil : answers[0].card
        if !plan.isEmpty { aftermath.previous = answers.first?.frame ?? aftermath.previous }
        let end = now
        if trace.isOn { recordAnswers(answers, heardBy: hearing, received: received) }
        if !struck.isEmpty { disturbMiddle(of: answers.first, since: end, struck) }
        advance(to: end + (answers.map(\.end).max() ?? max(.zero, waiting ?? .zero)))
        if isPlanned {
            disturbField(struck, at: .afterAnswer)
            countForTimeline(frame)
        }
        return received
    }

    /// The cards that hear the beginning of a frame, in the order of the scenario.
    func listeners(to frame: AirFrame) -> [Int] {
        guard readers[reader].isPlugged else { return [] }
        var hearing: [Int] = []
        // A closure would copy the world.
        for index in cards.indices where index == onlyCard ?? index {
            if cards.hears(index, frame.technology, from: reader) { hearing.append(index) }
        }
        return hearing
    }

    /// Lets the cards hear a frame and answer it, in the order of the scenario.
    private mutating func letAnswer(_ frame: AirFrame, _ hearing: inout [Int], _ answers: inout [CardAnswerInField]) {
        hearing = listeners(to: frame)
        now += frame.commandAirTime
        answers = collectAnswers(to: frame, of: hearing)
    }

    /// Does the same where cards may come and go and faults may strike.
    ///
    /// - Returns: The faults that strike in this exchange.
    private mutating func letAnswerAsPlanned(
        _ frame: AirFrame, _ hearing: inout [Int], _ answers: inout [CardAnswerInField], _ waiting: Duration?
    ) -> [FaultStrike] {
        let struck = strikes(on: frame)
        turnWornCells()
        disturbField(struck, at: .beforeCommand)
        disturbImages(by: struck)
        let heard = struck.isEmpty ? frame : disturbed(frame, by: struck)
        if let heard { hearing = listeners(to: heard) }
        let visits = hearing.map { cards[$0].visit }
        advance(to: now + frame.commandAirTime)
        hearing = zip(hearing, visits).filter { cards[$0].isPresent && cards[$0].visit == $1 }.map(\.0)
        if !struck.isEmpty {
            disturbCards(hearing, by: struck)
            let powerLosses = hearing.map { cards[$0].powerLosses }
            disturbField(struck, at: .afterCommand)
            hearing = zip(hearing, powerLosses).filter { cards[$0].powerLosses == $1 }.map(\.0)
        }
        if let heard { answers = collectAnswers(to: heard, of: hearing) }
        if !plan.isEmpty {
            settleMemory(&answers)
            disturb(&answers, to: frame, heardBy: hearing, waiting, struck)
        }
        answers.removeAll { !isHeardToTheEnd($0) }
        return struck
    }

    /// Lets each card that has heard a frame answer it, in the order of the scenario.
    private mutating func collectAnswers(to frame: AirFrame, of hearing: [Int]) -> [CardAnswerInField] {
        var answers: [CardAnswerInField] = []
        for card in hearing {
            guard let answer = answer(to: frame, of: card) else { continue }
            answers.append(answer)
        }
        return answers
    }

    /// Whether the card of an answer will still be there when its answer ends.
    private func isHeardToTheEnd(_ answer: CardAnswerInField) -> Bool {
        guard let card = answer.card, let next = nextPlannedInstant, next <= now + answer.end else { return true }
        var future = self
        future.trace = .off
        future.advance(to: now + answer.end)
        return future.cards[card].isPresent && future.cards[card].visit == cards[card].visit
    }

    /// Writes the answers into the trace, behind what the timeline holds for the time before each of them.
    private mutating func recordAnswers(
        _ answers: [CardAnswerInField], heardBy hearing: [Int], received: FieldAnswer
    ) {
        switch received {
        case .silence: record(.silence(states: hearing.map { state(of: $0) }))
        case .frame(let frame, let after): recordAnswer(frame, of: answers, at: now + after)
        case .slots(let slots):
            let end = now
            for slot in slots {
                let senders = answers.filter { $0.slot == slot.slot }
                recordAnswer(slot.frame, of: senders, at: end + slot.after)
            }
        case .collision(let frame, let bit, let after):
            let names = answers.compactMap { $0.card.map { cards[$0].name } }
            advance(to: now + after)
            record(.collision(frame, firstCollidedBit: bit, cards: names))
        }
    }

    /// Writes what was received from one or several cards into the trace, with the state of the first at the end of the
    /// command.
    private mutating func recordAnswer(_ frame: AirFrame, of senders: [CardAnswerInField], at instant: Duration) {
        // Asked of the cards alone: a method of the world would copy all of it.
        let names = cards.names(of: senders)
        let state = senders[0].card.map { cards.stateName(of: $0) } ?? ""
        advance(to: instant)
        record(.answer(frame, card: names, state: state, slot: senders[0].slot))
    }
}

extension [CardSlot] {
    /// Who sent what no card sent, in traces.
    private static var noCard: String { "no card" }

    fileprivate func names(of answers: [CardAnswerInField]) -> String {
        answers.map { $0.card.map { self[$0].name } ?? Self.noCard }.joined(separator: ", ")
    }
}
