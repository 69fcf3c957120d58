import TapCards
import TapWire

extension World {
    /// Counts a command for the plan and gives the faults that strike in its exchange; none without a plan.
    mutating func strikes(on command: AirFrame) -> [FaultStrike] {
        guard !plan.isEmpty else { return [] }
        let struck = plan.strikes(at: .command(CommandFacts(command)), exchange: exchangeCount, command, time: now)
        for strike in struck where !strike.fault.kind.effect.showsInFrames { begin(strike) }
        return struck
    }

    /// Counts a strike that has changed a command or an answer, and writes it into the trace.
    mutating func hasChanged(_ strike: FaultStrike) {
        if plan.hasChanged(strike) { begin(strike) }
    }

    /// Writes a strike into the trace and hands on what is for others to carry out.
    private mutating func begin(_ strike: FaultStrike) {
        trace.record(.fault(strike.fault), at: strike.time, source: strike.source, isMeasured: false)
        switch strike.fault.kind.effect {
        case .reader(let fault): readerFaults.append(fault(strike.arguments))
        case .door(let fault): doorFaults.append(fault(strike.arguments))
        case .phone(let fault): phoneFaults.append(fault(strike.arguments))
        default: break
        }
    }

    /// Counts a call of PC/SC; what strikes it is then to be had from ``takeReaderFaults(ofChip:)`` and
    /// ``takeDoorFaults()``.
    package mutating func called(_ call: PCSCCall) {
        for strike in plan.strikes(at: call, exchange: exchangeCount, time: now) { begin(strike) }
        happened(.call(call), isCounted: true)
    }

    /// Counts an event of a phone; what strikes at it is then to be had from ``takePhoneFaults()``.
    package mutating func happened(_ event: PhoneEvent) {
        for strike in plan.strikes(at: event, exchange: exchangeCount, time: now) { begin(strike) }
        happened(.phone(event), isCounted: true)
    }

    /// What the phone is to do wrong with the session or the call under way; asked for once.
    package mutating func takePhoneFaults() -> [PhoneFault] {
        guard !phoneFaults.isEmpty else { return [] }
        defer { phoneFaults = [] }
        return phoneFaults
    }

    /// What the reader is to do wrong with the command it carries out; asked for once.
    ///
    /// - Parameter ofChip: Whether the chip inside the reader asks, or the reader around it.
    package mutating func takeReaderFaults(ofChip: Bool) -> [ReaderFault] {
        guard !readerFaults.isEmpty else { return [] }
        defer { readerFaults.removeAll { $0.isOfChip == ofChip } }
        return readerFaults.filter { $0.isOfChip == ofChip }
    }

    /// Takes all cards away from the reader, for a time or for good.
    package mutating func takeCardsAway(for gap: Duration?) {
        for card in cards where card.isPresent {
            if let gap { swap(card.name, for: card.name, after: gap) } else { remove(card.name) }
        }
    }

    /// What the service is to do wrong with the call under way; asked for once.
    package mutating func takeDoorFaults() -> [DoorFault] {
        guard !doorFaults.isEmpty else { return [] }
        defer { doorFaults = [] }
        return doorFaults
    }

    /// Tells the plan and the timeline of something that is no exchange.
    package mutating func happened(_ event: WorldEvent, isCounted: Bool = false) {
        if !isCounted { plan.count(event) }
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
    mutating func disturbed(_ command: AirFrame, by strikes: [FaultStrike]) -> AirFrame? {
        var onAir = CommandOnAir(frame: command)
        for strike in strikes {
            let before = onAir
            for case .command(let effect) in strike.fault.kind.effect.parts { effect(&onAir, strike) }
            if onAir != before { hasChanged(strike) }
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

/// Cells of a card's memory that do not do as they should.
struct FaultyCell: Sendable {
    /// The card, an index into those of the world.
    let card: Int
    /// The byte of its memory.
    let cell: Int
    /// The bits that are faulty.
    let mask: UInt8
    /// What stuck bits hold.
    var value: UInt8 = 0
    /// The exchange before which worn bits turn over.
    var turnsAt = Int.max
}

/// How faults strike the memory of cards.
extension World {
    /// Lets programming fail in this exchange.
    mutating func failMemory() {
        guard !context.isMemoryFailing else { return }
        context.isMemoryFailing = true
        aftermath.hasFailedMemory = true
    }

    /// Makes bits of what a command writes keep what they hold from now on.
    mutating func stickCells(_ strike: FaultStrike) {
        let level = strike.arguments.word("at").flatMap(StuckLevel.init) ?? .old
        for var cell in cells(writtenBy: strike) {
            let old = cards[cell.card].engine[cell: cell.cell]
            cell.value =
                switch level {
                case .old: old
                case .zero: 0
                case .one: .max
                }
            if aftermath.stuckCells.count < FaultAftermath.maximumCells { aftermath.stuckCells.append(cell) }
        }
    }

    /// Makes bits of what a command writes turn over some exchanges later.
    mutating func wearCells(_ strike: FaultStrike) {
        let turnsAt = exchangeCount + 1 + (strike.arguments.integer("after") ?? 0)
        for var cell in cells(writtenBy: strike) {
            cell.turnsAt = turnsAt
            if aftermath.wornCells.count < FaultAftermath.maximumCells { aftermath.wornCells.append(cell) }
        }
    }

    /// The faulty bits of each page or block that the command of a strike will write.
    private func cells(writtenBy strike: FaultStrike) -> [FaultyCell] {
        let mask = strike.arguments.bytes("bits") ?? []
        let frame = strike.command.bytes[...]
        var found: [FaultyCell] = []
        for card in cards.indices where cards[card].isPresent {
            let engine = cards[card].engine
            guard engine.hears(strike.command.technology) else { continue }
            for unit in engine.cells(writtenBy: frame.span) {
                found += zip(unit, mask).map { FaultyCell(card: card, cell: $0, mask: $1) }
            }
        }
        return found
    }

    /// Turns over the bits whose time has come.
    mutating func turnWornCells() {
        for worn in aftermath.wornCells where worn.turnsAt <= exchangeCount {
            cards[worn.card].engine[cell: worn.cell] ^= worn.mask
        }
        aftermath.wornCells.removeAll { $0.turnsAt <= exchangeCount }
    }

    /// Puts the memory of cards right with the faults of this exchange, once they have carried out its command.
    ///
    /// - Parameter answers: What they would send; nothing is left of it where power is gone.
    mutating func settleMemory(_ answers: inout [CardAnswerInField]) {
        for stuck in aftermath.stuckCells {
            let taken = cards[stuck.card].engine[cell: stuck.cell] & ~stuck.mask
            cards[stuck.card].engine[cell: stuck.cell] = taken | stuck.value & stuck.mask
        }
        if aftermath.hasFailedMemory {
            context.isMemoryFailing = false
            aftermath.hasFailedMemory = false
        }
        guard let tear = aftermath.tear else { return }
        aftermath.tear = nil
        context.power = nil
        answers = []
        loseCards(tear)
    }
}
