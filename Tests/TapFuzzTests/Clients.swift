import TapFuzz
import TapWire

/// Readers of a transit card as people write them: a correct reader and some with a mistake each.
struct TripReader: Sendable {
    struct Trips: Sendable {
        let balance: Int
        let trips: [String]
    }

    enum Mistake: Sendable {
        /// Ignores status flags.
        case status
        /// Reads the balance in the wrong byte order.
        case byteOrder
        /// Accepts any received frame as the answer.
        case stale
        /// Retries forever after an error.
        case loop
        /// Retries forever and also ignores errors of the link.
        case deafLoop
        /// Treats the first failed read as the end of the history.
        case lossy
        /// Waits forever after a failed read.
        case wait
        /// Loops forever without any call after a failed read.
        case spin
    }

    enum Failure: Error {
        case noCard
        case badAnswer
        case refused
    }

    private static let history = NodeCode(0x090F)
    private static let most: UInt16 = 20

    var mistake: Mistake?

    func read(from link: inout some TagLink) async throws -> Trips {
        let request = Polling.Request(systemCode: .transit)
        let found = try await link.activate(.felica(request), timeout: .milliseconds(100))
        guard case .felica(let card, let technology)? = found else { throw Failure.noCard }
        var trips: [BlockData] = []
        while UInt16(trips.count) < Self.most {
            do {
                trips.append(try await block(UInt16(trips.count), of: card.idm, technology, &link))
            } catch {
                switch mistake {
                case .lossy where !trips.isEmpty: return told(trips)
                case .loop where !(error is LinkError): continue
                case .deafLoop: continue
                case .wait: unsafe await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                case .spin: while !Task.isCancelled {}
                default: throw error
                }
            }
        }
        return told(trips)
    }

    private func told(_ trips: [BlockData]) -> Trips {
        Trips(balance: trips.first.map(balance) ?? 0, trips: trips.filter { $0 != .zero }.map { "\($0)" })
    }

    private func balance(_ trip: BlockData) -> Int {
        let (low, high) = mistake == .byteOrder ? (11, 10) : (10, 11)
        return Int(trip.bytes[low]) | Int(trip.bytes[high]) << 8
    }

    private func block(
        _ number: UInt16, of idm: IDm, _ technology: Technology, _ link: inout some TagLink
    ) async throws -> BlockData {
        let request = ReadWithoutEncryption.Request(
            idm: idm, services: [Self.history], blocks: [BlockListElement(blockNumber: number)])
        let answer = try await link.transceive(RFFrame(technology, request.bytes), timeout: .milliseconds(100))
        guard let answer, answer.integrity == .good else { throw Failure.badAnswer }
        if mistake == .status || mistake == .stale {
            guard answer.bytes.count >= 29 || mistake == .status else { throw Failure.badAnswer }
            return BlockData(Array(answer.bytes.dropFirst(13).prefix(BlockData.byteCount)))
        }
        guard let response = try? ReadWithoutEncryption.Response(parsing: answer.bytes), response.idm == idm else {
            throw Failure.badAnswer
        }
        guard response.status == .success else { throw Failure.refused }
        guard response.blocks.count == 1 else { throw Failure.badAnswer }
        return response.blocks[0]
    }
}
