import TapField
import TapReaders
import TapWire
import TestSupport
import Testing

/// Every kind of command in every state a storage-card reader can be in.
@Suite struct `States and commands of the storage-card reader` {
    enum State: CaseIterable {
        case noCard, tag, refused, felica, gone, unpowered, session, fieldOff
    }

    private static func bench(in state: State) throws -> ReaderBench {
        let isFeliCa = state == .felica
        let cards = state == .noCard ? [] : [isFeliCa ? try TraceCards.felica() : try TraceCards.tag()]
        var bench = ReaderBench(StorageCardReader(), cards)
        switch state {
        case .noCard, .tag, .felica: break
        case .refused: _ = try bench.send("FFB000FF10")
        case .gone: bench.world.remove("tag")
        case .unpowered: bench.reader.powerDown(in: &bench.world)
        case .session: _ = try bench.send("FFC20000028100")
        case .fieldOff: _ = try bench.send("FFC200000481008300")
        }
        return bench
    }

    private static let commands = [
        "FFCA000000", "FFB0000404", "FFD6000A0401020304", "FFC2000002810000", "FFC20001049502300400",
        "FFC20002048F02000300", "00A40400",
    ]

    private static let page = "0310D1019000"
    private static let done = "C0030090009000"
    private static let uid = "04A1B2C3D4E5F69000"
    private static let sak = "C0030090008F01009000"
    private static let noCard = "no card"

    /// Answers in the order of ``commands``; the state is set up again for each command.
    private static let answers: [State: [String]] = [
        .noCard: Array(repeating: noCard, count: 7),
        .tag: [uid, page, "9000", done, "C003016F009000", "C003016F009000", "6E00"],
        .refused: [uid, page, "9000", done, "C003016F009000", "C003016F009000", "6E00"],
        .felica: ["02FE1122334455669000", "6B00", "6B00", done, "C003016F009000", "C003016F009000", "6E00"],
        // The reader has not looked yet.
        .gone: [uid, "6401", "6401", done, "C003016F009000", "C003016F009000", "6E00"],
        .unpowered: [uid, page, "9000", done, "C003016F009000", "C003016F009000", "6E00"],
        .session: [
            uid, page, "9000", done, "C0030090009201009602000097100310D1010C55046578616D706C652E6F9000", sak, "6E00",
        ],
        .fieldOff: [uid, page, "9000", done, "C0030164019000", sak, "6E00"],
    ]

    @Test(arguments: State.allCases)
    func `give the expected answers`(state: State) throws {
        let answers = try #require(Self.answers[state])
        for (command, answer) in zip(Self.commands, answers) {
            var bench = try Self.bench(in: state)
            #expect(try bench.send(command) == answer, "\(state): \(command)")
        }
    }
}
