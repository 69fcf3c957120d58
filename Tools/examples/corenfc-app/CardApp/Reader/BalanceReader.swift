import Combine
import CoreNFC
import os

final class BalanceReader: NSObject, ObservableObject, NFCTagReaderSessionDelegate {
    @Published private(set) var balance: Int?
    @Published private(set) var problem: NFCReaderError.Code?

    private let logger = Logger(subsystem: "com.example.cards", category: "reader")
    private var session: NFCTagReaderSession?

    func scan() {
        guard NFCTagReaderSession.readingAvailable else { return }
        session = NFCTagReaderSession(pollingOption: .iso18092, delegate: self)
        session?.alertMessage = "Hold your card to the iPhone."
        session?.begin()
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard let tag = tags.first, case .feliCa(let card) = tag else { return session.restartPolling() }
        session.connect(to: tag) { error in
            guard error == nil else { return session.invalidate(errorMessage: "Please try again.") }
            self.readBalance(of: card, in: session)
        }
    }

    private func readBalance(of card: NFCFeliCaTag, in session: NFCTagReaderSession) {
        card.readWithoutEncryption(serviceCodeList: [Data([0x8B, 0x00])], blockList: [Data([0x80, 0x00])]) {
            status1, status2, blocks, error in
            guard error == nil, status1 == 0, status2 == 0, let block = blocks.first else {
                return session.invalidate(errorMessage: "The card cannot be read.")
            }
            let balance = Int(block[11]) | Int(block[12]) << 8
            DispatchQueue.main.async { self.balance = balance }
            session.alertMessage = "\(balance) yen"
            session.invalidate()
        }
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
        logger.info("session ended: \(error.localizedDescription)")
        let code = (error as? NFCReaderError)?.code
        DispatchQueue.main.async {
            self.session = nil
            self.problem = code == .readerSessionInvalidationErrorUserCanceled ? nil : code
        }
    }
}
