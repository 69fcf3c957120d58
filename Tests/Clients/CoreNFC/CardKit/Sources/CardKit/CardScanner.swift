import CoreNFC
import Foundation

/// Scans one card of a given kind and hands over a value of that kind.
public final class CardScanner: NSObject {
    /// The number of blocks to read with one command.
    public var blocksAtOnce = 12

    private let queue = DispatchQueue(label: "CardKit.scanner")
    private var session: NFCTagReaderSession?
    private var handle: ((NFCTag) -> Void)?
    private var end: ((Error) -> Void)?

    public override init() {
        super.init()
    }

    /// Begins a session; the completion is called once, on the scanner's queue.
    public func scan<Card: FeliCaCard>(
        for kind: Card.Type, message: String, completion: @escaping (Result<Card, CardError>) -> Void
    ) {
        guard NFCNDEFReaderSession.readingAvailable,
            let session = NFCTagReaderSession(pollingOption: [.iso18092], delegate: self, queue: queue)
        else {
            completion(.failure(.notSupported))
            return
        }
        var completion: ((Result<Card, CardError>) -> Void)? = completion
        let finish: (Result<Card, CardError>) -> Void = { result in
            guard let call = completion else { return }
            completion = nil
            switch result {
            case .success: session.invalidate()
            case .failure(let error): session.invalidate(errorMessage: "Not read: \(error)")
            }
            call(result)
        }
        handle = { [unowned self] tag in
            guard case .feliCa(let card) = tag else { return finish(.failure(.otherCard)) }
            session.connect(to: tag) { error in
                if let error = error { return finish(.failure(CardError(error))) }
                FeliCaReading(tag: card, blocksAtOnce: self.blocksAtOnce).run(Card.self, then: finish)
            }
        }
        end = { finish(.failure(CardError($0))) }
        session.alertMessage = message
        self.session = session
        session.begin()
    }
}

extension CardScanner: NFCTagReaderSessionDelegate {
    public func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    public func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
        end?(error)
        (self.session, handle, end) = (nil, nil, nil)
    }

    public func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard let tag = tags.first, tags.count == 1 else {
            session.alertMessage = "Hold a single card."
            session.restartPolling()
            return
        }
        handle?(tag)
    }
}

extension CardError {
    init(_ error: Error) {
        self = error as? CardError ?? .reader(code: (error as NSError).code)
    }
}
