import TapCards
import TapWire
import TestSupport
import Testing

/// Sends random frames to cards of the Lite family: no frame may trap, and every answer must be valid.
@Suite struct `FeliCa Lite cards and random frames` {
    private static let framesPerCard = TestScale.count(40_000)

    @Test(arguments: FeliCaLiteDefinition.Model.allCases, [false, true])
    func `no frame traps a card, and all answers are valid`(
        _ model: FeliCaLiteDefinition.Model, _ hasTurnedSwitches: Bool
    ) throws {
        var definition = CardL.definition(model)
        if hasTurnedSwitches { try Self.turn(&definition.profile) }
        var reader = LiteReader(definition)
        var random = TestRandom("\(model.rawValue) \(hasTurnedSwitches)")
        for number in 0..<Self.framesPerCard {
            if number % 512 == 0 {
                reader.cyclePower()
                if number % 1024 == 0 { reader.card = FeliCaLiteCard(definition) }
            }
            if number % 8 == 0, model.hasMACA, random.number(below: 2) == 0 {
                try reader.begin()
                _ = try reader.writeWithMAC(
                    random.pick([0, 5, 0x87, 0x92]), BlockData([1]),
                    counter: random.pick([reader.card.writeCounter, 0]))
            }
            let frame = Self.frame(&random)
            let before = reader.card
            let answer = reader.answer(frame)
            let problem = Self.problem(frame, answer, before, reader.card)
            try #require(problem == nil, "\(problem ?? "") \(Hex.text(frame)), seed \(TestSeed.value)")
        }
    }

    private static func turn(_ profile: inout FeliCaLiteProfile) throws {
        for entry in FeliCaLiteProfile.switches {
            guard let other = entry.listedValues.first(where: { $0 != entry.defaultValue }) else { continue }
            try profile.set(entry.name, to: other)
        }
    }

    private static func problem(
        _ frame: [UInt8], _ answer: [UInt8]?, _ before: FeliCaLiteCard, _ after: FeliCaLiteCard
    ) -> String? {
        guard let answer else { return before == after ? nil : "silence changes the card:" }
        guard answer.count == Int(answer[0]), answer.count <= FeliCaPacket.maximumLength else { return "LEN is wrong:" }
        guard !after.hasSameMemory(as: before) else { return nil }
        let isWrite = frame[1] == 0x08 && (answer[10] == 0 || answer[11] == 0x71)
        return isWrite ? nil : "memory changes without a successful write:"
    }

    private static func frame(_ random: inout TestRandom) -> [UInt8] {
        var packet = command(&random)
        switch random.number(below: 8) {
        case 0: packet.removeLast(min(packet.count - 2, 1 + random.number(below: 5)))
        case 1: packet += random.bytes(1 + random.number(below: 4))
        case 2:
            let first = random.pick([1, 10])
            if packet.count > first { packet[first + random.number(below: packet.count - first)] = random.any() }
        default: break
        }
        if random.number(below: 16) != 0 { packet[0] = UInt8(truncatingIfNeeded: packet.count) }
        return packet
    }

    private static func command(_ random: inout TestRandom) -> [UInt8] {
        let services = random.list(upTo: random.number(below: 8) == 0 ? 3 : 1) {
            $0.pick([NodeCode(0x0009), NodeCode(0x0009), NodeCode(0x000B), NodeCode(0x100B)])
        }
        let listed = services.isEmpty ? [NodeCode(0x0009)] : services
        switch random.number(below: 10) {
        case 0:
            return Polling.Request(
                systemCode: random.pick([.any, .lite, .ndef, SystemCode(random.any())]),
                requestCode: .init(random.any() & 3), timeSlot: random.any()
            ).bytes
        case 1: return Echo.Request(data: random.bytes(random.number(below: 90))).bytes
        case 2: return [0x0A, random.any() & 0xFE] + CardL.idm.rawValue.bigEndianBytes
        case 3...5:
            return ReadWithoutEncryption.Request(
                idm: CardL.idm, services: listed, blocks: random.list(upTo: 6) { element(&$0) }
            ).bytes
        default:
            let blocks = random.list(upTo: 3) { element(&$0) }
            return WriteWithoutEncryption.Request(
                idm: CardL.idm, services: listed, blocks: blocks,
                data: blocks.map { _ in BlockData(random.bytes(8).map { $0 | random.pick([0, 0xFF]) }) }
            ).bytes
        }
    }

    private static func element(_ random: inout TestRandom) -> BlockListElement {
        let numbers: [UInt16] = [
            0, 5, 13, 14, 15, 0x7F, 0x80, 0x81, 0x82, 0x83, 0x84, 0x86, 0x87, 0x88, 0x89, 0x90, 0x91, 0x91, 0x92, 0xA0,
            0x100,
        ]
        return BlockListElement(
            serviceOrder: random.number(below: 12) == 0 ? random.any() & 3 : 0,
            accessMode: random.number(below: 12) == 0 ? 1 : 0, blockNumber: random.pick(numbers))
    }
}
