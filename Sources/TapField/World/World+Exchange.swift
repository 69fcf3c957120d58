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
        // Asked once: with the exchange the last of what is planned may be over.
        let isPlanned = hasPlans
        let struck = isPlanned ? letAnswerAsPlanned(frame, &lists, waiting) : []
        if !isPlanned { letAnswer(frame, &lists) }
        if let waiting { lists.answers.removeAll { $0.after > waiting } }
        let received = FieldAnswer(superposing: lists.answers)
        answeringCard = lists.answers.isEmpty ? nil : lists.answers[0].card
        if !plan.isEmpty { aftermath.previous = lists.answers.first?.frame ?? aftermath.previous }
        let end = now
        if trace.isOn { recordAnswers(lists, received: received) }
        if !struck.isEmpty { disturbMiddle(of: lists.answers.first, since: end, struck) }
        var length = lists.answers.isEmpty ? max(.zero, waiting ?? .zero) : .zero
        for index in lists.answers.indices { length = max(length, lists.answers[index].end) }
        advance(to: end + length)
        if isPlanned {
            disturbField(struck, at: .afterAnswer)
            countForTimeline(frame)
        }
        if retries != nil { watchRetries(of: frame, received) }
        spareLists.putBack(&lists)
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

    /// Lets the cards hear a frame and answer it, in the order of the scenario.
    private mutating func letAnswer(_ frame: AirFrame, _ lists: inout ExchangeLists) {
        findListeners(to: frame, &lists.hearing)
        now += frame.commandAirTime
        collectAnswers(to: frame, &lists)
    }

    /// Does the same where cards may come and go and faults may strike.
    ///
    /// - Returns: The faults that strike in this exchange.
    private mutating func letAnswerAsPlanned(
        _ frame: AirFrame, _ lists: inout ExchangeLists, _ waiting: Duration?
    ) -> [FaultStrike] {
        let struck = strikes(on: frame)
        turnWornCells()
        disturbField(struck, at: .beforeCommand)
        disturbImages(by: struck)
        let heard = struck.isEmpty ? frame : disturbed(frame, by: struck)
        if let heard { findListeners(to: heard, &lists.hearing) }
        let visits = lists.hearing.map { cards[$0].visit }
        advance(to: now + frame.commandAirTime)
        lists.hearing = zip(lists.hearing, visits).filter { cards[$0].isPresent && cards[$0].visit == $1 }.map(\.0)
        if !struck.isEmpty {
            disturbCards(lists.hearing, by: struck)
            let powerLosses = lists.hearing.map { cards[$0].powerLosses }
            disturbField(struck, at: .afterCommand)
            lists.hearing = zip(lists.hearing, powerLosses).filter { cards[$0].powerLosses == $1 }.map(\.0)
        }
        if let heard { collectAnswers(to: heard, &lists) }
        if !plan.isEmpty {
            settleMemory(&lists.answers)
            disturb(&lists.answers, to: frame, heardBy: lists.hearing, waiting, struck)
        }
        lists.answers.removeAll { !isHeardToTheEnd($0) }
        return struck
    }

    /// Lets each card that has heard a frame answer it, in the order of the scenario.
    private mutating func collectAnswers(to frame: AirFrame, _ lists: inout ExchangeLists) {
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
        switch received {
        case .silence: record(.silence(states: lists.hearing.map { state(of: $0) }))
        case .frame(let frame, let after): recordAnswer(frame, of: lists.answers, at: now + after)
        case .slots(let slots):
            let end = now
            for slot in slots {
                let senders = lists.answers.filter { $0.slot == slot.slot }
                recordAnswer(slot.frame, of: senders, at: end + slot.after)
            }
        case .collision(let frame, let bit, let after):
            let names = lists.answers.compactMap { $0.card.map { cards[$0].name } }
            advance(to: now + after)
            record(.collision(frame, firstCollidedBit: bit, cards: names))
        }
    }

    /// Writes what was received from one or several cards into the trace, with the state of the first at the end of the
    /// command.
    private mutating func recordAnswer(_ frame: AirFrame, of senders: [CardAnswerInField], at instant: Duration) {
        let first = senders[0]
        // Asked of the cards alone: a method of the world would copy all of it.
        let names = senders.count == 1 ? cards.name(of: first) : cards.names(of: senders)
        let state = cards.stateName(of: first)
        advance(to: instant)
        record(.answer(frame, card: names, state: state, slot: first.slot))
    }

    private func state(of index: Int) -> TraceEvent.CardState {
        TraceEvent.CardState(card: cards[index].name, state: cards[index].engine.stateName)
    }
}

extension [CardSlot] {
    /// Who sent what no card sent, in traces.
    private static var noCard: String { "no card" }

    fileprivate func name(of answer: CardAnswerInField) -> String {
        answer.card.map { self[$0].name } ?? Self.noCard
    }

    fileprivate func names(of answers: [CardAnswerInField]) -> String {
        answers.map { name(of: $0) }.joined(separator: ", ")
    }

    /// The state of the card that sent an answer.
    fileprivate func stateName(of answer: CardAnswerInField) -> String {
        answer.card.map { self[$0].engine.stateName } ?? ""
    }
}
