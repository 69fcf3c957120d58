import TapCards
import TapField
import TapReaders
import TapWire
import TestSupport
import Testing

/// What a host gets of one answer, with one fault in the exchange that carries it.
@Suite struct `Faults of readers` {
    /// A model, a fault and what comes of reading page 4 with it.
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
        Row(model: .storageCard, fault: "reader.previous_answer", command: page, answer: "04A23B5C6D7E809000"),
        Row(model: .storageCard, fault: "reader.no_card", command: page, answer: "no card"),
        Row(model: .storageCard, fault: "reader.failed", command: page, answer: "failed"),
        Row(model: .acr122u, fault: "reader.status_word", command: page, answer: "6300"),
        Row(model: .acr122u, fault: "reader.chip_status", command: direct, answer: "D541019000"),
        Row(model: .rcs300, fault: "reader.no_data", command: page, answer: "9000"),
    ]

    @Test(arguments: rows) func `change what the host gets, once`(row: Row) throws {
        let fault = Fault(try #require(FaultCatalogue.named(row.fault)))
        let trigger = EventTrigger.command(try #require(CommandName("ntag.read")))
        var world = World(seed: 1, plan: FaultPlan([.init(fault, when: trigger)]), trace: Trace())
        world.add(NTAGCard(SampleTags.t0()), named: "tag")
        world.tap("tag")
        var reader = row.model.makeReader()
        _ = reader.look(in: &world)
        _ = reader.carry([0xFF, 0xCA, 0, 0, 0], in: &world)
        let command = try Hex.bytes(row.command)
        #expect(ReaderBench.text(reader.carry(command, in: &world)) == row.answer)
        #expect(world.plan.unmet.isEmpty)
        let again = ReaderBench.text(reader.carry(command, in: &world))
        #expect(again.hasSuffix("9000") && again.contains("0314D101"), "the second time it got \(again)")
    }
}
