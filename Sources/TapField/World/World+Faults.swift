import TapCards
import TapWire

extension World {
    /// Counts a command for the plan and gives the faults that strike in its exchange; none without a plan.
    mutating func strikes(on command: AirFrame) -> [FaultStrike] {
        guard !plan.isEmpty else { return [] }
        let struck = plan.strikes(at: .command(CommandFacts(command)), exchange: exchangeCount, command)
        for strike in struck { record(.fault(strike.fault), source: strike.source) }
        return struck
    }

    /// Tells the plan and the timeline of something that is no exchange.
    package mutating func happened(_ event: WorldEvent) {
        plan.count(event)
        guard !timeline.isOver else { return }
        timeline.count(event, at: timelineNow)
        performDueSteps()
    }

    /// Lets the faults of the field strike whose moment this is.
    mutating func disturbField(_ strikes: [FaultStrike], at moment: FieldMoment) {
        for strike in strikes {
            for case .field(let at, let effect) in strike.fault.kind.effect.parts where at(strike.arguments) == moment {
                effect(&self, strike)
            }
        }
    }

    /// What the cards hear of a command; nothing if it does not reach them.
    func disturbed(_ command: AirFrame, by strikes: [FaultStrike]) -> AirFrame? {
        var onAir = CommandOnAir(frame: command)
        for strike in strikes {
            for case .command(let effect) in strike.fault.kind.effect.parts { effect(&onAir, strike) }
        }
        return onAir.frame
    }

    /// Lets the faults of cards strike those that have heard a command.
    mutating func disturbCards(_ hearing: [Int], by strikes: [FaultStrike]) {
        for strike in strikes {
            for case .card(let effect) in strike.fault.kind.effect.parts {
                for card in hearing { effect(&cards[card].engine, strike) }
            }
        }
    }

    /// Lets the faults of the image strike the cards before the reader.
    ///
    /// The card as it came into the world changes with them: what a client finds is not what it did.
    mutating func disturbImages(by strikes: [FaultStrike]) {
        for strike in strikes {
            for case .image(let effect) in strike.fault.kind.effect.parts {
                for card in listeners(to: strike.command) {
                    effect(&cards[card].engine, strike)
                    effect(&cards[card].original, strike)
                }
            }
        }
    }

    /// Lets the faults of answers strike the answer to a command: the first, or the silence if no card answered.
    mutating func disturb(_ answers: inout [CardAnswerInField], to command: AirFrame, by strikes: [FaultStrike]) {
        let waiting = lateAnswer
        lateAnswer = nil
        guard !strikes.isEmpty || waiting != nil else { return }
        var answer = AnswerOnAir(
            command: command, frame: answers.first?.frame, after: answers.first?.after ?? .zero,
            previous: lastAnswer, late: nil)
        if let waiting { answer.frame = waiting }
        for strike in strikes {
            for case .answer(let effect) in strike.fault.kind.effect.parts { effect(&answer, strike) }
        }
        for strike in strikes {
            for fix in strike.fault.fix { answer.mend(fix) }
        }
        lateAnswer = answer.late
        // An answer made up is that of the card the command was for.
        let sender = answers.first?.card ?? listeners(to: command).first
        let heard = answer.frame.map { frame in
            CardAnswerInField(
                card: sender, slot: answers.first?.slot, frame: frame,
                after: answer.after,
                end: answer.after + frame.airTime(answering: command))
        }
        answers.replaceSubrange(..<min(1, answers.count), with: heard.map { [$0] } ?? [])
        disturbField(strikes, at: .insideAnswer)
        for index in answers.indices where !isPresent(answers[index].card) { answers[index].frame.breakOff() }
    }

    private func isPresent(_ card: Int?) -> Bool {
        card.map { cards[$0].isPresent } ?? true
    }
}

extension AirFrame {
    /// Leaves what a reader receives of a frame whose sender falls silent in the middle.
    fileprivate mutating func breakOff() {
        self = AirFrame(technology, bytes, bitCount: bitCount / 2, integrity: .badCRC)
    }
}
