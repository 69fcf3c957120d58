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
}
