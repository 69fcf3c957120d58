import CoreNFC

/// A client that passes the first connected tag to a closure.
final class TagClient: NSObject, NFCTagReaderSessionDelegate {
    private let polling: NFCTagReaderSession.PollingOption
    private let use: (NFCTagReaderSession, NFCTag) -> Void

    init(_ polling: NFCTagReaderSession.PollingOption, _ use: @escaping (NFCTagReaderSession, NFCTag) -> Void) {
        self.polling = polling
        self.use = use
    }

    func start() {
        NFCTagReaderSession(pollingOption: polling, delegate: self)?.begin()
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        session.connect(to: tags[0]) { error in
            if let error { return session.invalidate(errorMessage: "\(error)") }
            self.use(session, tags[0])
        }
    }
}
