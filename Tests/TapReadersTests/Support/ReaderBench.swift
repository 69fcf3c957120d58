import TapCards
import TapField
import TapReaders
import TapWire
import TestSupport

/// A reader with test cards, controlled in hexadecimal.
struct ReaderBench {
    var reader: any PCSCReader
    var world = World(seed: 1, trace: Trace())

    /// Places cards in front of a reader and powers up its slot.
    init(_ reader: any PCSCReader, _ cards: [(name: String, engine: any CardEngine)]) {
        self.reader = reader
        for card in cards {
            world.add(card.engine, named: card.name)
            world.tap(card.name)
        }
        _ = reset()
    }

    mutating func reset() -> SlotContent { reader.reset(in: &world) }

    mutating func look() -> SlotContent { reader.look(in: &world) }

    /// The answer to an APDU in hexadecimal without blanks, or the outcome if there is no answer.
    mutating func send(_ command: String) throws -> String {
        Self.text(reader.transmit(try Hex.bytes(command), in: &world))
    }

    /// The answer to an escape command.
    mutating func escape(_ command: String, _ code: ControlCode = .vendorExchange) throws -> String {
        Self.text(reader.control(code.rawValue, try Hex.bytes(command), in: &world))
    }

    /// The ATR in hexadecimal, if there is a card.
    mutating func atr() -> String? {
        guard case .card(let card) = look() else { return nil }
        return Hex.text(card.atr)
    }

    static func text(_ answer: ReaderAnswer) -> String {
        switch answer {
        case .answer(let bytes): Hex.text(bytes)
        case .unsupported: "unsupported"
        case .noCard: "no card"
        case .failed: "failed"
        }
    }
}

/// The cards of the tests.
enum BenchCards {
    /// Sample card S: IDm 01010A1020304050, PMm 100B4B428485D0FF, systems 0003 and FE00.
    static func cardS() throws -> (name: String, engine: any CardEngine) { ("S", try CardS.card()) }

    /// The unprotected sample tag, UID 04A23B5C6D7E80.
    static func tag(_ definition: NTAGDefinition = SampleTags.t0()) -> (name: String, engine: any CardEngine) {
        ("T0", NTAGCard(definition))
    }
}
