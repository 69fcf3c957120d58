import TapCards
import TapCrypto
import TapWire
import TestSupport
import Testing

/// A card and the reader's side of a session with it.
struct LiteReader {
    var card: FeliCaLiteCard
    private(set) var keys: LiteSession?

    init(_ definition: FeliCaLiteDefinition) {
        card = FeliCaLiteCard(definition)
    }

    /// The status flags of a write; `nil` for silence.
    mutating func write(_ block: UInt16, _ content: BlockData, macA: BlockData? = nil) throws -> StatusFlags? {
        let request = WriteWithoutEncryption.Request(
            idm: card.idm, services: [NodeCode(0x0009)],
            blocks: ([block] + (macA == nil ? [] : [0x91])).map { BlockListElement(blockNumber: $0) },
            data: [content] + (macA.map { [$0] } ?? []))
        return try answer(request.bytes).map { try WriteWithoutEncryption.Response(parsing: $0).status }
    }

    mutating func read(_ blocks: [UInt16], service: UInt16 = 0x000B) throws -> ReadWithoutEncryption.Response? {
        let request = ReadWithoutEncryption.Request(
            idm: card.idm, services: [NodeCode(service)], blocks: blocks.map { BlockListElement(blockNumber: $0) })
        return try answer(request.bytes).map { try ReadWithoutEncryption.Response(parsing: $0) }
    }

    mutating func answer(_ bytes: [UInt8]) -> [UInt8]? {
        var context = CardContext(random: SeededGenerator(seed: 1))
        return card.answer(bytes, context: &context)?.bytes
    }

    mutating func begin(
        _ key: BlockData = CardL.cardKey, challenge: BlockData = BlockData((1...16).map { UInt8($0) })
    ) throws {
        let status = try write(0x80, challenge)
        // A card with the matching switch warns about many writes.
        #expect(status == .success || status?.flag2 == 0x71)
        keys = LiteSession(cardKey: key.littleEndianHalves, challenge: challenge.littleEndianHalves)
    }

    /// A write with a correct MAC_A, for the card's write counter or another value.
    mutating func writeWithMAC(
        _ block: UInt16, _ content: BlockData, counter: UInt32? = nil
    ) throws -> StatusFlags? {
        let keys = try #require(keys)
        let counter = counter ?? card.writeCounter
        let mac = keys.macA(
            writing: UInt8(truncatingIfNeeded: block), content.littleEndianHalves, counter: counter)
        return try write(block, content, macA: LiteMACBlock(mac: mac, counter: counter).block)
    }

    mutating func authenticate() throws -> StatusFlags? {
        try writeWithMAC(0x92, BlockData([1]))
    }

    mutating func cyclePower() {
        card.fieldFell()
        card.fieldRose()
        keys = nil
    }
}

@Suite struct `FeliCa Lite-S sessions` {
    private static let content = BlockData(SIMD16(repeating: 0x3C))

    private static func card(_ change: (inout FeliCaLiteDefinition) -> Void = { _ in }) -> LiteReader {
        var definition = CardL.definition
        change(&definition)
        return LiteReader(definition)
    }

    private static func configuration(_ bytes: String) throws -> BlockData { BlockData(try Hex.bytes(compact(bytes))) }

    @Test func `external authentication needs RC, the key and the write counter`() throws {
        var reader = Self.card()
        #expect(try reader.write(0x92, BlockData([1]), macA: .zero) == StatusFlags(0x02, 0xB2))
        try reader.begin(.zero)
        #expect(try reader.authenticate() == StatusFlags(0x02, 0xB2))
        try reader.begin()
        #expect(
            try reader.writeWithMAC(0x92, BlockData([1]), counter: reader.card.writeCounter + 1)
                == StatusFlags(0x02, 0xB2))
        #expect(reader.card.stateName == "session")
        #expect(try reader.authenticate() == .success)
        #expect(reader.card.stateName == "authenticated")
        reader.cyclePower()
        #expect(reader.card.stateName == "no session")
    }

    @Test func `a card without MAC_A does not have the Lite-S blocks`() throws {
        var definition = CardL.definition(.lite)
        definition.profile = try #require(FeliCaLiteIC.named("FeliCa Lite")).profile
        var reader = LiteReader(definition)
        try reader.begin()
        for block: UInt16 in [0x90, 0x91, 0x92, 0xA0] {
            #expect(try reader.read([block])?.status == StatusFlags(0x01, 0xA8))
            #expect(try reader.write(block, .zero) == StatusFlags(0x01, 0xA8))
        }
        #expect(try reader.write(5, Self.content, macA: .zero) == StatusFlags(.blockCount))
        let mac = try #require(try reader.read([0x82, 0x81])?.blocks.last)
        let identification = BlockData(CardL.idm.rawValue.bigEndianBytes)
        let keys = try #require(reader.keys)
        let halves = identification.littleEndianHalves
        #expect(LiteMACBlock(mac).mac == keys.mac([halves.0, halves.1]))
    }

    @Test func `CK can be changed with MAC_A after the lock only if MC allows it`() throws {
        let key = BlockData(SIMD16(repeating: 0x5A))
        for (byte, status) in [("01", StatusFlags.success), ("00", StatusFlags(0x01, 0xA8))] {
            var reader = Self.card {
                $0.configurationBlock = (try? Self.configuration("FFFF 00 01 07 \(byte)")) ?? .zero
                $0.writeCounter = 0
            }
            try reader.begin()
            #expect(try reader.write(0x87, key) == StatusFlags(0x01, 0xA8), "without MAC_A")
            #expect(try reader.writeWithMAC(0x87, key) == status)
            #expect((reader.card.definition.cardKey == key) == status.isSuccess)
        }
        var refusing = Self.card {
            $0.configurationBlock = (try? Self.configuration("FFFF 00 01 07 01")) ?? .zero
            $0.writeCounter = 0
            $0.profile.liteCkWriteWithMacAfterLock = false
        }
        try refusing.begin()
        #expect(try refusing.writeWithMAC(0x87, key) == StatusFlags(0x01, 0xA8))
    }

    @Test func `the lock ends writes to system blocks and resets the write counter`() throws {
        var reader = Self.card()
        #expect(try reader.write(0x84, Self.content) == .success)
        #expect(try reader.write(0x88, Self.configuration("FFFF 00 01 07")) == .success)
        #expect(reader.card.writeCounter == 0)
        reader.cyclePower()
        for block: UInt16 in [0x82, 0x84, 0x86, 0x87] {
            #expect(try reader.write(block, .zero) == StatusFlags(0x01, 0xA8))
        }
        #expect(try reader.write(0x88, Self.configuration("FFFF FF 00 07")) == .success, "bits may still be cleared")
        reader.cyclePower()
        #expect(reader.card.definition.configurationBlock == (try Self.configuration("FFFF 00 01 07")))
        #expect(try reader.write(0x88, Self.configuration("FF7F 00 01 07")) == .success)
        reader.cyclePower()
        #expect(try reader.write(0x88, Self.configuration("0000 00 01 07")) == StatusFlags(0x01, 0xA8))
    }

    @Test func `MC_ALL values other than FF and 00 are rejected`() throws {
        var reader = Self.card()
        #expect(try reader.write(0x88, Self.configuration("FFFF 55 01 07")) == StatusFlags(0x01, 0xA8))
    }

    @Test func `writes with MAC_A fail once the write counter is used up`() throws {
        var reader = Self.card {
            $0.configurationBlock = (try? Self.configuration("FFFF 00 01 07")) ?? .zero
            $0.writeCounter = 0xFF_FDFF
        }
        try reader.begin()
        #expect(try reader.writeWithMAC(5, Self.content) == .success)
        #expect(try reader.writeWithMAC(5, Self.content) == StatusFlags(0x02, 0xB2))
        #expect(try reader.write(5, Self.content) == .success)
        #expect(reader.card.writeCounter == 0xFF_FE01)
        var warning = Self.card {
            $0.configurationBlock = (try? Self.configuration("FFFF 00 01 07")) ?? .zero
            $0.writeCounter = 0xFF_FD00
            $0.profile.liteWcntWarning = .nearEnd
        }
        #expect(try warning.write(5, Self.content) == StatusFlags(.rewriteWarning))
        #expect(try warning.read([5])?.blocks == [Self.content])
    }

    @Test func `a plain write of STATE authenticates unless MC or the switch prevents it`() throws {
        var plain = Self.card()
        #expect(try plain.write(0x92, BlockData([1])) == .success)
        #expect(plain.card.stateName == "authenticated")
        var strict = Self.card { $0.profile.liteStatePlainWrite = false }
        #expect(try strict.write(0x92, BlockData([1])) == .success)
        #expect(strict.card.stateName == "no session")
        var asking = Self.card {
            $0.configurationBlock = (try? Self.configuration("FFFF FF 01 07 00 0000 0000 0000 01")) ?? .zero
        }
        #expect(try asking.write(0x92, BlockData([1])) == StatusFlags(0x01, 0xA8))
        try asking.begin()
        #expect(try asking.authenticate() == .success)
    }

    @Test func `byte 8 of STATE silences Polling until power-off`() throws {
        var reader = Self.card()
        let polling = Polling.Request(systemCode: .any, requestCode: .none, timeSlot: 0).bytes
        var state = BlockData([1])
        state[8] = 1
        #expect(reader.answer(polling) != nil)
        #expect(try reader.write(0x92, state) == .success)
        #expect(reader.answer(polling) == nil)
        reader.cyclePower()
        #expect(reader.answer(polling) != nil)
    }

    @Test func `a new RC starts a new session and keeps external authentication unless the switch is set`() throws {
        var reader = Self.card()
        try reader.begin()
        _ = try reader.authenticate()
        try reader.begin()
        #expect(reader.card.stateName == "authenticated")
        var clearing = Self.card { $0.profile.liteRcClearsExtAuth = true }
        try clearing.begin()
        _ = try clearing.authenticate()
        try clearing.begin()
        #expect(clearing.card.stateName == "session")
    }

    @Test func `reading MAC before RC returns zeros or is rejected`() throws {
        var reader = Self.card()
        #expect(try reader.read([0, 0x81])?.blocks.last == .zero)
        var refusing = Self.card { $0.profile.liteMacWithoutRC = .refused }
        #expect(try refusing.read([0, 0x81])?.status == StatusFlags(0x02, 0xB2))
    }

    @Test func `the MAC of a FeliCa Link uses four bytes of the write counter`() throws {
        var definition = CardL.definition(.linkLiteS)
        definition.writeCounter = 0x0102_0304
        var reader = LiteReader(definition)
        try reader.begin()
        #expect(try reader.writeWithMAC(5, Self.content, counter: 0x02_0304) == StatusFlags(0x02, 0xB2))
        #expect(try reader.writeWithMAC(5, Self.content) == .success)
        #expect(try reader.read([0x90])?.blocks == [BlockData([0x05, 0x03, 0x02, 0x01])])
    }

    @Test func `Authentication1 is answered with zeros if the switch is set`() throws {
        let frame = try Hex.bytes("0A10" + "0102030405060708")
        var silent = Self.card()
        #expect(silent.answer(frame) == nil)
        var answering = Self.card { $0.profile.liteAuth1Dummy = .answer }
        #expect(
            answering.answer(frame).map { Hex.text($0) } == "1A110102030405060708" + String(repeating: "0", count: 32))
    }

    @Test func `Echo returns up to 75 bytes`() {
        var reader = Self.card()
        let echo = Echo.Request(data: Array(repeating: 7, count: 75)).bytes
        #expect(reader.answer(echo) == echo)
        #expect(reader.answer(Echo.Request(data: Array(repeating: 7, count: 76)).bytes) == nil)
    }

    @Test(arguments: [("FeliCa Plug", "FEE1"), ("FeliCa Link Plug", "FEE1"), ("FeliCa Link NFC-DEP", "FFFF")])
    func `a chip with a different block layout answers only Polling`(_ name: String, _ system: String) throws {
        let ic = try #require(FeliCaLiteIC.named(name))
        let definition = FeliCaLiteDefinition(
            ic.model, idm: CardL.idm, pmm: try #require(ic.pmm.value), profile: ic.profile)
        var reader = LiteReader(definition)
        #expect(reader.answer(try Hex.bytes("0600\(system)0000")) != nil)
        #expect(try reader.read([0]) == nil)
        #expect(try reader.write(0, .zero) == nil)
        #expect(reader.answer(Echo.Request(data: [1]).bytes) == nil)
    }

    @Test func `the definition of a used card creates the same card`() throws {
        var reader = Self.card()
        try reader.begin()
        _ = try reader.writeWithMAC(5, Self.content)
        _ = try reader.write(0x82, Self.content)
        let copy = FeliCaLiteCard(reader.card.definition)
        #expect(copy.definition == reader.card.definition)
        #expect(copy.writeCounter == 0xFF_FE02)
        #expect(copy.definition.pads[5] == Self.content)
    }

    @Test func `nothing is written without power or with failing memory`() throws {
        var reader = Self.card()
        let request = WriteWithoutEncryption.Request(
            idm: CardL.idm, services: [NodeCode(0x0009)], blocks: [BlockListElement(blockNumber: 5)],
            data: [Self.content])
        var torn = CardContext(random: SeededGenerator(seed: 1), power: PowerBudget(percent: 50))
        #expect(reader.card.answer(request.bytes, context: &torn) == nil)
        var failing = CardContext(random: SeededGenerator(seed: 1), isMemoryFailing: true)
        #expect(reader.card.answer(request.bytes, context: &failing).map { Hex.text($0.bytes.suffix(2)) } == "FF70")
        #expect(reader.card.hasSameMemory(as: FeliCaLiteCard(CardL.definition)))
    }

    @Test func `a changed, cut or replayed write with MAC_A does nothing, and the session continues`() throws {
        var reader = Self.card()
        try reader.begin()
        #expect(try reader.authenticate() == .success)
        let keys = try #require(reader.keys)
        let counter = reader.card.writeCounter
        let mac = keys.macA(writing: 5, Self.content.littleEndianHalves, counter: counter)
        let good = WriteWithoutEncryption.Request(
            idm: CardL.idm, services: [NodeCode(0x0009)], blocks: [5, 0x91].map { BlockListElement(blockNumber: $0) },
            data: [Self.content, LiteMACBlock(mac: mac, counter: counter).block]
        ).bytes
        // The last bytes of MAC_A, after the counter, have no meaning.
        var hostile = (1..<good.count - 4).flatMap { index in
            (0..<8).map { bit in
                var changed = good
                changed[index] ^= 1 << UInt8(bit)
                return changed
            }
        }
        hostile += (2..<good.count).flatMap { count in
            [[UInt8(count)] + good[1..<count], Array(good[..<count])]
        }
        let before = reader.card
        for packet in hostile {
            let answer = reader.answer(packet)
            // The changed packet may be a valid command, such as a Read, and be answered.
            #expect(answer.map { $0.count < 12 || $0[10...11] != [0, 0] } ?? true, "\(Hex.text(packet))")
            try #require(reader.card == before, "\(Hex.text(packet))")
        }
        let wrongMAC = [0x0C, 0x09] + CardL.idm.rawValue.bigEndianBytes + [0x02, 0xB2]
        #expect(reader.answer(good.dropLast(16) + [good[good.count - 16] ^ 1] + good.suffix(15)) == wrongMAC)
        #expect(reader.answer(good).map { Hex.text($0.suffix(2)) } == "0000")
        #expect(reader.answer(good) == wrongMAC)
        #expect(reader.card.stateName == "authenticated")
        #expect(reader.card.writeCounter == counter + 1)
    }

    @Test(arguments: [0x81, 0x91] as [UInt16])
    func `a changed answer gets a MAC for its new content`(_ macBlock: UInt16) throws {
        var reader = Self.card()
        try reader.begin()
        let request = ReadWithoutEncryption.Request(
            idm: CardL.idm, services: [NodeCode(0x000B)],
            blocks: [0x00, 0x01, macBlock].map { BlockListElement(blockNumber: $0) })
        let heard = reader.answer(request.bytes)
        let answer = try #require(heard)
        var opened = try #require(reader.card.opened(answer: answer, to: request.bytes))
        #expect(opened.packet == answer && opened.sealed(isFixed: true) == answer)
        opened.packet[20] ^= 0x01
        #expect(opened.sealed(isFixed: false) == opened.packet)
        let fitting = opened.sealed(isFixed: true)
        #expect(fitting != opened.packet && fitting[..<45] == opened.packet[..<45])
        let response = try ReadWithoutEncryption.Response(parsing: fitting)
        let halves = response.blocks[..<2].flatMap { [$0.littleEndianHalves.0, $0.littleEndianHalves.1] }
        let keys = try #require(reader.keys)
        let mac = macBlock == 0x81 ? keys.mac(halves) : keys.macA(reading: [0, 1], halves)
        #expect(LiteMACBlock(response.blocks[2]).mac == mac)
        reader.cyclePower()
        #expect(reader.card.opened(answer: answer, to: request.bytes) == nil)
    }
}
