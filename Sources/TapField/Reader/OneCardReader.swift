import TapWire

/// A reader that settles on one of the cards in its field.
///
/// If cards send different bits, the reader follows the bits it received, which are those of the scenario's first card.
extension World {
    /// The number of repeated polls before the reader gives up on FeliCa cards that keep choosing the same slots.
    private static let pollingRetries = 8

    /// Sends a frame and returns the single answer the reader settles on; `nil` for silence.
    ///
    /// A collision in anticollision is resolved by addressing fewer cards, a collision in Polling by using more time slots; any
    /// other collision results in a damaged frame. `waiting` has the same meaning as in ``exchange(_:waiting:)``.
    public mutating func exchangeWithOneCard(_ frame: RFFrame, waiting: Duration?) -> RFFrame? {
        switch exchange(frame, waiting: waiting) {
        case .silence: nil
        case .slots(let slots): slots.first { $0.frame.integrity == .good }?.frame ?? slots.first?.frame
        case .frame(let answer, _):
            if answer.integrity != .good, let polling = try? Polling.Request(parsing: frame.bytes) {
                pollWithAllSlots(polling, as: frame.technology, preferring: answer, waiting: waiting)
            } else {
                answer
            }
        case .collision(let answer, let bit, _):
            if let request = try? Anticollision.Request(parsing: frame.bytes) {
                resolve(request, answer, collidedAt: bit, waiting: waiting)
            } else {
                RFFrame(frame.technology, answer.bytes, bitCount: answer.bitCount, integrity: .badCRC)
            }
        }
    }

    /// Polls with sixteen slots until a card answers alone.
    private mutating func pollWithAllSlots(
        _ polling: Polling.Request, as technology: Technology, preferring strongest: RFFrame, waiting: Duration?
    ) -> RFFrame {
        var polling = polling
        polling.timeSlot = Polling.sixteenSlots
        for _ in 0..<Self.pollingRetries {
            let answers = exchange(RFFrame(technology, polling.bytes), waiting: waiting).frames
            let good = answers.filter { $0.integrity == .good }
            if let answer = good.first(where: { $0.bytes == strongest.bytes }) ?? good.first { return answer }
        }
        return strongest
    }

    /// Repeats anticollision with more known bits until one card is left, and returns that card's answer to the first request.
    private mutating func resolve(
        _ first: Anticollision.Request, _ answer: RFFrame, collidedAt bit: Int, waiting: Duration?
    ) -> RFFrame? {
        var (request, answer, bit) = (first, answer, bit)
        while true {
            let choice = bit < answer.bitCount && answer.bit(bit)
            guard let next = request.afterCollision(at: bit, in: answer, choosing: choice) else { return nil }
            request = next
            switch exchange(RFFrame(.typeA106, next.bytes, bitCount: next.bitCount), waiting: waiting) {
            case .collision(let more, let at, _): (answer, bit) = (more, at)
            case .frame(let rest, _):
                guard let part = request.part(completedBy: rest) else { return nil }
                return first.answer(of: part)
            case .silence, .slots: return nil
            }
        }
    }
}

extension Anticollision.Request {
    fileprivate func answer(of part: CascadePart) -> RFFrame {
        var buffer = FrameBuffer()
        writeAnswer(of: part, into: &buffer)
        return RFFrame(.typeA106, buffer.bytes, bitCount: buffer.bitCount)
    }
}

extension World {
    /// The card that sent an answer, alone or in its own time slot.
    ///
    /// If several cards answered a Polling, ``answeringCard`` is the strongest, which may be a different card. So each card is
    /// polled alone, in a copy of the field without a trace.
    package func card(answering frame: RFFrame, with answer: RFFrame) -> Int? {
        let present = cards.indices.filter(isWithinReach)
        guard present.count > 1 else { return answeringCard }
        let one = present.first { index in
            var alone = self
            alone.trace = .off
            for other in present where other != index { alone.remove(cards[other].name) }
            return alone.exchangeWithOneCard(frame, waiting: nil)?.bytes == answer.bytes
        }
        return one ?? answeringCard
    }
}

extension World {
    /// Selects a type A card level by level, with REQA, or with WUPA to include halted cards.
    ///
    /// `waiting` has the same meaning as in ``exchange(_:waiting:)``. Returns `nil` if no card could be selected.
    public mutating func selectTypeA(_ call: ShortFrame, waiting: Duration?) -> TypeATag? {
        carryOut(TypeASelection(call), waiting)
    }

    /// Wakes the type A card with a UID by WUPA and selects it without anticollision; `nil` if it could not be selected.
    package mutating func selectTypeA(_ uid: UID, waiting: Duration?) -> TypeATag? {
        carryOut(TypeASelection(uid), waiting)
    }

    /// The time to wait for a NAK to HLTA, after which silence means that the card is halted.
    private static let haltWait = Duration.milliseconds(1)

    package mutating func halt() {
        _ = exchange(RFFrame(.typeA106, HLTA.Request().bytes), waiting: Self.haltWait)
    }

    private mutating func carryOut(_ selection: TypeASelection, _ waiting: Duration?) -> TypeATag? {
        var selection = selection
        while true {
            switch selection.step {
            case .send(let frame): selection.receive(exchangeWithOneCard(frame, waiting: waiting))
            case .selected(let tag): return tag
            case .failed: return nil
            }
        }
    }
}
