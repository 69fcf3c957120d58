import TapCards
import TapWire
import TestSupport
import Testing

/// Bytes with CRC in and out must be the frames without it and the CRC that the kind of frame has, nothing else.
@Suite struct `Cards that hear bytes as they cross the air` {
    private static let rounds = TestScale.count(20_000)

    @Test func `FeliCa answers are those to the packet, with its checksum`() throws {
        let card = try FeliCaCard(CardS.definition)
        let commands = [
            Polling.Request(systemCode: .any).bytes,
            RequestSystemCode.Request(idm: CardS.definition.idm).bytes,
            RequestResponse.Request(idm: CardS.definition.idm).bytes,
        ].map(CRC16FeliCa.appending)
        checkAnswers(of: card, .felica212, commands) { bytes, _ in
            let (packet, integrity) = CRC16FeliCa.checking(bytes)
            return AirFrame(.felica212, packet, integrity: integrity)
        } onAir: { answer, _ in
            CRC16FeliCa.appending(to: answer.bytes)
        }
    }

    @Test func `type A answers are those to the frame, with CRC_A where there is one`() {
        let tag = SampleTags.t0()
        let frames = [
            ReadPages.Request(page: 4).bytes, GetVersion.Request().bytes, FastRead.Request(first: 0, last: 134).bytes,
        ]
        let selects = zip([CascadeLevel.first, .second], tag.uid.cascadeParts).map { Select.Request($0, $1).bytes }
        let commands = (selects + frames).map { TypeAFraming.onAir(command: AirFrame(.typeA106, $0)) }
        let calls = [ShortFrame.wupa.bytes, Anticollision.Request(.first).bytes]
        checkAnswers(of: NTAGCard(tag), .typeA106, commands + calls) { bytes, bitCount in
            TypeAFraming.command(onAir: bytes, bitCount: bitCount)
        } onAir: { answer, command in
            TypeAFraming.onAir(answer: answer, to: command)
        }
    }

    /// Sends whole, damaged and cut commands to two equal cards, one by each way, and compares all that comes of it.
    private func checkAnswers<Card: CardEngine>(
        of card: Card, _ technology: Technology, _ commands: [[UInt8]],
        frame: (_ bytes: [UInt8], _ bitCount: Int) -> AirFrame,
        onAir: (_ answer: AirFrame, _ command: AirFrame) -> [UInt8]
    ) {
        var random = TestRandom("on air \(technology)")
        var (plain, airborne) = (card, card)
        var buffer = FrameBuffer()
        var answered = 0
        for round in 0..<Self.rounds {
            if random.oneIn(20) {
                plain.fieldRose()
                airborne.fieldRose()
            }
            let (bytes, bitCount) = Self.damaged(random.pick(commands), technology, &random)
            var contexts = (
                CardContext(random: .init(seed: UInt64(round))), CardContext(random: .init(seed: UInt64(round)))
            )
            let command = frame(bytes, bitCount)
            let answer = plain.answer(
                command.bytes, bitCount: command.bitCount, integrity: command.integrity, context: &contexts.0)
            let slice = bytes[...]
            let reply = airborne.answer(
                onAir: slice.span, bitCount: bitCount, technology: technology, context: &contexts.1, into: &buffer)
            let comment: Comment = "\(Hex.text(bytes)):\(bitCount) in round \(round), seed \(TestSeed.value)"
            #expect(plain == airborne, comment)
            #expect(reply == answer?.reply ?? .silence, comment)
            guard let answer else { continue }
            answered += 1
            let sent = AirFrame(technology, answer.bytes, bitCount: answer.bitCount)
            #expect(buffer.bytes == onAir(sent, command), comment)
        }
        #expect(answered > Self.rounds / 10, "most commands are whole")
    }

    /// A command, now and then with a flipped bit or without its end.
    private static func damaged(
        _ command: [UInt8], _ technology: Technology, _ random: inout TestRandom
    ) -> (bytes: [UInt8], bitCount: Int) {
        var bytes = command
        if random.oneIn(5) { bytes[random.number(below: bytes.count)] ^= 1 << UInt8(random.number(below: 8)) }
        if random.oneIn(5) { bytes.removeLast(random.number(0...bytes.count)) }
        guard !technology.isFeliCa, bytes.count == 1 || random.oneIn(10), let last = bytes.indices.last else {
            return (bytes, bytes.count * 8)
        }
        bytes[last] &= 0x7F
        return (bytes, bytes.count * 8 - 1)
    }
}
