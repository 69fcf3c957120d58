import TapCards
import TapWire

extension FaultCatalogue {
    static let mem: [FaultKind] = [
        FaultKind(
            "mem.tear", "Power is gone while the card programs its memory, and nothing is answered.",
            models: "A person takes the card away while it is written to.",
            [programmedShare, backAfter], scope: .commands("ntag.write", "felica.write"),
            variants: [[:], ["inside": .time(.percent(100))]],
            effect: .field(
                at: { _ in .afterCommand },
                { world, injection in
                    world.tearWrites(
                        after: injection[programmedShare].value, backAfter: injection[backAfter], injection.source)
                })),
        FaultKind(
            "mem.fail", "The memory cannot be programmed this time, and the card says so.",
            models: "The charge pump of the memory does not reach its voltage at the edge of the field.",
            scope: .commands("ntag.write", "felica.write"),
            effect: .field(at: { _ in .afterCommand }, { world, _ in world.failMemory() })),
        FaultKind(
            "mem.stuck", "From this write on, bits of the page or block do not take what is written.",
            models: "Cells at the end of their life keep what they hold, or always read the same.",
            [stuckBits, stuckLevel], scope: .commands("ntag.write", "felica.write"),
            effect: .field(
                at: { _ in .afterCommand },
                { world, injection in
                    world.stickCells(
                        writtenBy: injection.command, bits: injection[stuckBits], at: injection[stuckLevel])
                })),
        FaultKind(
            "mem.wear", "The write is acknowledged and later reads back wrong.",
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
        "How much of the programming is done: 0% is before it begins, 50% is erased, 100% is all of it.")
    private static let backAfter = FaultKey<Duration?>(
        "back_in", .duration, "After which time the card is back; without it, it stays away.")
    private static let stuckBits = FaultKey(
        "bits", .bytes(1...16), default: [0xFF],
        "Which bits of the first bytes of each page or block that is written: FF is all of a byte.")
    private static let stuckLevel = FaultKey(
        "at", default: StuckLevel.old, "What the bits are: what they were, zeros or ones.")
    private static let wornBits = FaultKey(
        "bits", .bytes(1...16), default: [0x01],
        "Which bits of the first bytes of each page or block that is written turn over.")
    private static let exchangesBefore = FaultKey(
        "after", .integer(0...1_000_000), default: 0, "How many exchanges read back what was written.")
}

enum StuckLevel: String, CaseIterable {
    case old
    case zero
    case one
}
