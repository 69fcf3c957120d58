import FuzzSupport
import TapCrypto

@testable import TapCards
@testable import TapWire

/// A FeliCa card used by readers with the right keys: random frames never get past an authentication.
protocol KeyedCard: FeliCaEngine {
    /// Performs the next step that needs keys.
    static func keyedStep(_ bench: inout Bench<Self>, _ choices: inout Choices)
}

extension FeliCaCard: KeyedCard {
    /// Areas around the services of ``SampleCards/standard``, and services with keys.
    private static let areas: [NodeCode] = [NodeCode(0x0000), NodeCode(0x0040)]
    private static let nodes: [NodeCode] = [0x0048, 0x1009, 0x104D, 0x1091, 0x1095, 0x008B, 0x090F].map { NodeCode($0) }

    static func keyedStep(_ bench: inout Bench<FeliCaCard>, _ choices: inout Choices) {
        let kind = choices.byte()
        guard let session = bench.card.session.secure, kind & 0x0F > 1 else {
            return authenticate(&bench, &choices, isDES: kind & 1 == 0)
        }
        guard kind & 0x0F > 2 else { return prove(&bench, session) }
        let (isRead, count) = (kind & 0x10 == 0, 1 + choices.number(below: 4))
        var payload = [UInt8(count)]
        for _ in 0..<count {
            let element = choices.byte()
            payload += [0x80 | (element >> 7) << 6 | (element >> 5) & 0x03, element & 0x1F]
        }
        if !isRead { choices.append(BlockData.byteCount * count, to: &payload) }
        let code: CommandCode =
            session.isDES ? (isRead ? .secureRead : .secureWrite) : (isRead ? .secureReadV2 : .secureWriteV2)
        // Rarely a number that was used before.
        let number = kind >= 0xF8 ? session.number : session.number &+ 1
        let body = session.channel.seal(payload, code: code.first, number: number)
        bench.send(SecureFrame(code: code, body: body).bytes)
    }

    /// Sends Authentication1 with a challenge from the input, and mostly the proof.
    private static func authenticate(_ bench: inout Bench<FeliCaCard>, _ choices: inout Choices, isDES: Bool) {
        let first = choices.number(below: nodes.count)
        let services = Array(nodes[first..<min(nodes.count, first + 1 + choices.number(below: 3))])
        let idm = bench.card.system.idm
        var challenge: [UInt8] = []
        choices.append(8, to: &challenge)
        challenge += [UInt8](repeating: 0x5A, count: (isDES ? 8 : 16) - challenge.count)
        let request =
            isDES
            ? Authentication1.Request(idm: idm, areas: areas, services: services, challenge: challenge).bytes
            : Authentication1V2.Request(idm: idm, nodes: services, challenge: challenge).bytes
        bench.send(request)
        if let session = bench.card.session.secure, choices.byte() < 0xF0 { prove(&bench, session) }
    }

    private static func prove(_ bench: inout Bench<FeliCaCard>, _ session: FeliCaSecureSession) {
        let (idm, proof) = (bench.card.system.idm, session.challenge2B)
        bench.send(
            session.isDES
                ? Authentication2.Request(idm: idm, challenge: proof).bytes
                : Authentication2V2.Request(idm: idm, challenge: proof).bytes)
    }
}

extension FeliCaLiteCard: KeyedCard {
    static func keyedStep(_ bench: inout Bench<FeliCaLiteCard>, _ choices: inout Choices) {
        let kind = choices.byte()
        guard let keys = bench.card.session.keys, kind & 0x07 > 0 else {
            return write(&bench, [(.challenge, BlockData(choices.bytes(BlockData.byteCount)))])
        }
        guard kind & 0x07 > 2 else { return read(&bench, &choices, with: kind & 0x08 == 0 ? .macA : .mac) }
        let block: LiteBlock = kind & 0x10 == 0 ? .state : LiteBlock(UInt16(choices.byte() % 16))
        let content = block == .state ? BlockData([1]) : BlockData(choices.bytes(BlockData.byteCount))
        let counter = bench.card.writeCounter
        let mac = keys.macA(
            writing: UInt8(truncatingIfNeeded: block.rawValue), content.littleEndianHalves, counter: counter)
        write(&bench, [(block, content), (.macA, LiteMACBlock(mac: mac, counter: counter).block)])
    }

    /// Reads up to three blocks and their MAC.
    private static func read(_ bench: inout Bench<FeliCaLiteCard>, _ choices: inout Choices, with mac: LiteBlock) {
        let numbers = (0..<1 + choices.number(below: 3)).map { _ in choices.byte() % 0x93 }
        bench.send(
            ReadWithoutEncryption.Request(
                idm: bench.card.idm, services: [Type3Services.read],
                blocks: numbers.map { BlockListElement(blockNumber: UInt16($0)) }
                    + [BlockListElement(blockNumber: mac.rawValue)]
            ).bytes)
    }

    private static func write(_ bench: inout Bench<FeliCaLiteCard>, _ blocks: [(block: LiteBlock, data: BlockData)]) {
        bench.send(
            WriteWithoutEncryption.Request(
                idm: bench.card.idm, services: [Type3Services.write],
                blocks: blocks.map { BlockListElement(blockNumber: $0.block.rawValue) }, data: blocks.map(\.data)
            ).bytes)
    }
}
