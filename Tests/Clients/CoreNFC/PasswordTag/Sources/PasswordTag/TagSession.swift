import CoreNFC

/// Runs one piece of asynchronous work on the first tag that is found.
public final class TagSession: NSObject, NFCTagReaderSessionDelegate {
    public typealias Work<Value> = (NFCMiFareTag) async throws -> Value

    private var found: ((NFCTagReaderSession, NFCTag) -> Void)?
    private var ended: ((Error) -> Void)?

    public override init() {
        super.init()
    }

    /// Begins a session and ends it when the work is done; the work's error or the session's is thrown.
    public func run<Value>(_ message: String, _ work: @escaping Work<Value>) async throws -> Value {
        guard NFCTagReaderSession.readingAvailable,
            let session = NFCTagReaderSession(pollingOption: .iso14443, delegate: self)
        else { throw TagError.notSupported }
        return try await withCheckedThrowingContinuation { continuation in
            let once = Once(continuation)
            ended = { once.resume(.failure($0)) }
            found = { session, tag in
                Task {
                    do {
                        guard case .miFare(let miFare) = tag, miFare.mifareFamily == .ultralight else {
                            throw TagError.otherTag
                        }
                        try await session.connect(to: tag)
                        let value = try await work(miFare)
                        once.resume(.success(value))
                        session.invalidate()
                    } catch {
                        once.resume(.failure(error))
                        session.invalidate(errorMessage: "The tag could not be used.")
                    }
                }
            }
            session.alertMessage = message
            session.begin()
        }
    }

    public func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    public func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
        ended?(error)
        (found, ended) = (nil, nil)
    }

    public func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard tags.count == 1, let tag = tags.first else {
            session.invalidate(errorMessage: "More than one tag was found.")
            return
        }
        found?(session, tag)
    }
}

/// A continuation that is resumed by whoever comes first.
private final class Once<Value> {
    private let lock = NSLock()
    private var continuation: CheckedContinuation<Value, Error>?

    init(_ continuation: CheckedContinuation<Value, Error>) {
        self.continuation = continuation
    }

    func resume(_ result: Result<Value, Error>) {
        lock.lock()
        let taken = continuation
        continuation = nil
        lock.unlock()
        taken?.resume(with: result)
    }
}

/// Why a tag could not be used, apart from errors of Core NFC.
public enum TagError: Error, Equatable {
    case notSupported
    case otherTag
    case wrongPassword
    case refused(page: UInt8)
    case badContent
    case tooLong
}
