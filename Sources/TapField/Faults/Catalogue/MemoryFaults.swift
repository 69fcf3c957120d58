extension FaultCatalogue {
    static let mem: [FaultKind] = [
        FaultKind(
            "mem.tear", "Power is lost while the card programs its memory, and the card does not answer.",
            models: "The user takes the card away during a write.",
            [programmedShare, backAfter], scope: .commands("ntag.write", "felica.write"),
            variants: [[:], ["inside": .time(.percent(100))]], origin: .person,
            effect: .field(
                at: { _ in .afterCommand },
                { world, injection in
                    world.tearWrites(
                        after: injection[programmedShare].value, backAfter: injection[backAfter], injection.source)
                })),
        FaultKind(
            "mem.fail", "The memory cannot be programmed this time, and the card reports it.",
            models: "The charge pump of the memory does not reach its voltage at the edge of the field.",
            scope: .commands("ntag.write", "felica.write"),
            effect: .field(at: { _ in .afterCommand }, { world, _ in world.failMemory() })),
        FaultKind(
            "mem.stuck", "From this write on, bits of the page or block can no longer be changed.",
            models: "Cells at the end of their life keep their value, or always read the same.",
            [stuckBits, stuckLevel], scope: .commands("ntag.write", "felica.write"),
            effect: .field(
                at: { _ in .afterCommand },
                { world, injection in
                    world.stickCells(
                        writtenBy: injection.command, bits: injection[stuckBits], at: injection[stuckLevel])
                })),
        FaultKind(
            "mem.wear", "The write is acknowledged, but later reads back incorrectly.",
            models: "Cells that were written too often lose their charge after a while.",
            [wornBits, exchangesBefore], scope: .commands("ntag.write", "felica.write"),
            effect: .field(
                at: { _ in .afterCommand },
                { world, injection in
                    world.wearCells(
                        writtenBy: injection.command, bits: injection[wornBits], after: injection[exchangesBefore])
                })),
    ]

    private static let programmedShare = FaultKey(
        "inside", .share(0...100), default: Percentage(50),
        "The share of the programming that is done: 0% is none of it, 50% is erased, 100% is all of it.")
    private static let backAfter = FaultKey<Duration?>(
        "back_in", .duration, "The time after which the card returns. If omitted, it stays away.")
    private static let stuckBits = FaultKey(
        "bits", .bytes(1...16), default: [0xFF],
        "The affected bits, as a mask for the first bytes of each page or block written; FF is a whole byte.")
    private static let stuckLevel = FaultKey(
        "at", default: StuckLevel.old, "The value of the bits: their old value, zeros or ones.")
    private static let wornBits = FaultKey(
        "bits", .bytes(1...16), default: [0x01],
        "The bits that flip, as a mask for the first bytes of each page or block written.")
    private static let exchangesBefore = FaultKey(
        "after", .integer(0...1_000_000), default: 0, "The number of exchanges before the bits flip.")
}

enum StuckLevel: String, CaseIterable {
    case old
    case zero
    case one
}
