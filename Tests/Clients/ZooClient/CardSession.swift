import TapPCSC
import TapWire

/// A card in a transparent session of its reader.
struct CardSession {
    /// The time that the reader waits for an answer.
    private static let waiting = SessionObject.timer(microseconds: 100_000)
    private static let atOnce: UInt16 = 2
    private static let service = NodeCode(0x090F)

    private let card: PCSCCard
    private let mistake: Mistake

    init(_ card: PCSCCard, _ mistake: Mistake) {
        self.card = card
        self.mistake = mistake
    }

    /// Reads the newest trips from a card.
    func history(of idm: IDm) throws -> History {
        _ = try ask(.manage, [.start])
        defer { _ = try? ask(.manage, [.end]) }
        _ = try ask(.switchProtocol, [.switchProtocol(to: SessionProtocol(.felica))])
        let polling = Polling.Request(systemCode: .transit)
        guard try Polling.Response(parsing: exchange(polling.bytes)).idm == idm else {
            throw Unreadable("another card lies on the reader")
        }
        // MISTAKE tries-optionally: `try?` makes blocks that could not be read blocks that are not there.
        let blocks: [BlockData] = try [0, Self.atOnce].flatMap { first in
            if mistake == .triesOptionally { return (try? read(from: first, idm)) ?? [] }
            return try read(from: first, idm)
        }
        return try History(idm, blocks, mistake)
    }

    private func read(from first: UInt16, _ idm: IDm) throws -> [BlockData] {
        let request = ReadWithoutEncryption.Request(
            idm: idm, services: [Self.service],
            blocks: (first..<first + Self.atOnce).map { BlockListElement(blockNumber: $0) })
        let packet = try exchange(request.bytes)
        // MISTAKE slices-answer: the blocks are where they are in a good answer, or the program ends.
        if mistake == .slicesAnswer {
            return (0..<Int(Self.atOnce)).map { BlockData(packet[(13 + 16 * $0)..<(29 + 16 * $0)]) }
        }
        let response = try ReadWithoutEncryption.Response(parsing: packet)
        guard response.idm == idm, response.status.isSuccess, response.blocks.count == Int(Self.atOnce) else {
            throw Unreadable("the card gives \(response.blocks.count) blocks with status \(response.status)")
        }
        return response.blocks
    }

    /// Sends a packet and returns the answer.
    private func exchange(_ packet: [UInt8]) throws -> [UInt8] {
        let response = try ask(.exchange, [Self.waiting, .transceive(packet)])
        // MISTAKE unwraps-answer: a card that is silent is not thought of.
        // swift-format-ignore: NeverForceUnwrap
        if mistake == .unwrapsAnswer { return response[.received]!.value }
        guard response.status?.status == .success, let answer = response[.received]?.value else {
            throw Unreadable("the card does not answer")
        }
        guard response[.receptionStatus]?.receptionStatus?.isEmpty ?? true else {
            throw Unreadable("the answer of the card came damaged")
        }
        return answer
    }

    private func ask(_ step: SessionRequest.Step, _ objects: [SessionObject]) throws -> SessionResponse {
        let response = try SessionResponse(parsing: card.transmit(SessionRequest(step, objects).bytes))
        guard step == .exchange || response.status?.status == .success else {
            throw Unreadable("the reader reports \(Hex.text(response.bytes)) in its session")
        }
        return response
    }
}
