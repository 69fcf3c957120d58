import TapCards
import TapCrypto
import TapWire
import TestSupport
import Testing

/// The reader's side of a session, with the keys of sample card S or of its AES node.
struct SessionReader {
    static let challenge = [UInt8](0...15)

    let channel: FeliCaSecureChannel
    let isDES: Bool
    var number: UInt16 = 0

    /// Authenticates with DES keys, for the services 0048, 0088 and the given services without keys.
    static func des(_ card: inout FeliCaCard, free: [UInt16] = []) throws -> SessionReader {
        let handshake = FeliCaDESHandshake(
            groupKeys: [0x1122_3344_5566_7788, key(0xA0), key(0xB0)], userKeys: [key(0xC0), key(0xD0)],
            idm: CardS.definition.idm.rawValue)
        let services = [0x0048, 0x0088] + free
        let request = Authentication1.Request(
            idm: CardS.definition.idm, areas: [NodeCode(0), NodeCode(0x0040)], services: services.map(NodeCode.init),
            challenge: FeliCaHandshake.des(handshake).sealByReader(Array(challenge.prefix(8))))
        return try begin(.des(handshake), &card, request.bytes, 18) {
            Authentication2.Request(idm: CardS.definition.idm, challenge: $0).bytes
        }
    }

    /// Authenticates with AES keys, for the service 1008 with a zero key.
    static func aes(_ card: inout FeliCaCard) throws -> SessionReader {
        let handshake = FeliCaAESHandshake(
            keys: [Array(repeating: 0, count: 16)], idm: CardS.definition.idm.rawValue, challenge3: [0, 0, 0, 0])
        let request = Authentication1V2.Request(
            idm: CardS.definition.idm, nodes: [NodeCode(0x1008)], challenge: handshake.sealByReader(challenge))
        return try begin(.aes(handshake), &card, request.bytes, 26) {
            Authentication2V2.Request(idm: CardS.definition.idm, challenge: $0).bytes
        }
    }

    static func key(_ first: UInt8) -> UInt64 { (0..<8).reduce(0) { $0 << 8 | UInt64(first + UInt8($1)) } }

    private static func begin(
        _ handshake: FeliCaHandshake, _ card: inout FeliCaCard, _ first: [UInt8], _ offset: Int,
        _ second: ([UInt8]) -> [UInt8]
    ) throws -> SessionReader {
        var context = CardContext(random: SeededGenerator(seed: 1))
        let answer = try #require(card.answer(first, context: &context)).bytes
        let sealed = Array(answer[offset..<offset + handshake.challengeLength])
        let challenge2 = handshake.openFromCard(sealed)
        #expect(card.mode == .mode1)
        _ = try #require(card.answer(second(handshake.sealByReader(challenge2)), context: &context))
        #expect(card.mode == .mode2)
        let channel = handshake.channel(challenge1: challenge, challenge2: challenge2)
        return SessionReader(channel: channel, isDES: handshake.challengeLength == 8)
    }

    var readCode: CommandCode { isDES ? .secureRead : .secureReadV2 }
    var writeCode: CommandCode { isDES ? .secureWrite : .secureWriteV2 }

    /// Packs a payload with the next number.
    mutating func packet(_ code: CommandCode, _ payload: String) throws -> [UInt8] {
        number += 1
        return try packet(code, payload, number)
    }

    func packet(_ code: CommandCode, _ payload: String, _ number: UInt16) throws -> [UInt8] {
        let body = channel.seal(try Hex.bytes(compact(payload)), code: code.first, number: number)
        return SecureFrame(code: code, body: body).bytes
    }

    /// The payload of the card's answer in hexadecimal, including padding; `-` for silence.
    mutating func answer(of card: inout FeliCaCard, _ code: CommandCode, _ payload: String) throws -> String {
        var context = CardContext(random: SeededGenerator(seed: 1))
        guard let answer = card.answer(try packet(code, payload), context: &context) else { return "-" }
        let frame = try SecureFrame(parsing: answer.bytes)
        #expect(frame.code == code.response)
        let opened = try #require(channel.open(frame.body, code: frame.code.first))
        #expect(opened.number == number + 1)
        number = opened.number
        return Hex.text(opened.bytes)
    }
}

@Suite struct `FeliCa sessions` {
    /// Sample card S with a profile that has AES commands, and a service 1008 with an AES key.
    static func card(_ change: (inout FeliCaCardDefinition) -> Void = { _ in }) throws -> FeliCaCard {
        var definition = CardS.definition
        definition.profile.supportedCommands = FeliCaCommandSet.aes.union(.macOption)
        definition.systems[0].services.append(
            FeliCaServiceDefinition(
                NodeCode(0x1008), keys: FeliCaKeys(desVersion: nil, aesVersion: 1), blocks: []))
        change(&definition)
        return try FeliCaCard(definition)
    }

    private static let block7 = String(repeating: "77", count: 16)

    /// Payloads of commands and of the card's answers, on services 0048, 0088, 1009, 104D, 1093, 1095.
    static let exchanges: [(isWrite: Bool, payload: String, answer: String)] = [
        (false, "01 8000", "0000 01 000102030405060708090A0B0C0D0E0F"),
        (false, "00", "FFA2"), (false, "0D" + String(repeating: "8000", count: 13), "FFA2"),
        (false, "04 8000 8000 8000 00", "FFAC"), (false, "01 8009", "01A8"), (false, "01 8600", "01A3"),
        (false, "01 9000", "01A7"), (false, "01 C000", "01A7"),
        (false, "02 8000 8300", "0000 02 000102030405060708090A0B0C0D0E0F 03030303030303030303030303030303"),
        (true, "01 8001 \(block7)", "0000"), (false, "01 8001", "0000 01 \(block7)"),
        (true, "00", "FFA2"), (true, "01 8001 7777", "FFAC"), (true, "02 8001 8009 \(block7)\(block7)", "02A8"),
        (true, "01 B001 \(block7)", "01A7"),
        (true, "02 8300 8300 \(block7)\(block7)", "0000"), (true, "01 8301 \(block7)", "01A5"),
        (true, "01 8500 96000000 0000000000000000 00000001", "0000"),
        (true, "01 8500 FFFFFFFF 0000000000000000 00000002", "0101"),
        (true, "01 9400 64000000 0000000000000000 00000003", "0000"),
        (true, "01 9500 01000000 0000000000000000 00000004", "01A5"),
        (false, "01 8500", "0000 01 B6030000 00000000 55667788 00000003"),
    ]

    @Test func `reads and writes in a DES session follow the rules of services`() throws {
        var card = try Self.card()
        var reader = try SessionReader.des(&card, free: [0x1009, 0x104D, 0x1093, 0x1095])
        for (isWrite, payload, expected) in Self.exchanges {
            let code = isWrite ? reader.writeCode : reader.readCode
            let answer = try reader.answer(of: &card, code, payload)
            #expect(answer.hasPrefix(compact(expected)), "\(payload): \(answer)")
        }
        #expect(card.mode == .mode2)
    }

    @Test func `an AES session writes data but changes no keys`() throws {
        var card = try Self.card()
        var reader = try SessionReader.aes(&card)
        #expect(try reader.answer(of: &card, .secureWriteV2, "01 8003 \(Self.block7)") == "0000")
        #expect(try reader.answer(of: &card, .secureReadV2, "01 8003") == compact("0000 01 \(Self.block7)"))
        #expect(try reader.answer(of: &card, .secureWriteV2, "01 C004 \(Self.block7)") == "01A7")
        #expect(try reader.answer(of: &card, .secureReadV2, "01 8004") == "01A8")
    }

    /// The card must ignore each packet that does not belong to its session.
    @Test(arguments: [true, false])
    func `an invalid packet changes nothing, and the session continues`(_ isDES: Bool) throws {
        var card = try Self.card()
        var reader = isDES ? try SessionReader.des(&card) : try SessionReader.aes(&card)
        let good = try reader.packet(reader.readCode, "01 8000")
        var context = CardContext(random: SeededGenerator(seed: 1))
        _ = try #require(card.answer(good, context: &context))
        let before = card
        let next = try reader.packet(reader.readCode, "01 8000", 3)
        var hostile = [
            good, try reader.packet(reader.readCode, "01 8000", 2), try reader.packet(reader.readCode, "01 8000", .max),
        ]
        for index in 2..<next.count {
            var damaged = next
            damaged[index] ^= 0x80
            hostile.append(damaged)
        }
        for count in 2..<next.count {
            hostile.append([UInt8(count)] + next[1..<count])
            hostile.append([UInt8(next.count)] + next[1..<count])
        }
        hostile.append([UInt8(next.count + 8)] + next[1...] + Array(repeating: 0, count: 8))
        let others: [CommandCode] = [
            .secureRead, .secureWrite, .secureReadV2, .secureWriteV2, .deleteKey, CommandCode(0x82),
        ]
        for code in others where code != reader.readCode { hostile.append([next[0], code.first] + next[2...]) }
        for packet in hostile {
            #expect(card.answer(packet, context: &context) == nil, "\(Hex.text(packet))")
            try #require(card == before, "\(Hex.text(packet))")
        }
        #expect(card.answer(next, context: &context) != nil)
    }

    @Test func `transaction numbers may skip, and the last number is not answered`() throws {
        var card = try Self.card()
        var reader = try SessionReader.des(&card)
        reader.number = 0x00FF
        #expect(try reader.answer(of: &card, .secureRead, "01 8000") != "-")
        reader.number = 0xFFFD
        #expect(try reader.answer(of: &card, .secureRead, "01 8000") != "-")
        reader.number = 0xFFFE
        #expect(try reader.answer(of: &card, .secureRead, "01 8000") == "-")
    }

    @Test func `issuer commands are rejected inside the encryption, or not answered`() throws {
        for (isDES, code) in [
            (true, CommandCode(0x80)), (true, CommandCode(0x8E)), (false, .deleteKey), (false, CommandCode(0x52)),
        ] {
            var card = try Self.card()
            var reader = isDES ? try SessionReader.des(&card) : try SessionReader.aes(&card)
            #expect(try reader.answer(of: &card, code, "0000").hasPrefix("FFC2"))
            #expect(card.mode == .mode2)
            var silent = try Self.card { $0.profile.issuerCommands = .silence }
            reader = isDES ? try SessionReader.des(&silent) : try SessionReader.aes(&silent)
            #expect(try reader.answer(of: &silent, code, "0000") == "-")
        }
    }

    /// Node lists for Authentication1: areas, services, and whether the card starts a session.
    static let lists: [(areas: [UInt16], services: [UInt16], isAnswered: Bool)] = [
        ([0x0000, 0x0040], [0x0048, 0x0088], true), ([0x0000], [0x0048], true), ([0x0040], [0x0048], true),
        ([0x0000, 0xFFFF], [0x0048], true), ([0x0000], [0xFFFF], true), ([0x0000], [0x0040], true),
        ([0x0000], [0x0048, 0x1009, 0x008B], true), ([0x0000, 0x0000], [0x0048, 0x0048], true),
        ([0x0800], [0x0048], true), ([], [0x0048], false), ([0x0000], [], false), ([0xFFFF], [0x0048], false),
        ([0x0000, 0x0048], [0x0048], false), ([0x0048], [0x0048], false), ([0x0000], [0x008B], false),
        ([0x0000], [0x1009, 0x0048], false), ([0x0000], [0x0148], false), ([0x0000, 0x0100], [0x0048], false),
        ([0x0000], [0x1008], false), (Array(repeating: 0, count: 33), [0x0048], false),
        ([0x0000], Array(repeating: 0x0048, count: 33), false), ([0x0000], Array(repeating: 0x0048, count: 32), true),
    ]

    @Test(arguments: lists)
    func `Authentication1 accepts node lists that follow the rules`(
        _ list: (areas: [UInt16], services: [UInt16], isAnswered: Bool)
    ) throws {
        var card = try Self.card()
        let request = Authentication1.Request(
            idm: CardS.definition.idm, areas: list.areas.map(NodeCode.init), services: list.services.map(NodeCode.init),
            challenge: Array(repeating: 1, count: 8))
        let before = card
        #expect((try card.answer(Authentication1.self, request) != nil) == list.isAnswered)
        if !list.isAnswered { #expect(card == before) } else { #expect(card.mode == .mode1) }
    }

    @Test func `a chip can require the whole path of areas`() throws {
        for (areas, isAnswered) in [([0x0000, 0x0040], true), ([0x0000], false), ([0x0040], false)]
            as [([UInt16], Bool)]
        {
            var card = try Self.card { $0.profile.authNodePath = .full }
            let request = Authentication1.Request(
                idm: CardS.definition.idm, areas: areas.map(NodeCode.init), services: [NodeCode(0x0048)],
                challenge: Array(repeating: 1, count: 8))
            #expect((try card.answer(Authentication1.self, request) != nil) == isAnswered)
            var open = try Self.card()
            var context = CardContext(random: SeededGenerator(seed: 1))
            #expect(open.answer(request.bytes, context: &context) != nil)
            #expect(context.reliance.facts.contains(.authNodePath) == !isAnswered)
        }
    }

    @Test(
        arguments: [
            ([0x1008], true), ([0x1008, 0x1009], true), ([0x1009, 0x1008], false), ([0x1009], false), ([], false),
            ([0x0048], false), ([0x1008, 0x1108], false), (Array(repeating: 0x1008, count: 16), true),
            (Array(repeating: 0x1008, count: 17), false),
        ] as [([UInt16], Bool)])
    func `Authentication1 v2 accepts node lists that follow the rules`(_ nodes: [UInt16], _ isAnswered: Bool) throws {
        var card = try Self.card()
        var request = Authentication1V2.Request(
            idm: CardS.definition.idm, nodes: nodes.map(NodeCode.init), challenge: Array(repeating: 1, count: 16))
        #expect((try card.answer(Authentication1V2.self, request) != nil) == isAnswered)
        request.parameter = 1
        #expect(try card.answer(Authentication1V2.self, request) == nil)
    }

    @Test func `a key package changes key and version, and the change persists`() throws {
        var card = try Self.card()
        var reader = try SessionReader.des(&card)
        let package = FeliCaKeyPackage(
            newKey: SessionReader.key(0x10), version: 4, oldKey: SessionReader.key(0xC0),
            parentKey: SessionReader.key(0xB0))
        let data = Hex.text(package.bytes)
        for (payload, status) in [
            ("01 C005 \(data)", "01AA"), ("02 C004 8001 \(data)\(Self.block7)", "02A7"), ("01 C204 \(data)", "01A3"),
            ("01 C104 \(data)", "01AA"),
        ] {
            let before = card.definition
            #expect(try reader.answer(of: &card, .secureWrite, payload).hasPrefix(status))
            #expect(card.definition == before)
        }
        #expect(try reader.answer(of: &card, .secureWrite, "01 C004 \(data)").hasPrefix("0000"))
        #expect(try card.answer(hex: "0D0201010A1020304050014800") == "0D0301010A1020304050010400")
        #expect(
            card.definition.systems[0].services[0].keys
                == FeliCaKeys(
                    desVersion: 4, desKey: Array(0x10...0x17)))
        let kept = try FeliCaCard(card.definition)
        #expect(kept.definition == card.definition)
    }

    @Test func `Authentication2 can be repeated, and the numbers continue`() throws {
        var card = try FeliCaCard(CardS.definition)
        var context = CardContext(random: SeededGenerator(seed: 1))
        for id in ["S103", "S109", "S111"] {
            let vector = try #require(VectorS.all.first { $0.id == id })
            _ = try #require(card.answer(vector.command, context: &context))
        }
        let again = try #require(VectorS.all.first { $0.id == "S109" })
        let answer = try #require(card.answer(again.command, context: &context)).bytes
        let channel = FeliCaHandshake.des(
            FeliCaDESHandshake(groupKeys: [], userKeys: [], idm: 0)
        ).channel(challenge1: Array(1...8), challenge2: Array(0x11...0x18))
        #expect(channel.open(Array(answer[2...]), code: 0x13)?.number == 2)
    }

    @Test func `a session ends with power-off, Reset Mode or a switch to another system`() throws {
        for end in ["0C3E01010A10203040500000", "0600FE000000", "0A0411010A1020304050", "power"] {
            var card = try Self.card()
            var reader = try SessionReader.des(&card)
            if end == "power" { card.fieldFell() } else { #expect(try card.answer(hex: end) != "-") }
            #expect(try reader.answer(of: &card, .secureRead, "01 8000") == "-")
        }
    }

    @Test func `a session with DES keys of 16 bytes is rejected as unpublished`() throws {
        var definition = CardS.definition
        definition.systems[0].keys.desKey = [UInt8](repeating: 1, count: 16)
        var card = try FeliCaCard(definition)
        var context = CardContext(random: SeededGenerator(seed: 1))
        let request = Authentication1.Request(
            idm: definition.idm, areas: [.root], services: [NodeCode(0x0048)], challenge: Array(0..<8))
        #expect(card.answer(request.bytes, context: &context) == nil)
        #expect(context.reliance.unpublished == .authentication1)
        #expect(card.mode == .mode0)
    }

    @Test func `silence for wrong nodes does not count as unpublished behaviour`() throws {
        var card = try CardS.card()
        var context = CardContext(random: SeededGenerator(seed: 1))
        let request = Authentication1.Request(
            idm: CardS.definition.idm, areas: [.root], services: [NodeCode(0x0148)], challenge: Array(0..<8))
        #expect(card.answer(request.bytes, context: &context) == nil)
        #expect(context.reliance.unpublished == nil)
    }

    @Test func `a torn write inside a session writes nothing`() throws {
        var card = try Self.card()
        var reader = try SessionReader.des(&card)
        let packet = try reader.packet(.secureWrite, "01 8001 \(Self.block7)")
        let slice = packet[...]
        #expect(card.cells(writtenBy: slice.span) == [16..<32])
        let before = card
        var context = CardContext(random: SeededGenerator(seed: 1), power: PowerBudget(percent: 50))
        #expect(card.answer(packet, context: &context) == nil)
        #expect(card == before)
    }

    @Test func `random payloads and damaged packets neither trap nor end the session`() throws {
        var random = TestRandom()
        for isDES in [true, false] {
            var card = try Self.card()
            var reader =
                isDES ? try SessionReader.des(&card, free: [0x1009, 0x104D, 0x1093]) : try SessionReader.aes(&card)
            let codes: [CommandCode] =
                isDES
                ? [.secureRead, .secureWrite, CommandCode(0x84)] : [.secureReadV2, .secureWriteV2, .setNodeProperty]
            for _ in 0..<TestScale.count(4_000) {
                let count = random.number(below: 16)
                let elements = (0..<count).flatMap { _ in [0x80 | random.byte() & 0x47, random.byte() & 3] }
                let plausible = [UInt8(count)] + elements + random.bytes(16 * random.number(below: 12))
                let payload = random.oneIn(3) ? random.bytes(random.number(below: 232)) : Array(plausible.prefix(232))
                let code = random.pick(codes)
                let before = card
                if random.oneIn(3) {
                    var packet = try reader.packet(code, Hex.text(payload), reader.number + 1)
                    packet[random.number(2...packet.count - 1)] ^= 1 << UInt8(random.number(below: 8))
                    var context = CardContext(random: SeededGenerator(seed: 1))
                    #expect(card.answer(packet, context: &context) == nil, "seed \(TestSeed.value)")
                    try #require(card == before, "seed \(TestSeed.value)")
                } else {
                    if reader.number > 0xFF00 {
                        reader = isDES ? try .des(&card, free: [0x1009, 0x104D, 0x1093]) : try .aes(&card)
                    }
                    let answer = try reader.answer(of: &card, code, Hex.text(payload))
                    try #require(answer != "-", "seed \(TestSeed.value)")
                    if !answer.hasPrefix("00") || code == codes[0] {
                        #expect(card.hasSameMemory(as: before), "seed \(TestSeed.value)")
                    }
                }
            }
        }
    }
}
