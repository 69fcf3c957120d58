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
        if hasPlans { advance(to: now) }
        if !isFieldOn { switchField(on: true) }
        if trace.isOn { record(.command(frame)) }
        // The last of what was planned may just have unplugged the reader.
        let received =
            if !hasPlans, readers[reader].isPlugged,
                let card = cards.onlyListener(to: frame.technology, from: reader, among: onlyCard)
            {
                exchange(frame, withOnly: card, waiting)
            } else {
                exchangeWithAll(frame, waiting)
            }
        if case .silence = received {} else { answerCount += 1 }
        if retries != nil { watchRetries(of: frame, received) }
        if presence != nil { watchPresence(by: frame, received) }
        return received
    }

    /// Lets the one card that hears a frame answer it, where nothing is planned: nothing can come between, and no
    /// answer meets another.
    private mutating func exchange(_ frame: AirFrame, withOnly card: Int, _ waiting: Duration?) -> FieldAnswer {
        now += frame.commandAirTime
        guard let answer = answer(to: frame, of: card), waiting.map({ answer.after <= $0 }) ?? true else {
            answeringCard = nil
            if trace.isOn { record(.silence(states: [state(of: card)])) }
            now += max(.zero, waiting ?? .zero)
            return .silence
        }
        answeringCard = card
        let end = now
        if trace.isOn {
            now += answer.after
            // Asked of the cards alone: a method of the world would copy all of it.
            let state = cards.stateName(of: card)
            record(.answer(answer.frame, card: cards[card].name, state: state, slot: answer.slot))
        }
        now = end + answer.end
        return .frame(answer.frame, after: answer.after)
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

    private mutating func watchPresence(by frame: AirFrame, _ received: FieldAnswer) {
        presence?.count(frame, received)
        guard presence?.isOver == true else { return }
        if haveCardsLeft {
            callCount += 1
        } else {
            letCardsLeave("the reader only sees whether the card is still there")
        }
    }

    /// Lets a card answer a frame; nothing where it is silent.
    mutating func answer(to frame: AirFrame, of card: Int) -> CardAnswerInField? {
        FrameBuffer.withTemporary { buffer in
            let bytes = frame.bytes[...]
            let reply = cards[card].engine.answer(
                bytes.span, bitCount: frame.bitCount, integrity: frame.integrity, context: &context, into: &buffer)
            let answer: (slot: Int?, after: Duration)
            switch reply {
            case .silence: return nil
            case .frame(let after): answer = (nil, after)
            case .slot(let slot, let after): answer = (slot, after)
            }
            let sent = AirFrame(frame.technology, takeBytes(of: buffer), bitCount: buffer.bitCount)
            let end = answer.after + sent.airTime(answering: frame)
            return CardAnswerInField(card: card, slot: answer.slot, frame: sent, after: answer.after, end: end)
        }
    }

    /// The bytes a card has written, in the memory of an answer given back where there is one.
    private mutating func takeBytes(of buffer: borrowing FrameBuffer) -> [UInt8] {
        var memory: [UInt8] = []
        Swift.swap(&memory, &spareBytes)
        return buffer.bytes(in: memory)
    }

    /// Gives an answer back that is needed no more: the next one is written into its memory, unless somebody else holds
    /// it still, as a trace does.
    package mutating func reuse(_ answer: consuming AirFrame) {
        spareBytes = answer.bytes
    }

    func state(of index: Int) -> TraceEvent.CardState {
        TraceEvent.CardState(card: cards[index].name, state: cards[index].engine.stateName)
    }
}

extension [CardSlot] {
    /// Whether a card hears the beginning of a frame from a reader that is plugged in.
    ///
    /// Asked of the list: a method of the slot would get a copy of it.
    @inline(__always)
    func hears(_ index: Int, _ technology: Technology, from reader: Int) -> Bool {
        self[index].isPresent && self[index].reader == reader && self[index].engine.hears(technology)
    }

    /// The card that hears the beginning of a frame from a reader that is plugged in; nothing where none does or
    /// several do.
    fileprivate func onlyListener(to technology: Technology, from reader: Int, among onlyCard: Int?) -> Int? {
        var listener: Int?
        for index in indices where index == onlyCard ?? index && hears(index, technology, from: reader) {
            guard listener == nil else { return nil }
            listener = index
        }
        return listener
    }

    /// The state of a card.
    ///
    /// Not inlined, where the card would be copied.
    @inline(never)
    func stateName(of card: Int) -> String {
        self[card].engine.stateName
    }
}

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

/// How faults strike what the reader receives.
extension World {
    /// Lets the faults of answers strike the answer to a command: the first, or the silence if no card answered.
    mutating func disturb(
        _ answers: inout [CardAnswerInField], to command: AirFrame, heardBy hearing: [Int], _ waiting: Duration?,
        _ strikes: [FaultStrike]
    ) {
        let late = aftermath.takeLate(for: command)
        guard !strikes.isEmpty || late != nil || aftermath.weakField != nil else { return }
        let punctual = answers.first
        var answer = AnswerOnAir(
            command: command, frame: late ?? punctual?.frame, after: punctual?.after ?? .zero,
            deadline: deadline(for: command, of: punctual?.card ?? hearing.first), previous: aftermath.previous)
        for strike in strikes {
            let before = answer
            for case .answer(let effect) in strike.fault.kind.effect.parts { effect(&answer, strike) }
            if answer != before { hasChanged(strike) }
        }
        for fix in strikes.flatMap(\.fault.fix) { answer.mend(fix) }
        weaken(&answer)
        settle(answer, punctualAt: punctual?.after, waiting)
        // An answer made up is that of the card the command was for.
        let sender = punctual?.card ?? listeners(to: command).first
        let heard = answer.frame.map { frame in
            CardAnswerInField(
                card: sender, slot: punctual?.slot, frame: frame, after: answer.after,
                end: answer.after + frame.airTime(answering: command))
        }
        answers.replaceSubrange(..<min(1, answers.count), with: heard.map { [$0] } ?? [])
        breakOff(&answers, to: command, strikes)
    }

    /// The longest time a card may take for a command; none without a card.
    private func deadline(for command: AirFrame, of card: Int?) -> Duration {
        let bytes = command.bytes[...]
        return card.map { cards[$0].engine.longestDelay(answering: bytes.span) } ?? .zero
    }

    /// Keeps what arrives later, and what a door owes to a client outside for an answer that is late.
    private mutating func settle(_ answer: AnswerOnAir, punctualAt punctual: Duration?, _ waiting: Duration?) {
        aftermath.late = answer.late
        guard let frame = answer.frame, let punctual else { return }
        let patience = waiting ?? answer.after
        aftermath.unpaidDelay += max(.zero, min(answer.after, patience) - punctual)
        if answer.after > patience, answer.comesWithNext { aftermath.late = frame }
    }

    /// Breaks answers off whose card will leave or lose power in the middle of them.
    private func breakOff(_ answers: inout [CardAnswerInField], to command: AirFrame, _ strikes: [FaultStrike]) {
        guard strikes.contains(where: { $0.strikesField(at: .insideAnswer) }) else { return }
        var future = self
        future.trace = .off
        future.disturbField(strikes, at: .insideAnswer)
        for index in answers.indices {
            guard let card = answers[index].card, future.cards[card].powerLosses != cards[card].powerLosses else {
                continue
            }
            answers[index].frame.cut(toBits: answers[index].frame.bitCount / 2, answering: command)
        }
    }

    /// Lets faults strike in the middle of an answer that is on air, or where it would be.
    mutating func disturbMiddle(
        of answer: CardAnswerInField?, since end: Duration, _ strikes: [FaultStrike]
    ) {
        guard strikes.contains(where: { $0.strikesField(at: .insideAnswer) }) else { return }
        if let answer { advance(to: end + answer.after + (answer.end - answer.after) / 2) }
        disturbField(strikes, at: .insideAnswer)
    }

    /// How long faults have delayed answers since this was last asked.
    ///
    /// Who lets a client wait that is outside of card time lets it wait that much longer.
    public mutating func takeUnpaidDelay() -> Duration {
        defer { aftermath.unpaidDelay = .zero }
        return aftermath.unpaidDelay
    }
}
