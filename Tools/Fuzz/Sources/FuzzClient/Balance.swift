import TapWire

/// The client, which reads the balance of a transit card.
enum Balance {
    /// The reason why nothing was read.
    enum Failure: Error {
        /// There is no transit card.
        case noCard
        /// There is no answer, or the answer is damaged or belongs to another command.
        case badAnswer
        /// The card refused, with its status flags.
        case refused(StatusFlags)
    }

    private static let service = NodeCode(0x008B)

    /// - Returns: The balance in yen.
    static func read(from link: inout some TagLink) async throws -> Int {
        let polling = Polling.Request(systemCode: .transit)
        guard
            case .felica(let card, let technology)? = try await link.activate(
                .felica(polling), timeout: .milliseconds(100))
        else { throw Failure.noCard }
        let request = ReadWithoutEncryption.Request(
            idm: card.idm, services: [service], blocks: [BlockListElement(blockNumber: 0)])
        let frame = RFFrame(technology, request.bytes)
        guard let received = try await link.transceive(frame, timeout: .milliseconds(100)), received.integrity == .good,
            let answer = try? ReadWithoutEncryption.Response(parsing: received.bytes), answer.idm == card.idm
        else { throw Failure.badAnswer }
        guard answer.status == .success else { throw Failure.refused(answer.status) }
        guard let block = answer.blocks.first else { throw Failure.badAnswer }
        return Int(TransitBalance(block).balance)
    }
}
