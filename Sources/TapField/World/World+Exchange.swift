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
        var lists = spareLists.take()
        advance(to: now)
        switchField(on: true)
        if trace.isOn { record(.command(frame)) }
        let struck = strikes(on: frame)
        if !aftermath.wornCells.isEmpty { turnWornCells() }
        disturbField(struck, at: .beforeCommand)
        disturbImages(by: struck)
        let heard = struck.isEmpty ? frame : disturbed(frame, by: struck)
        if let heard { findListeners(to: heard, &lists.hearing) }
        let visits = timeline.isOver ? [] : lists.hearing.map { cards[$0].visit }
        advance(to: now + frame.commandAirTime)
        if !visits.isEmpty {
            lists.hearing = zip(lists.hearing, visits).filter { cards[$0].isPresent && cards[$0].visit == $1 }.map(\.0)
        }
        letAnswer(frame, heardAs: heard, &lists, waiting, struck)
        if let waiting { lists.answers.removeAll { $0.after > waiting } }
        if !timeline.isOver { lists.answers.removeAll { !isHeardToTheEnd($0) } }
        let received = FieldAnswer(superposing: lists.answers)
        answeringCard = lists.answers.isEmpty ? nil : lists.answers[0].card
        if !plan.isEmpty { aftermath.previous = lists.answers.first?.frame ?? aftermath.previous }
        let end = now
        if trace.isOn { recordAnswers(lists, received: received) }
        if !struck.isEmpty { disturbMiddle(of: lists.answers.first, since: end, struck) }
        var length = lists.answers.isEmpty ? max(.zero, waiting ?? .zero) : .zero
        for index in lists.answers.indices { length = max(length, lists.answers[index].end) }
        advance(to: end + length)
        disturbField(struck, at: .afterAnswer)
        countForTimeline(frame)
        if retries != nil { watchRetries(of: frame, received) }
        lists.removeAll()
        spareLists = lists
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
            return readers[reader].isPlugged && (retries == nil || stuckAfter == nil)
        }
    }

    private mutating func watchRetries(of frame: AirFrame, _ received: FieldAnswer) {
        retries?.count(frame, received)
        if stuckAfter != nil { callCount += 1 }
    }

    /// The cards that hear the beginning of a frame, in the order of the scenario.
    func listeners(to frame: AirFrame) -> [Int] {
        var hearing: [Int] = []
        findListeners(to: frame, &hearing)
        return hearing
    }

    private func findListeners(to frame: AirFrame, _ hearing: inout [Int]) {
        // A closure would copy the world.
        for index in cards.indices where isWithinReach(index) && index == onlyCard ?? index {
            if cards[index].engine.hears(frame.technology) { hearing.append(index) }
        }
    }

    /// Lets the cards answer what they have heard, and faults strike cards and answers.
    private mutating func letAnswer(
        _ frame: AirFrame, heardAs heard: AirFrame?, _ lists: inout ExchangeLists, _ waiting: Duration?,
        _ struck: [FaultStrike]
    ) {
        if !struck.isEmpty {
            disturbCards(lists.hearing, by: struck)
            let powerLosses = lists.hearing.map { cards[$0].powerLosses }
            disturbField(struck, at: .afterCommand)
            lists.hearing = zip(lists.hearing, powerLosses).filter { cards[$0].powerLosses == $1 }.map(\.0)
        }
        if let heard { letAnswer(heard, &lists) }
        guard !plan.isEmpty else { return }
        settleMemory(&lists.answers)
        disturb(&lists.answers, to: frame, heardBy: lists.hearing, waiting, struck)
    }

    /// Lets each card answer, in the order of the scenario.
    private mutating func letAnswer(_ frame: AirFrame, _ lists: inout ExchangeLists) {
        FrameBuffer.withTemporary { buffer in
            for index in lists.hearing.indices {
                guard let answer = answer(to: frame, of: lists.hearing[index], into: &buffer) else { continue }
                lists.answers.append(answer)
            }
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
        guard let card = answer.card, let next = nextPlannedInstant, next <= now + answer.end else { return true }
        var future = self
        future.trace = .off
        future.advance(to: now + answer.end)
        return future.cards[card].isPresent && future.cards[card].visit == cards[card].visit
    }

    /// Writes the answers into the trace, behind what the timeline holds for the time before each of them.
    private mutating func recordAnswers(_ lists: ExchangeLists, received: FieldAnswer) {
        let (end, answers) = (now, lists.answers)
        switch received {
        case .silence:
            record(.silence(states: lists.hearing.map { state(of: $0) }))
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
