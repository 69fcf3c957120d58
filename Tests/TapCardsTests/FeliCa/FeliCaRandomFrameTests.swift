import TapCards
import TapWire
import TestSupport
import Testing

/// Sends half a million frames to cards with several chips: no frame may trap, and every answer must be valid.
@Suite struct `FeliCa cards and random frames` {
    private static let framesPerCard = TestScale.count(75_000)
    private static let chips = [
        "vector-s", "RC-S914 export", "RC-S95x", "Octopus", "RC-SA20/1", "Mobile FeliCa 4.1", "every switch turned",
    ]

    @Test(arguments: chips)
    func `no frame traps a card, and all answers are valid`(_ chip: String) throws {
        let templates = try Self.definitions(of: chip).map(FeliCaTemplate.init)
        var random = TestRandom(chip)
        var frames = FrameMaker(templates[0].definition)
        var cards = templates.map(FeliCaCard.init)
        var buffer = FrameBuffer()
        var answers = 0
        for number in 0..<Self.framesPerCard {
            let frame = frames.next(&random)
            let which = number % cards.count
            if number % 64 == 0 { cards[which].mode = random.pick(FeliCaMode.allCases) }
            let before = cards[which]
            var context = CardContext(
                random: SeededGenerator(seed: random.next()), isMemoryFailing: random.number(below: 16) == 0)
            let slice = frame.bytes[...]
            let reply = cards[which].answer(
                slice.span, bitCount: frame.bitCount, integrity: frame.integrity, context: &context, into: &buffer)
            let problem = Self.problem(frame, reply, buffer, before, cards[which])
            try #require(
                problem == nil,
                "\(problem ?? "") \(Hex.text(frame.bytes)), frame \(number), seed \(TestSeed.value)")
            answers += reply == .silence ? 0 : 1
        }
        #expect(answers > Self.framesPerCard / 10, "most frames must not be noise")
    }

    /// Sends valid, damaged and made-up packets of a session, mixed with frames of all other kinds.
    @Test(arguments: ["DES", "AES"])
    func `no frame traps a card inside a session`(_ cipher: String) throws {
        var random = TestRandom(cipher)
        var card = try `FeliCa sessions`.card()
        var frames = FrameMaker(card.template.definition)
        var reader = SessionReader?.none
        var answers = 0
        var buffer = FrameBuffer()
        for number in 0..<TestScale.count(20_000) {
            if number % 32 == 0 {
                if number % 1_024 == 0 { card = try `FeliCa sessions`.card() }
                reader = cipher == "DES" ? try SessionReader.des(&card) : try SessionReader.aes(&card)
            }
            let frame =
                random.oneIn(2) ? frames.next(&random) : RFFrame(.felica212, try Self.packet(of: reader, &random))
            let before = card
            var context = CardContext(
                random: SeededGenerator(seed: random.next()), isMemoryFailing: random.oneIn(16))
            let slice = frame.bytes[...]
            let reply = card.answer(
                slice.span, bitCount: frame.bitCount, integrity: frame.integrity, context: &context, into: &buffer)
            let problem = Self.problem(frame, reply, buffer, before, card)
            try #require(
                problem == nil, "\(problem ?? "") \(Hex.text(frame.bytes)), frame \(number), seed \(TestSeed.value)")
            guard reply != .silence, Self.isSecure(slice.span) else { continue }
            answers += 1
            reader?.number += 2
        }
        #expect(answers > TestScale.count(100), "seed \(TestSeed.value)")
    }

    /// A packet with the next number of a session and some payload, often damaged; or noise after its code.
    private static func packet(of reader: SessionReader?, _ random: inout TestRandom) throws -> [UInt8] {
        let reader = try #require(reader)
        let code = random.pick([reader.readCode, reader.readCode, reader.writeCode])
        if random.oneIn(6) {
            let noise = random.bytes(random.number(below: 250))
            return [UInt8(noise.count + 2), code.first] + noise
        }
        let count = random.number(below: 4)
        let elements = (0..<count).flatMap { _ in [0x80 | random.byte() & 0x11, random.byte() & 3] }
        let data = code == reader.writeCode ? random.bytes(16 * count) : []
        var packet = try reader.packet(code, Hex.text([UInt8(count)] + elements + data), reader.number + 1)
        switch random.number(below: 6) {
        case 0: packet[random.number(2...packet.count - 1)] ^= 1 << (random.byte() & 7)
        case 1:
            packet.removeLast(random.number(1...packet.count - 2))
            packet[0] = UInt8(packet.count)
        default: break
        }
        return packet
    }

    private static func isSecure(_ packet: Span<UInt8>) -> Bool {
        CommandCode(of: packet).map { [.secureRead, .secureWrite, .secureReadV2, .secureWriteV2].contains($0) } ?? false
    }

    /// The error in an answer, or `nil` if it is valid.
    private static func problem(
        _ frame: RFFrame, _ reply: CardReply, _ buffer: borrowing FrameBuffer, _ before: FeliCaCard,
        _ after: FeliCaCard
    ) -> String? {
        let slice = frame.bytes[...]
        let code = CommandCode(of: slice.span)
        guard reply != .silence else { return after == before ? nil : "silence changes the card:" }
        let answer = buffer.bytes
        guard frame.integrity == .good, frame.bitCount == 8 * Int(frame.bytes[0]) else {
            return "a damaged frame is answered:"
        }
        guard let code, !code.isResponse else { return "a response is answered:" }
        guard answer.count == Int(answer[0]), answer.count <= FeliCaPacket.maximumLength,
            buffer.bitCount == 8 * answer.count
        else { return "LEN is wrong:" }
        let answerSlice = answer[...]
        guard CommandCode(of: answerSlice.span) == code.response else { return "the response code is wrong:" }
        if code != .echo, code != .getContainerID, code != .getContainerProperty, !isSecure(slice.span) {
            let idm = answer[2..<10].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            guard idm == after.template.definition.idm.ofSystem(after.currentSystem).rawValue else {
                return "the IDm is foreign:"
            }
        }
        guard !after.hasSameMemory(as: before) else { return nil }
        // Only the session shows whether its write succeeded.
        if code == .secureWrite || code == .secureWriteV2 { return nil }
        let isWrite = code == .writeWithoutEncryption && (answer[10] == 0 || answer[11] == 0x71)
        return isWrite ? nil : "memory changes without a successful write:"
    }

    /// Sample card S and the phone with a chip's profile, or with every switch set to a non-default value.
    private static func definitions(of chip: String) throws -> [FeliCaCardDefinition] {
        var profile = FeliCaProfile()
        if let ic = FeliCaIC.named(chip) {
            profile = ic.profile
        } else {
            profile = CardM.profile
            for (name, value) in [
                ("statusLocation", "bitmap"), ("countErrorPreference", "A2"), ("serviceCountErrors", "silence"),
                ("serviceListCheck", "eager"), ("requireAscendingLists", "true"), ("requestServiceBadCount", "answer"),
                ("maxReadBlocks", "15"), ("maxWriteBlocks", "13"), ("pollingReservedCodes", "silence"),
                ("randomSlot", "false"), ("encryptionListOrder", "both"), ("blockInfoArea", "free"),
                ("purseDirectRaise", "true"), ("warning71Flag1", "FF"), ("cyclicWriteBlockNonZero", "A8"),
                ("cutBlockList", "silence"), ("cutServiceList", "answer"), ("absentPINService", "A4"),
                ("purseCheckOrder", "inOrder"), ("limitedPurseAmount", "signed"), ("purseDirectSum", "checked"),
            ] { try profile.set(name, to: value) }
        }
        return [CardS.definition, CardM.definition].map { definition in
            var definition = definition
            definition.idm = CardS.definition.idm
            definition.profile = profile
            definition.rewriteLimit = 20
            definition.systems[0].services.append(FeliCaServiceDefinition(.withPIN, blocks: [.zero]))
            return definition
        }
    }
}

extension NodeCode {
    fileprivate static let withPIN = NodeCode(0x0129)
    fileprivate static let absentWithPIN = NodeCode(0x02EB)
}

/// Generates frames: noise, valid commands, and valid commands with an error.
private struct FrameMaker {
    private let idms: [IDm]
    private let nodes: [NodeCode]

    init(_ definition: FeliCaCardDefinition) {
        idms = definition.systems.indices.map(definition.idm.ofSystem)
        let codes = [CardS.definition, CardM.definition].flatMap(\.systems).flatMap { system in
            system.areas.map(\.code) + system.services.map(\.code)
        }
        nodes = codes + [.system, NodeCode(0x120B), NodeCode(0x1018), .withPIN, .absentWithPIN]
    }

    mutating func next(_ random: inout TestRandom) -> RFFrame {
        switch random.number(below: 8) {
        case 0: return noise(&random)
        case 1, 2: return RFFrame(.felica212, mutated(command(&random), &random))
        case 3:
            let integrity = random.pick([FrameIntegrity.badCRC, .badParity])
            return RFFrame(.felica212, command(&random), integrity: integrity)
        default: return RFFrame(.felica212, command(&random))
        }
    }

    private func noise(_ random: inout TestRandom) -> RFFrame {
        let bytes = random.bytes(random.number(below: 300))
        return RFFrame(
            .felica424, bytes, bitCount: random.number(below: bytes.count * 8 + 1),
            integrity: random.pick([.good, .badCRC, .badParity]))
    }

    /// A command in which some bytes are changed, added or missing, mostly with a corrected LEN.
    private func mutated(_ packet: [UInt8], _ random: inout TestRandom) -> [UInt8] {
        var packet = packet
        switch random.number(below: 4) {
        case 0: packet.removeLast(min(packet.count - 2, 1 + random.number(below: 3)))
        case 1: packet += random.bytes(1 + random.number(below: 4))
        default:
            let first = random.pick([1, 10, 10])
            for _ in 0...random.number(below: 2) where packet.count > first {
                packet[first + random.number(below: packet.count - first)] = random.any()
            }
        }
        if random.number(below: 8) != 0 { packet[0] = UInt8(truncatingIfNeeded: packet.count) }
        return packet
    }

    private func command(_ random: inout TestRandom) -> [UInt8] {
        let idm = random.pick(idms)
        switch random.number(below: 14) {
        case 0:
            let system = random.pick([SystemCode.any, .transit, .commonArea, SystemCode(random.any())])
            return Polling.Request(
                systemCode: system, requestCode: .init(random.any() & 3), timeSlot: random.any()
            ).bytes
        case 1: return RequestService.Request(idm: idm, nodes: nodeList(&random, upTo: 34)).bytes
        case 2: return RequestServiceV2.Request(idm: idm, nodes: nodeList(&random, upTo: 34)).bytes
        case 3: return SearchServiceCode.Request(idm: idm, index: random.any() & 0x1F).bytes
        case 4: return RequestBlockInformationEx.Request(idm: idm, nodes: nodeList(&random, upTo: 34)).bytes
        case 5:
            return GetNodeProperty.Request(
                idm: idm, type: .init(random.any() & 1), nodes: nodeList(&random, upTo: 17)
            ).bytes
        case 6:
            return RequestCodeList.Request(
                idm: idm, area: random.pick(nodes), packetIndex: random.any() & 3
            ).bytes
        case 7, 8: return plain(idm, &random)
        case 9, 10, 11:
            return ReadWithoutEncryption.Request(
                idm: idm, services: nodeList(&random, upTo: 17), blocks: random.list(upTo: 16) { Self.element(&$0) }
            ).bytes
        default:
            let blocks = random.list(upTo: 5) { Self.element(&$0) }
            return WriteWithoutEncryption.Request(
                idm: idm, services: nodeList(&random, upTo: 3), blocks: blocks,
                data: blocks.map { _ in BlockData(random.bytes(4) + random.bytes(12).map { $0 & 1 }) }
            ).bytes
        }
    }

    /// A command without lists.
    private func plain(_ idm: IDm, _ random: inout TestRandom) -> [UInt8] {
        switch random.number(below: 6) {
        case 0: Echo.Request(data: random.bytes(random.number(below: 253))).bytes
        case 1: GetContainerProperty.Request(index: random.any() & 3).bytes
        case 2: GetAreaInformation.Request(idm: idm, area: random.pick(nodes)).bytes
        case 3: GetContainerID.Request().bytes
        case 4: SetParameter.Request(idm: idm, encryptionType: random.any() & 3, packetType: random.any() & 1).bytes
        default:
            random.pick([
                RequestResponse.Request(idm: idm).bytes, RequestSystemCode.Request(idm: idm).bytes,
                GetSystemStatus.Request(idm: idm).bytes, RequestProductInformation.Request(idm: idm).bytes,
                RequestSpecificationVersion.Request(idm: idm).bytes, ResetMode.Request(idm: idm).bytes,
                GetContainerIssueInformation.Request(idm: idm).bytes,
            ])
        }
    }

    private func nodeList(_ random: inout TestRandom, upTo bound: Int) -> [NodeCode] {
        random.list(upTo: random.number(below: 4) == 0 ? bound : 2) { $0.pick(nodes) }
    }

    private static func element(_ random: inout TestRandom) -> BlockListElement {
        BlockListElement(
            serviceOrder: random.number(below: 4) == 0 ? random.any() & 3 : 0,
            accessMode: random.number(below: 4) == 0 ? random.any() & 1 : 0,
            blockNumber: random.any() & random.pick([0, 1, 0x1F, 0xFFFF]), isLong: random.number(below: 8) == 0)
    }
}
