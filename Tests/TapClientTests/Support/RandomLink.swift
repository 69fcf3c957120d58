import TapField
import TapWire
import TestSupport

/// A link whose card answers with silence, noise, or well-formed answers with random content.
struct RandomLink: TagLink {
    var random: TestRandom
    /// The number of frames until the link is closed.
    var framesLeft = 60
    private let idm: IDm
    private let uid: UID

    init?(_ random: TestRandom) {
        self.random = random
        idm = IDm(self.random.next())
        guard let uid = UID([0x04] + self.random.bytes(6)) else { return nil }
        self.uid = uid
    }

    var limits: LinkLimits { .none }

    mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag? {
        try count()
        if random.oneIn(8) { return nil }
        switch target {
        case .typeA:
            let other = random.oneIn(16) ? UID(random.bytes(random.pick([4, 7, 10]))) ?? uid : uid
            let sak = random.oneIn(16) ? SAK(random.byte()) : .complete
            return .typeA(TypeATag(atqa: ATQA(random.any()), sak: sak, uid: other))
        case .felica(let request, let technology):
            let data: UInt16? = random.oneIn(8) ? nil : random.oneIn(8) ? random.any() : request.systemCode.rawValue
            let pmm = PMm(random.next())
            return .felica(Polling.Response(idm: idm, pmm: pmm, requestData: data), technology)
        }
    }

    mutating func transceive(_ frame: RFFrame, timeout: Duration) async throws(LinkError) -> RFFrame? {
        try count()
        if random.oneIn(16) { return nil }
        let integrity: FrameIntegrity = random.oneIn(16) ? .badCRC : .good
        let bytes: [UInt8]
        if random.oneIn(8) {
            bytes = random.bytes(random.number(below: 300))
        } else if frame.technology.isFeliCa {
            bytes = felicaAnswer(to: frame.bytes)
        } else {
            if random.oneIn(4) { return RFFrame(.typeA106, [random.pick([0x0A, 0, random.byte()])], bitCount: 4) }
            bytes = type2Answer(to: frame.bytes)
        }
        return RFFrame(frame.technology, bytes, integrity: integrity)
    }

    private mutating func count() throws(LinkError) {
        framesLeft -= 1
        if framesLeft < 0 { throw LinkError(.closed, "the random link has had enough") }
    }

    /// An answer with the correct code and IDm, mostly with a length that fits the command.
    private mutating func felicaAnswer(to command: [UInt8]) -> [UInt8] {
        guard command.count > 1 else { return [] }
        var body: [UInt8]
        switch command[1] {
        case 0x06:
            let status: [UInt8] =
                random.oneIn(4) ? [0xFF, random.pick([0xA1, 0xA2, 0xA5, 0xA8, random.byte()])] : [0, 0]
            let asked = command.count > 14 ? Int(command[11 + 2 * Int(min(command[10], 1))]) : 0
            let count = random.oneIn(8) ? random.number(below: 16) : min(asked, 15)
            body = status[0] == 0 ? status + [UInt8(count)] + random.bytes(16 * count) : status
        case 0x02: body = [command.count > 10 ? command[10] : 0] + command.dropFirst(11).map { _ in random.byte() }
        case 0x0A: body = random.bytes(random.pick([2, 4]))
        case 0x0C:
            let count = random.number(below: 4)
            body = [UInt8(count)] + random.bytes(2 * count)
        default: body = random.bytes(random.number(below: 40))
        }
        if command[1] == 0x06, random.oneIn(3), body.count > 18 {
            let attributes = try? AttributeInformationBlock(
                blocksPerRead: random.byte(), blocksPerWrite: 1, blockCount: random.any(),
                messageLength: UInt32(random.number(below: 0x200)))
            body.replaceSubrange(3..<19, with: attributes?.bytes ?? random.bytes(16))
        }
        let packet = [command[1] | 1] + idm.rawValue.octets + body
        return [UInt8(truncatingIfNeeded: packet.count + 1)] + packet
    }

    /// An answer with a length that fits the command, and with a capability container if one may be expected.
    private mutating func type2Answer(to command: [UInt8]) -> [UInt8] {
        guard let opcode = command.first else { return [] }
        switch Type2Opcode(opcode) {
        case .getVersion:
            return random.oneIn(2) ? [0, 4, 4, 2, 1, 0, random.pick([0x0F, 0x11, 0x13]), 3] : random.bytes(8)
        case .read:
            var bytes = random.bytes(16)
            if command.last == 0 {
                bytes.replaceSubrange(12..., with: [0xE1, 0x10, random.byte(), random.pick([0, 0x88])])
            }
            if command.last == 4 { bytes.replaceSubrange(0..<2, with: [random.pick([1, 2, 3, 0xFD]), random.byte()]) }
            return bytes
        case .fastRead:
            return random.bytes(4 * max(1, Int(command.last ?? 0) - Int(command.dropFirst().first ?? 0) + 1))
        case .passwordAuthentication: return random.bytes(2)
        case .readCounter: return random.bytes(3)
        case .readSignature: return random.bytes(32)
        default: return random.bytes(random.number(below: 20))
        }
    }
}

/// A virtual link that changes bytes of answers without breaking their CRC.
struct MutatingLink: TagLink {
    var base: VirtualLink
    var random: TestRandom

    var limits: LinkLimits { base.limits }

    mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag? {
        try await base.activate(target, timeout: timeout)
    }

    mutating func transceive(_ frame: RFFrame, timeout: Duration) async throws(LinkError) -> RFFrame? {
        guard var answer = try await base.transceive(frame, timeout: timeout) else { return nil }
        guard random.oneIn(4), answer.bitCount % 8 == 0 else { return answer }
        for _ in 0...random.number(below: 3) where !answer.bytes.isEmpty {
            answer.bytes[random.number(below: answer.bytes.count)] = random.byte()
        }
        return answer
    }
}
