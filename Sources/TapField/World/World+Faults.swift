import TapCards
import TapWire

/// Counting and injecting faults, in the order of an exchange.
extension World {
    /// Counts an event for the plan, and returns the faults to inject now.
    mutating func countFaults(at event: WorldEvent) -> [FaultInjection] {
        guard !plans.faults.isEmpty || plans.faults.keepsCalls else { return [] }
        let injections = plans.faults.count(event, exchange: exchangeCount, time: now)
        for injection in injections where !injection.fault.kind.effect.showsInFrames { note(injection) }
        return injections
    }

    /// Records a fault that has changed a command or an answer, once per exchange.
    private mutating func noteChange(by injection: FaultInjection) {
        if plans.faults.noteChange(by: injection) { note(injection) }
    }

    /// Records a fault in the trace, and keeps it for the layer that carries it out.
    private mutating func note(_ injection: FaultInjection) {
        log.trace.record(.fault(injection.fault), at: injection.time, source: injection.source, isMeasured: false)
        switch injection.fault.kind.effect {
        case .reader(let fault): plans.hostFaults.reader.append(fault(injection.arguments))
        case .transport(let fault): plans.hostFaults.transport.append(fault(injection.arguments))
        case .phone(let fault): plans.hostFaults.phone.append(fault(injection.arguments))
        default: break
        }
    }

    mutating func injectIntoField(_ injections: [FaultInjection], at moment: FieldMoment) {
        for injection in injections {
            for case .field(let at, let effect) in injection.fault.kind.effect.parts
            where at(injection.arguments) == moment { effect(&self, injection) }
        }
    }

    /// Injects image faults into the cards on the reader and into their originals, because the client did not cause them.
    mutating func injectIntoImages(_ injections: [FaultInjection]) {
        for injection in injections {
            for case .image(let effect) in injection.fault.kind.effect.parts {
                for card in listeners(to: injection.command) {
                    effect(&field.cards[card.index].engine, injection)
                    effect(&field.cards[card.index].original, injection)
                }
            }
        }
    }

    /// Returns the command as received by the cards; `nil` if it does not reach them.
    mutating func changed(_ command: RFFrame, by injections: [FaultInjection]) -> RFFrame? {
        var rfCommand = RFCommand(frame: command)
        for injection in injections {
            let before = rfCommand
            for case .command(let effect) in injection.fault.kind.effect.parts { effect(&rfCommand, injection) }
            if rfCommand != before { noteChange(by: injection) }
        }
        return rfCommand.frame
    }

    /// Injects card faults into the cards that received a command.
    mutating func injectIntoCards(_ hearing: [HearingCard], _ injections: [FaultInjection]) {
        for injection in injections {
            for case .card(let effect) in injection.fault.kind.effect.parts {
                for card in hearing { effect(&field.cards[card.index].engine, injection) }
            }
        }
    }

    /// Injects answer faults into the first answer to a command, or into the silence if no card answered.
    mutating func changeFirst(
        of answers: inout [CardAnswerInField], to command: RFFrame, heardBy hearing: [HearingCard],
        _ waiting: Duration?, _ injections: [FaultInjection]
    ) {
        let late = plans.aftermath.takeLate(for: command)
        guard !injections.isEmpty || late != nil || plans.aftermath.weakField != nil else { return }
        let punctual = answers.first
        var answer = RFAnswer(
            command: command, frame: late ?? punctual?.frame, after: punctual?.after ?? .zero,
            deadline: field.deadline(for: command, of: punctual?.card ?? hearing.first?.index),
            previous: plans.aftermath.previous)
        for injection in injections {
            let before = answer
            for part in injection.fault.kind.effect.parts {
                switch part {
                case .answer(let effect): effect(&answer, injection)
                case .content(let effect): change(&answer, of: punctual?.card, injection, effect)
                default: break
                }
            }
            if answer != before { noteChange(by: injection) }
        }
        for fix in injections.flatMap(\.fault.fix) { answer.repair(fix) }
        weaken(&answer)
        plans.aftermath.settle(answer, punctualAt: punctual?.after, waiting)
        // An invented answer counts as that of the addressed card.
        let sender = punctual?.card ?? listeners(to: command).first?.index
        let received = answer.frame.map { frame in
            CardAnswerInField(
                card: sender, slot: punctual?.slot, frame: frame, after: answer.after,
                end: answer.after + frame.transmissionTime(answering: command))
        }
        answers.replaceSubrange(..<min(1, answers.count), with: received.map { [$0] } ?? [])
        breakOff(&answers, to: command, injections)
    }

    /// Changes the content of an answer.
    ///
    /// Inside a session, the card decrypts and re-encrypts it, with its old MAC unless the MAC is fixed.
    private func change(
        _ answer: inout RFAnswer, of card: Int?, _ injection: FaultInjection,
        _ effect: (inout RFAnswer, FaultInjection) -> Void
    ) {
        guard let frame = answer.frame, let card,
            var opened = cards[card].engine.opened(answer: frame.bytes, to: answer.command.bytes)
        else {
            if CommandName(of: answer.command)?.feliCa?.isSecureFrame != true { effect(&answer, injection) }
            return
        }
        answer.frame = RFFrame(frame.technology, opened.packet, integrity: frame.integrity)
        effect(&answer, injection)
        guard let changed = answer.frame, changed.bytes != opened.packet || answer.numberOffset != 0 else {
            answer.frame = answer.frame.map { _ in frame }
            return
        }
        opened.packet = changed.bytes
        opened.numberOffset = answer.numberOffset
        let sealed = opened.sealed(isFixed: injection.fault.fix.contains(.mac))
        answer.frame = RFFrame(changed.technology, sealed, integrity: changed.integrity)
    }

    /// Damages an answer because of a weak field.
    private mutating func weaken(_ answer: inout RFAnswer) {
        guard var weak = plans.aftermath.weakField else { return }
        let isFirst = weak.injection.exchange == exchangeCount
        let harm = weak.next()
        plans.aftermath.weakField = weak.isOver ? nil : weak
        guard let harm, answer.frame != nil else { return }
        // The fault itself is already in the trace.
        if !isFirst { record(.fault(weak.injection.fault), source: weak.injection.source) }
        switch harm {
        case .lost: answer.frame = nil
        case .damaged: answer.frame?.damage(answering: answer.command)
        }
    }

    /// Truncates answers whose card will leave or lose power during the answer.
    private func breakOff(_ answers: inout [CardAnswerInField], to command: RFFrame, _ injections: [FaultInjection]) {
        guard injections.contains(where: { $0.actsOnField(at: .insideAnswer) }) else { return }
        var future = self
        future.trace = .off
        future.injectIntoField(injections, at: .insideAnswer)
        for index in answers.indices {
            guard let card = answers[index].card, future.cards[card].powerLosses != cards[card].powerLosses else {
                continue
            }
            answers[index].frame.cut(toBits: answers[index].frame.bitCount / 2, answering: command)
        }
    }

    private func listeners(to command: RFFrame) -> [HearingCard] { field.listeners(to: command.technology) }
}

/// Field faults that move cards and switch their power.
extension World {
    mutating func loseCards(_ name: String?, backAfter time: Duration?, _ source: SourceReference?) {
        for name in presentCards(name) {
            remove(name, source: source)
            if let time { schedule(.tap(name), after: time, source: source) }
        }
    }

    mutating func dropPower(_ name: String?) {
        for index in presentCards(name).compactMap(field.index) {
            field.cards[index].losePower()
            field.cards[index].engine.fieldRose()
        }
    }

    mutating func swapCard(_ name: String?, for other: String?, after gap: Duration, _ source: SourceReference?) {
        guard let name = presentCards(name).first else { return }
        swap(name, for: other ?? twin(of: name), after: gap, source: source)
    }

    mutating func addCard(_ other: String?, leavingAfter time: Duration?, _ source: SourceReference?) {
        guard let name = presentCards(nil).first else { return }
        let other = other ?? twin(of: name)
        tap(other, source: source)
        if let time { schedule(.remove(other), after: time, source: source) }
    }

    /// Returns the named card if it is present; without a name, all present cards.
    private func presentCards(_ name: String?) -> [String] {
        cards.filter { $0.isPresent && $0.name == name ?? $0.name }.map(\.name)
    }

    /// Returns the name of another card of the same kind; if `name` is such a card, the name of its model.
    private mutating func twin(of name: String) -> String {
        let prefix = Self.anotherPrefix
        if name.hasPrefix(prefix), card(named: String(name.dropFirst(prefix.count))) != nil {
            return String(name.dropFirst(prefix.count))
        }
        let twin = Self.nameOfAnother(name)
        if let engine = card(named: name)?.engine { add(engine.another(), named: twin) }
        return twin
    }

    private static let anotherPrefix = "another "

    /// Returns the name of the card that faults bring in place of a card.
    package static func nameOfAnother(_ name: String) -> String { anotherPrefix + name }

    /// A Boolean value that indicates whether a fault has brought an unnamed card.
    public var hasAnotherCard: Bool { cards.contains { $0.name.hasPrefix(Self.anotherPrefix) } }
}

/// A faulty byte of a card's memory.
struct FaultyCell: Sendable {
    /// The card, an index into those of the world.
    let card: Int
    let cell: Int
    let mask: UInt8
    /// The values of stuck bits.
    var value: UInt8 = 0
    /// The exchange before which worn bits flip.
    var turnsAt = Int.max
}

extension World {
    /// Makes programming fail in this exchange.
    mutating func failMemory() {
        guard !context.isMemoryFailing else { return }
        context.isMemoryFailing = true
        plans.aftermath.hasFailedMemory = true
    }

    /// Removes the cards' power while they program, after a percentage of the programming.
    mutating func tearWrites(after share: Int, backAfter time: Duration?, _ source: SourceReference?) {
        context.power = PowerBudget(percent: share)
        plans.aftermath.tear = FaultAftermath.Tear(backAfter: time, source: source)
    }

    /// Makes bits of the memory that a command writes stick from now on.
    mutating func stickCells(writtenBy command: RFFrame, bits: [UInt8], at level: StuckLevel) {
        for var cell in cells(writtenBy: command, bits) {
            cell.value =
                switch level {
                case .old: cards[cell.card].engine[cell: cell.cell]
                case .zero: 0
                case .one: .max
                }
            plans.aftermath.addStuck(cell)
        }
    }

    /// Makes bits of the memory that a command writes flip some exchanges later.
    mutating func wearCells(writtenBy command: RFFrame, bits: [UInt8], after exchanges: Int) {
        for var cell in cells(writtenBy: command, bits) {
            cell.turnsAt = exchangeCount + 1 + exchanges
            plans.aftermath.addWorn(cell)
        }
    }

    /// Returns the faulty bits of each page or block that a command will write.
    private func cells(writtenBy command: RFFrame, _ mask: [UInt8]) -> [FaultyCell] {
        let frame = command.bytes[...]
        var found: [FaultyCell] = []
        for card in cards.indices where cards[card].isPresent && cards[card].engine.hears(command.technology) {
            for unit in cards[card].engine.cells(writtenBy: frame.span) {
                found += zip(unit, mask).map { FaultyCell(card: card, cell: $0, mask: $1) }
            }
        }
        return found
    }

    /// Flips the worn bits that are due.
    mutating func turnWornCells() {
        for worn in plans.aftermath.takeWorn(by: exchangeCount) {
            field.cards[worn.card].engine[cell: worn.cell] ^= worn.mask
        }
    }

    /// Applies memory faults after the cards have carried out the command.
    ///
    /// - Parameter answers: The answers; cleared if power is lost.
    mutating func settleMemory(_ answers: inout [CardAnswerInField]) {
        for stuck in plans.aftermath.stuckCells {
            let taken = cards[stuck.card].engine[cell: stuck.cell] & ~stuck.mask
            field.cards[stuck.card].engine[cell: stuck.cell] = taken | stuck.value & stuck.mask
        }
        if plans.aftermath.hasFailedMemory {
            context.isMemoryFailing = false
            plans.aftermath.hasFailedMemory = false
        }
        guard let tear = plans.aftermath.tear else { return }
        plans.aftermath.tear = nil
        context.power = nil
        answers = []
        loseCards(nil, backAfter: tear.backAfter, tear.source)
    }
}
