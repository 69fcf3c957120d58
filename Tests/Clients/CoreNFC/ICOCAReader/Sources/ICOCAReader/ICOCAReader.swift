import Combine
import CoreNFC
import Foundation

/// The model of a view that lists the uses of an ICOCA; a view would observe `history` and `error`.
public final class ICOCAReader: NSObject, ObservableObject, NFCTagReaderSessionDelegate {
    @Published public private(set) var history: [ICOCAUse] = []
    @Published public private(set) var error: String?

    private var session: NFCTagReaderSession?
    private let service = Data([0x0F, 0x09])

    public override init() {
        super.init()
    }

    public func start() {
        guard NFCTagReaderSession.readingAvailable else {
            error = "This device cannot read cards."
            return
        }
        history = []
        error = nil
        session = NFCTagReaderSession(pollingOption: .iso18092, delegate: self, queue: nil)
        session?.alertMessage = "Hold your ICOCA to the iPhone."
        session?.begin()
    }

    public func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    public func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
        self.session = nil
        switch error {
        case NFCReaderError.readerSessionInvalidationErrorUserCanceled:
            // This also includes sessions that this object invalidated itself.
            break
        case NFCReaderError.readerSessionInvalidationErrorSessionTimeout:
            show(error: "No card was found in time.")
        default:
            show(error: error.localizedDescription)
        }
    }

    public func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard tags.count == 1, let tag = tags.first, case let .feliCa(card) = tag else {
            end(session, with: "Please hold one ICOCA only.")
            return
        }
        session.connect(to: tag) { error in
            if let error = error {
                self.end(session, with: error.localizedDescription)
                return
            }
            card.requestService(nodeCodeList: [self.service]) { versions, error in
                if let error = error {
                    self.end(session, with: error.localizedDescription)
                    return
                }
                if versions.first == Data([0xFF, 0xFF]) {
                    self.end(session, with: "This card keeps no history.")
                    return
                }
                self.read(card, from: 0, [], session)
            }
        }
    }

    /// Reads ten blocks, then ten more.
    private func read(_ card: NFCFeliCaTag, from first: UInt8, _ before: [Data], _ session: NFCTagReaderSession) {
        let elements = (first..<first + 10).map { Data([0x80, $0]) }
        card.readWithoutEncryption(serviceCodeList: [service], blockList: elements) { flag1, flag2, blocks, error in
            if let error = error {
                self.end(session, with: error.localizedDescription)
                return
            }
            if flag1 != 0 || flag2 != 0 {
                self.end(session, with: String(format: "The card refused with %02X %02X.", flag1, flag2))
                return
            }
            let all = before + blocks
            if all.count < 20 {
                self.read(card, from: UInt8(all.count), all, session)
                return
            }
            let uses = ICOCAUse.list(of: all)
            session.alertMessage = "\(uses.count) uses were read."
            session.invalidate()
            DispatchQueue.main.async { self.history = uses }
        }
    }

    private func end(_ session: NFCTagReaderSession, with message: String) {
        session.invalidate(errorMessage: message)
        show(error: message)
    }

    private func show(error message: String) {
        DispatchQueue.main.async { self.error = message }
    }
}
