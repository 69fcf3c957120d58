import TapCards
import TapWire

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
