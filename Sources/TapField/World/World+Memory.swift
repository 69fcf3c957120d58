import TapCards
import TapWire

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
