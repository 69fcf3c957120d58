import TapCards
import TapField
import TapReaders
import TapWire
import TestSupport
import Testing

/// The result of a command for the host, with a fault in the exchange that carries it.
@Suite struct `Faults of readers` {
    /// A model, a fault and the result of reading page 4 with the fault.
    struct Row: Sendable, CustomTestStringConvertible {
        let model: ReaderModel
        let fault: String
        let command: String
        let answer: String
        var testDescription: String { "\(fault) on \(model.rawValue)" }
    }

    private static let page = "FFB0000404"
    /// READ of page 4 by InDataExchange, given to the chip of an ACR122U.
    private static let direct = "FF00000005D440013004"

    static let rows = [
        Row(model: .storageCard, fault: "reader.status_word", command: page, answer: "6300"),
        Row(model: .storageCard, fault: "reader.no_status_word", command: page, answer: "0314D101"),
        Row(model: .storageCard, fault: "reader.no_data", command: page, answer: "9000"),
        Row(model: .storageCard, fault: "reader.cut_data", command: page, answer: "0314D19000"),
        Row(model: .storageCard, fault: "reader.extra_data", command: page, answer: "0314D10100009000"),
        Row(model: .storageCard, fault: "reader.bytes", command: page, answer: "0314D1029000"),
        Row(model: .storageCard, fault: "reader.previous_answer", command: page, answer: "04A23B5C6D7E809000"),
        Row(model: .storageCard, fault: "reader.no_card", command: page, answer: "no card"),
        Row(model: .storageCard, fault: "reader.failed", command: page, answer: "failed"),
        Row(model: .acr122u, fault: "reader.status_word", command: page, answer: "6300"),
        Row(model: .acr122u, fault: "reader.chip_status", command: direct, answer: "D541019000"),
        Row(model: .rcs300, fault: "reader.no_data", command: page, answer: "9000"),
    ]

    @Test(arguments: rows) func `change the host's result once`(row: Row) throws {
        let fault = Fault(try #require(FaultCatalogue.named(row.fault)))
        var world = try Self.world(fault)
        var reader = row.model.makeReader()
        _ = reader.look(in: &world)
        _ = reader.carry([0xFF, 0xCA, 0, 0, 0], in: &world)
        let command = try Hex.bytes(row.command)
        #expect(ReaderBench.text(reader.carry(command, in: &world)) == row.answer)
        #expect(world.plan.unmet.isEmpty)
        let again = ReaderBench.text(reader.carry(command, in: &world))
        #expect(again.hasSuffix("9000") && again.contains("0314D101"), "the second time it got \(again)")
    }

    @Test func `keep the data before the changed status word if configured`() throws {
        let fault = Fault(
            try #require(FaultCatalogue.named("reader.status_word")),
            ["sw": .bytes([0x61, 0xFF]), "with_data": .flag(true)])
        var world = try Self.world(fault)
        var reader = ReaderModel.storageCard.makeReader()
        _ = reader.look(in: &world)
        #expect(ReaderBench.text(reader.carry(try Hex.bytes(Self.page), in: &world)) == "0314D10161FF")
    }

    /// READ of page 04 by InDataExchange on a line: the arguments of the fault, and the returned frame.
    private static let frames: [([String: FaultValue], String)] = [
        ([:], "0000FF13EDD541000314D1011055046578616D706C652E641A00"),
        (["add": .integer(0)], "0000FF13EDD541000314D1011055046578616D706C652E631B00"),
        (["at": .integer(3), "set": .bytes([0xFF])], "0000FFFF01D541000314D1011055046578616D706C652E631B00"),
        (
            ["at": .integer(3), "set": .bytes([0xFF]), "sums": .flag(false)],
            "0000FFFFEDD541000314D1011055046578616D706C652E631B00"
        ),
    ]

    @Test(arguments: frames) func `change one frame of a chip, with correct or wrong checksums`(
        arguments: [String: FaultValue], frame: String
    ) throws {
        var world = try Self.world(Fault(try #require(FaultCatalogue.named("reader.bytes")), arguments))
        var chip = WiredPN532(PN532())
        func answer(_ packet: String) throws -> String {
            chip.receive(PN532Frame.information(try Hex.bytes(packet)).bytes[...])
            var sent: [UInt8] = []
            while let action = chip.next() {
                if case .send(let bytes) = action { sent += bytes } else { chip.work(in: &world) }
            }
            return Hex.text(Array(sent.dropFirst(6)))
        }
        _ = try answer("D44A0100")
        #expect(try answer("D440013004") == frame)
        #expect(try answer("D440013004") == Self.frames[1].1, "the second time")
    }

    private static func world(_ fault: Fault) throws -> World {
        let trigger = EventTrigger.command(try #require(CommandName("ntag.read")))
        var world = World(seed: 1, plan: FaultPlan([.init(fault, when: trigger)]), trace: Trace())
        world.add(NTAGCard(SampleTags.t0()), named: "tag")
        world.tap("tag")
        return world
    }
}
