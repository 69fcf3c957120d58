import CoreNFC

/// A typical app client: reads the balance of a transit card with completion handlers.
final class BalanceReader: NSObject, NFCTagReaderSessionDelegate {
    private(set) var balance: Int?
    private(set) var failure: (any Error)?
    private var session: NFCTagReaderSession?
    private let queue: DispatchQueue?

    init(queue: DispatchQueue? = nil) {
        self.queue = queue
    }

    func start() {
        session = NFCTagReaderSession(pollingOption: .iso18092, delegate: self, queue: queue)
        session?.alertMessage = "Hold your card here"
        session?.begin()
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error) {
        DispatchQueue.main.async { self.failure = error }
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard tags.count == 1, case .feliCa(let card) = tags[0] else {
            session.alertMessage = "One card, please"
            return session.restartPolling()
        }
        session.connect(to: tags[0]) { error in
            guard error == nil else { return session.invalidate(errorMessage: "The card was lost") }
            self.read(card, session)
        }
    }

    private func read(_ card: NFCFeliCaTag, _ session: NFCTagReaderSession) {
        let service = Data([0x8B, 0x00])
        card.readWithoutEncryption(serviceCodeList: [service], blockList: [Data([0x80, 0x00])]) {
            flag, _, data, error in
            guard error == nil, flag == 0, let block = data.first else {
                return session.invalidate(errorMessage: "The card cannot be read")
            }
            let balance = Int(block[11]) | Int(block[12]) << 8
            DispatchQueue.main.async { self.balance = balance }
            session.alertMessage = "\(balance) yen"
            session.invalidate()
        }
    }
}
