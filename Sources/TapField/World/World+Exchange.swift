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
        guard exchangeCount < exchangeLimit else {
            isExhausted = true
            return .silence
        }
        exchangeCount += 1
        advance(to: now)
        switchField(on: true)
        record(.command(frame))
        var hearing = listeners(to: frame)
        let visits = timeline.isOver ? [] : hearing.map { cards[$0].visit }
        advance(to: now + frame.commandAirTime)
        if !visits.isEmpty {
            hearing = zip(hearing, visits).filter { cards[$0].isPresent && cards[$0].visit == $1 }.map(\.0)
        }
        var answers = answers(to: frame, of: hearing)
        answers.removeAll { $0.after > waiting ?? $0.after || !isHeardToTheEnd($0) }
        let received = FieldAnswer(superposing: answers)
        answeringCard = answers.first?.card
        let end = now
        recordAnswers(answers, received: received, hearing: hearing)
        let lastEnd = answers.lazy.map(\.end).max()
        advance(to: end + (lastEnd ?? max(.zero, waiting ?? .zero)))
        countForTimeline(frame)
        return received
    }

    /// The cards that hear the beginning of a frame, in the order of the scenario.
    private func listeners(to frame: AirFrame) -> [Int] {
        cards.indices.filter { cards[$0].isPresent && cards[$0].engine.hears(frame.technology) }
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
        guard !timeline.isOver else { return true }
        var future = self
        future.trace = .off
        future.advance(to: now + answer.end)
        return future.cards[answer.card].isPresent && future.cards[answer.card].visit == cards[answer.card].visit
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
            let state = cards[answers[0].card].engine.stateName
            advance(to: end + after)
            record(.answer(frame, card: card, state: state, slot: answers[0].slot))
        case .slots(let slots):
            for slot in slots {
                let senders = answers.filter { $0.slot == slot.slot }
                let names = names(of: senders)
                let state = cards[senders[0].card].engine.stateName
                advance(to: end + slot.after)
                record(.answer(slot.frame, card: names, state: state, slot: slot.slot))
            }
        case .collision(let frame, let bit, let after):
            let names = answers.map { cards[$0.card].name }
            advance(to: end + after)
            record(.collision(frame, firstCollidedBit: bit, cards: names))
        }
    }

    private func names(of answers: [CardAnswerInField]) -> String {
        guard answers.count != 1 else { return cards[answers[0].card].name }
        return answers.map { cards[$0.card].name }.joined(separator: ", ")
    }

    private func state(of index: Int) -> TraceEvent.CardState {
        TraceEvent.CardState(card: cards[index].name, state: cards[index].engine.stateName)
    }
}
