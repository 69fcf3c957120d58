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
