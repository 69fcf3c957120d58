import TapCards
import TapWire

extension World {
    /// Sends a frame into the field and waits for what comes back.
    ///
    /// The field is switched on if it is off, since a frame is a modulated field. Card time advances by the length of
    /// the frame, the delay of the card and the length of the answer, or to the end of the waiting. A card that leaves
    /// while a frame is on air neither hears the end of a command nor ends its answer.
    ///
    /// - Parameters:
    ///   - frame: What the reader sends.
    ///   - waiting: How long it waits for an answer to begin. Nothing, where nobody here knows when the reader gives
    ///     up: then no answer comes too late, and silence takes no time.
    /// - Returns: What the reader receives.
    public mutating func exchange(_ frame: AirFrame, waiting: Duration?) -> FieldAnswer {
        guard isAnswering else { return .silence }
        exchangeCount += 1
        advance(to: now)
        switchField(on: true)
        record(.command(frame))
        let struck = strikes(on: frame)
        if !aftermath.wornCells.isEmpty { turnWornCells() }
        disturbField(struck, at: .beforeCommand)
        disturbImages(by: struck)
        let heard = struck.isEmpty ? frame : disturbed(frame, by: struck)
        var hearing = if let heard { listeners(to: heard) } else { [Int]() }
        let visits = timeline.isOver ? [] : hearing.map { cards[$0].visit }
        advance(to: now + frame.commandAirTime)
        if !visits.isEmpty {
            hearing = zip(hearing, visits).filter { cards[$0].isPresent && cards[$0].visit == $1 }.map(\.0)
        }
        var answers = answers(to: frame, heardAs: heard, by: &hearing, waiting, struck)
        if let waiting { answers.removeAll { $0.after > waiting } }
        if !timeline.isOver { answers.removeAll { !isHeardToTheEnd($0) } }
        let received = FieldAnswer(superposing: answers)
        answeringCard = answers.first?.card
        if !plan.isEmpty { aftermath.previous = answers.first?.frame ?? aftermath.previous }
        let end = now
        recordAnswers(answers, received: received, hearing: hearing)
        disturbMiddle(of: answers.first, since: end, struck)
        let lastEnd = answers.lazy.map(\.end).max()
        advance(to: end + (lastEnd ?? max(.zero, waiting ?? .zero)))
        disturbField(struck, at: .afterAnswer)
        countForTimeline(frame)
        if retries != nil { watchRetries(of: frame, received) }
        return received
    }

    /// Whether the reader that acts may send one frame more.
    private var isAnswering: Bool {
        mutating get {
            guard exchangeCount < exchangeLimit else {
                if !isExhausted { callCount += 1 }
                isExhausted = true
                return false
            }
            return readers[reader].isPlugged && stuckAfter == nil
        }
    }

    private mutating func watchRetries(of frame: AirFrame, _ received: FieldAnswer) {
        retries?.count(frame, received)
        if stuckAfter != nil { callCount += 1 }
    }

    /// The cards that hear the beginning of a frame, in the order of the scenario.
    func listeners(to frame: AirFrame) -> [Int] {
        // A closure would copy the world.
        var hearing: [Int] = []
        for index in cards.indices where isWithinReach(index) && index == onlyCard ?? index {
            if cards[index].engine.hears(frame.technology) { hearing.append(index) }
        }
        return hearing
    }

    /// Lets the cards answer what they have heard, and faults strike cards and answers.
    private mutating func answers(
        to frame: AirFrame, heardAs heard: AirFrame?, by hearing: inout [Int], _ waiting: Duration?,
        _ struck: [FaultStrike]
    ) -> [CardAnswerInField] {
        if !struck.isEmpty {
            disturbCards(hearing, by: struck)
            let powerLosses = hearing.map { cards[$0].powerLosses }
            disturbField(struck, at: .afterCommand)
            hearing = zip(hearing, powerLosses).filter { cards[$0].powerLosses == $1 }.map(\.0)
        }
        var answers: [CardAnswerInField] = []
        if let heard { answers = self.answers(to: heard, of: hearing) }
        if !plan.isEmpty {
            settleMemory(&answers)
            disturb(&answers, to: frame, heardBy: hearing, waiting, struck)
        }
        return answers
    }

    /// Lets each card answer, in the order of the scenario.
    private mutating func answers(to frame: AirFrame, of hearing: [Int]) -> [CardAnswerInField] {
        FrameBuffer.withTemporary { buffer in
            hearing.compactMap { answer(to: frame, of: $0, into: &buffer) }
        }
    }

    private mutating func answer(
        to frame: AirFrame, of card: Int, into buffer: inout FrameBuffer
    ) -> CardAnswerInField? {
        let bytes = frame.bytes[...]
        let reply = cards[card].engine.answer(
            bytes.span, bitCount: frame.bitCount, integrity: frame.integrity, context: &context, into: &buffer)
        let answer: (slot: Int?, after: Duration)
        switch reply {
        case .silence: return nil
        case .frame(let after): answer = (nil, after)
        case .slot(let slot, let after): answer = (slot, after)
        }
        let sent = AirFrame(frame.technology, buffer.bytes, bitCount: buffer.bitCount)
        let end = answer.after + sent.airTime(answering: frame)
        return CardAnswerInField(card: card, slot: answer.slot, frame: sent, after: answer.after, end: end)
    }

    /// Whether the card of an answer will still be there when its answer ends.
    private func isHeardToTheEnd(_ answer: CardAnswerInField) -> Bool {
        guard let card = answer.card else { return true }
        var future = self
        future.trace = .off
        future.advance(to: now + answer.end)
        return future.cards[card].isPresent && future.cards[card].visit == cards[card].visit
    }

    /// Writes the answers into the trace, behind what the timeline holds for the time before each of them.
    private mutating func recordAnswers(
        _ answers: [CardAnswerInField], received: FieldAnswer, hearing: [Int]
    ) {
        guard trace.isOn else { return }
        let end = now
        switch received {
        case .silence:
            record(.silence(states: hearing.map { state(of: $0) }))
        case .frame(let frame, let after):
            let card = names(of: answers)
            let state = stateName(of: answers[0])
            advance(to: end + after)
            record(.answer(frame, card: card, state: state, slot: answers[0].slot))
        case .slots(let slots):
            for slot in slots {
                let senders = answers.filter { $0.slot == slot.slot }
                let names = names(of: senders)
                let state = stateName(of: senders[0])
                advance(to: end + slot.after)
                record(.answer(slot.frame, card: names, state: state, slot: slot.slot))
            }
        case .collision(let frame, let bit, let after):
            let names = answers.compactMap { $0.card.map { cards[$0].name } }
            advance(to: end + after)
            record(.collision(frame, firstCollidedBit: bit, cards: names))
        }
    }

    private func names(of answers: [CardAnswerInField]) -> String {
        guard answers.count != 1 else { return name(of: answers[0]) }
        return answers.map { name(of: $0) }.joined(separator: ", ")
    }

    private func name(of answer: CardAnswerInField) -> String {
        guard let card = answer.card else { return Self.noCard }
        return cards[card].name
    }

    /// Who sent what no card sent, in traces.
    private static let noCard = "no card"

    private func stateName(of answer: CardAnswerInField) -> String {
        guard let card = answer.card else { return "" }
        return cards[card].engine.stateName
    }

    private func state(of index: Int) -> TraceEvent.CardState {
        TraceEvent.CardState(card: cards[index].name, state: cards[index].engine.stateName)
    }
}
