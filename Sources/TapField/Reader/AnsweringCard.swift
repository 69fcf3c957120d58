import TapWire

extension World {
    /// Which card sent an answer that came in a time slot of its own or alone.
    ///
    /// Where several cards answered one Polling ``answeringCard`` is the strongest, whose answer may not be the one
    /// taken. So each card is asked alone, in a copy of the field that leaves no trace.
    package func card(answering frame: AirFrame, with answer: AirFrame) -> Int? {
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
