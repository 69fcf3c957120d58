import TapClient
import TapField
import TapPCSC
import TapReaders
import TapWire
import TestSupport
import Testing

/// A reader with random answers, or a real reader's answers with some random ones.
private final class HostileChannel: CardChannel {
    let readerName: String
    private let base: ModelChannel
    private var random: TestRandom
    private let mischief: Int

    /// - Parameter mischief: One in this many answers is random.
    init(_ model: ReaderModel, in world: World, _ random: TestRandom, mischief: Int) {
        let reader = model.makeReader()
        readerName = reader.name
        base = ModelChannel(reader, in: world)
        self.random = random
        self.mischief = mischief
    }

    var atr: [UInt8] { random.oneIn(mischief) ? random.bytes(random.number(0...33)) : base.atr }
    var hasCard: Bool { base.hasCard }

    func awaitCard(timeout: Duration) throws(LinkError) -> Bool { try base.awaitCard(timeout: timeout) }

    func transmit(_ apdu: [UInt8]) throws(LinkError) -> [UInt8]? { spoil(try base.transmit(apdu)) }

    func control(_ code: ControlCode, _ data: [UInt8]) throws(LinkError) -> [UInt8]? {
        spoil(try base.control(code, data))
    }

    func reset() throws(LinkError) -> Bool { try base.reset() && !random.oneIn(mischief) }

    func close() { base.close() }

    private func spoil(_ answer: [UInt8]?) -> [UInt8]? {
        guard random.oneIn(mischief) else { return answer }
        var answer = answer ?? []
        switch random.number(below: 5) {
        case 0: return nil
        case 1: return random.bytes(random.number(0...300))
        case 2: return Array(answer.prefix(random.number(0...answer.count)))
        case 3: return answer + random.bytes(random.number(1...4))
        default:
            if !answer.isEmpty { answer[random.number(below: answer.count)] = random.byte() }
            return answer
        }
    }
}

@Suite struct `A reader that violates its protocol` {
    @Test(arguments: ReaderModel.allCases)
    func `makes a procedure fail, but causes no other harm`(model: ReaderModel) async throws {
        var random = TestRandom("hostile \(model)")
        for _ in 0..<TestScale.count(4) {
            for procedure in Procedure.allCases {
                for mischief in [1, 8, 60] {
                    let channel = HostileChannel(
                        model, in: try procedure.world(), TestRandom("\(random.next())"), mischief: mischief)
                    var reader = CardReader(PCSCLink(channel))
                    let outcome = await procedure.outcome(&reader)
                    reader.link.close()
                    #expect(!outcome.isEmpty)
                }
            }
        }
    }

    @Test(arguments: ReaderModel.allCases, [Procedure.transitCard, .protectedNDEF, .type3NDEF])
    func `loses a card at any exchange and reads it once it is back`(
        model: ReaderModel, procedure: Procedure
    ) async throws {
        var undisturbed = CardReader(VirtualLink(try procedure.world()))
        let expected = await procedure.outcome(&undisturbed)
        var count = 0
        while true {
            let channel = ModelChannel(model.makeReader(), in: try procedure.world())
            var left = count
            channel.beforeTransmit = { channel, _ in
                if left == 0 { channel.world.remove("card") }
                left -= 1
            }
            var reader = CardReader(PCSCLink(channel))
            let outcome = await procedure.outcome(&reader)
            guard left < 0 else {
                #expect(outcome == expected)
                return
            }
            #expect(
                outcome == expected || outcome.hasPrefix("noCard") || outcome.hasPrefix("silence"),
                "card lost before exchange \(count): \(outcome)")
            channel.beforeTransmit = nil
            channel.world.tap("card")
            #expect(await procedure.outcome(&reader) == expected, "card lost before exchange \(count)")
            count += 1
        }
    }
}
