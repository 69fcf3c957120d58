#if os(iOS)
    import CoreNFC
    import UIKit
    import os

    public protocol BalanceReaderDelegate {
        func balanceReader(didRead balance: Int)
    }

    /// A reader as in libraries: without an actor, and with messages on the screen it was created for.
    open class BalanceReader: NSObject, NFCTagReaderSessionDelegate {
        public let viewController: UIViewController & BalanceReaderDelegate
        public var session: NFCTagReaderSession?

        private let logger = Logger(subsystem: "com.example.tags", category: "balance")

        public init(viewController: UIViewController & BalanceReaderDelegate) {
            self.viewController = viewController
        }

        public func begin() {
            guard NFCTagReaderSession.readingAvailable else { return show("NFC is not available") }
            session = NFCTagReaderSession(pollingOption: .iso18092, delegate: self)
            session?.begin()
        }

        open func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

        open func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
            guard tags.count == 1, case .feliCa(let card) = tags[0] else {
                return session.invalidate(errorMessage: NSLocalizedString("tooMany", bundle: .module, comment: ""))
            }
            session.connect(to: tags[0]) { error in
                if let error { return self.logger.error("not connected: \(error)") }
                DispatchQueue(label: "balance").async {
                    if let balance = card.balance() {
                        session.invalidate()
                        DispatchQueue.main.async { self.viewController.balanceReader(didRead: balance) }
                    } else {
                        session.invalidate(errorMessage: "Not read")
                    }
                }
            }
        }

        open func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
            logger.info("ended: \(error, privacy: .public)")
            guard let error = error as? NFCReaderError, error.code != .readerSessionInvalidationErrorUserCanceled
            else { return }
            show(error.localizedDescription)
        }

        private func show(_ message: String) {
            let alert = UIAlertController(title: "Reader", message: message, preferredStyle: .alert)
            alert.addAction(UIAlertAction(title: "OK", style: .default, handler: nil))
            viewController.present(alert, animated: true, completion: nil)
        }
    }

    extension NFCFeliCaTag {
        /// Reads and waits outside the queue of the session.
        fileprivate func balance() -> Int? {
            var balance: Int?
            let done = DispatchSemaphore(value: 0)
            readWithoutEncryption(serviceCodeList: [Data([0x8B, 0x00])], blockList: [Data([0x80, 0x00])]) {
                status1, _, blocks, _ in
                if status1 == 0, let block = blocks.first { balance = Int(block[11]) | Int(block[12]) << 8 }
                done.signal()
            }
            done.wait()
            return balance
        }
    }
#endif
