import CoreNFC

/// Reads balance and history of a Suica with one session per scan, in the style of completion handlers.
public final class SuicaReader: NSObject, NFCTagReaderSessionDelegate {
    /// Called once per scan, on the session's queue.
    public var onResult: ((Result<SuicaCard, Error>) -> Void)?
    /// The number of history blocks to read at once. A Suica allows at most 12.
    public var blockCount = 10

    private let attributeService = Data([0x8B, 0x00])
    private let historyService = Data([0x0F, 0x09])
    private var session: NFCTagReaderSession?
    private var triesLeft = 0

    public override init() {
        super.init()
    }

    public func scan() {
        guard NFCTagReaderSession.readingAvailable else {
            finish(.failure(SuicaError.notSupported))
            return
        }
        guard let session = NFCTagReaderSession(pollingOption: .iso18092, delegate: self) else {
            finish(.failure(SuicaError.notSupported))
            return
        }
        triesLeft = 2
        self.session = session
        session.alertMessage = "Hold your Suica to the top of the iPhone."
        session.begin()
    }

    /// The action of the app's own cancel button.
    public func stop() {
        session?.invalidate()
    }

    // MARK: - NFCTagReaderSessionDelegate

    public func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {
        print("Suica: session is active")
    }

    public func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
        self.session = nil
        // Without a result, the session ended for another reason.
        finish(.failure(error))
    }

    public func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        if tags.count > 1 {
            session.alertMessage = "More than one card was found. Please hold only one."
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(500)) {
                session.restartPolling()
            }
            return
        }
        guard let tag = tags.first, case .feliCa(let feliCa) = tag else {
            session.restartPolling()
            return
        }
        session.connect(to: tag) { [weak self] error in
            guard let self = self else { return }
            if let error = error {
                self.retry(session, after: error)
                return
            }
            self.checkServices(of: feliCa, in: session)
        }
    }

    // MARK: - Steps

    private func checkServices(of tag: NFCFeliCaTag, in session: NFCTagReaderSession) {
        tag.requestService(nodeCodeList: [attributeService, historyService]) { [weak self] versions, error in
            guard let self = self else { return }
            if let error = error {
                self.retry(session, after: error)
                return
            }
            guard versions.count == 2, !versions.contains(Data([0xFF, 0xFF])) else {
                self.fail(session, .serviceMissing, "This card has no history.")
                return
            }
            session.alertMessage = "Reading, do not move the card."
            self.readBalance(of: tag, in: session)
        }
    }

    private func readBalance(of tag: NFCFeliCaTag, in session: NFCTagReaderSession) {
        let block = Data([0x80, 0x00])
        tag.readWithoutEncryption(serviceCodeList: [attributeService], blockList: [block]) {
            [weak self] status1, status2, blocks, error in
            guard let self = self else { return }
            if let error = error {
                self.retry(session, after: error)
                return
            }
            guard status1 == 0, status2 == 0, let block = blocks.first, block.count == 16 else {
                self.fail(session, .status(status1, status2), "The balance could not be read.")
                return
            }
            let balance = Int(block[11]) | Int(block[12]) << 8
            self.readHistory(of: tag, balance: balance, in: session)
        }
    }

    private func readHistory(of tag: NFCFeliCaTag, balance: Int, in session: NFCTagReaderSession) {
        let blockList = (0..<blockCount).map { Data([0x80, UInt8($0)]) }
        tag.readWithoutEncryption(serviceCodeList: [historyService], blockList: blockList) {
            [weak self] status1, status2, blocks, error in
            guard let self = self else { return }
            if let error = error {
                self.retry(session, after: error)
                return
            }
            guard status1 == 0, status2 == 0 else {
                self.fail(session, .status(status1, status2), "The history could not be read.")
                return
            }
            let history = blocks.compactMap(SuicaEntry.init)
            let card = SuicaCard(idm: tag.currentIDm, balance: balance, history: history)
            session.alertMessage = "Balance: \(balance) yen"
            self.finish(.success(card))
            session.invalidate()
        }
    }

    // MARK: - Ends

    /// Searches for the card again after it moved; gives up the second time.
    private func retry(_ session: NFCTagReaderSession, after error: Error) {
        triesLeft -= 1
        guard triesLeft > 0, let error = error as? NFCReaderError,
            error.code == .readerTransceiveErrorTagConnectionLost
                || error.code == .readerTransceiveErrorTagResponseError
        else {
            finish(.failure(error))
            session.invalidate(errorMessage: "The card could not be read.")
            return
        }
        session.alertMessage = "The card moved. Please hold it again."
        session.restartPolling()
    }

    private func fail(_ session: NFCTagReaderSession, _ error: SuicaError, _ message: String) {
        finish(.failure(error))
        session.invalidate(errorMessage: message)
    }

    private func finish(_ result: Result<SuicaCard, Error>) {
        onResult?(result)
        onResult = nil
    }
}
