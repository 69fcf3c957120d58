import CoreNFC

/// A session as an asynchronous call: the delegate's calls become a stream, and the first tag in it is read.
enum CardScan {
    static func run() async throws -> CardSummary {
        guard NFCTagReaderSession.readingAvailable else { throw ScanError.notSupported }
        let (events, continuation) = AsyncThrowingStream.makeStream(of: Found.self)
        let listener = Listener(continuation)
        guard let session = NFCTagReaderSession(pollingOption: .iso18092, delegate: listener) else {
            throw ScanError.notSupported
        }
        session.alertMessage = "Hold your card to the iPhone."
        session.begin()
        do {
            for try await found in events {
                guard found.count == 1 else {
                    session.alertMessage = "Hold a single card."
                    session.restartPolling()
                    continue
                }
                let summary = try await read(found.tag, in: session)
                session.alertMessage = "Done."
                session.invalidate()
                return summary
            }
            throw ScanError.otherCard
        } catch {
            session.invalidate(errorMessage: "The card could not be read.")
            throw error
        }
    }

    private static func read(_ tag: NFCTag, in session: NFCTagReaderSession) async throws -> CardSummary {
        guard case .feliCa(let card) = tag else { throw ScanError.otherCard }
        try await session.connect(to: tag)
        let services = [Data([0x8B, 0x00]), Data([0x0F, 0x09])]
        guard try await !card.requestService(nodeCodeList: services).contains(Data([0xFF, 0xFF])) else {
            throw ScanError.serviceMissing
        }
        let balance = try await blocks(0..<1, of: services[0], card)
        let history = try await blocks(0..<10, of: services[1], card)
        return CardSummary(
            idm: card.currentIDm.map { String(format: "%02X", $0) }.joined(),
            balance: Int(balance[0][11]) | Int(balance[0][12]) << 8,
            latestBalances: history.map { Int($0[10]) | Int($0[11]) << 8 })
    }

    private static func blocks(_ range: Range<UInt8>, of service: Data, _ card: NFCFeliCaTag) async throws -> [Data] {
        let (first, second, blocks) = try await card.readWithoutEncryption(
            serviceCodeList: [service], blockList: range.map { Data([0x80, $0]) })
        guard first == 0, second == 0 else { throw ScanError.status(first, second) }
        return blocks
    }
}

/// The tags of one detection, passed from the session's queue to the reading task.
private struct Found: @unchecked Sendable {
    let tag: NFCTag
    let count: Int
}

/// The delegate, called on the session's queue only.
private final class Listener: NSObject, NFCTagReaderSessionDelegate, Sendable {
    private let continuation: AsyncThrowingStream<Found, any Error>.Continuation

    init(_ continuation: AsyncThrowingStream<Found, any Error>.Continuation) {
        self.continuation = continuation
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error) {
        continuation.finish(throwing: error)
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard let tag = tags.first else { return }
        continuation.yield(Found(tag: tag, count: tags.count))
    }
}
