import CoreNFC

/// Runs an asynchronous operation on the first tag that is found.
public final class TagSession: NSObject, NFCTagReaderSessionDelegate {
    public typealias Work<Value> = (NFCMiFareTag) async throws -> Value

    private var found: ((NFCTagReaderSession, NFCTag) -> Void)?
    private var ended: ((Error) -> Void)?

    public override init() {
        super.init()
    }

    /// Begins a session, and returns when it is over, because a phone allows only one session at a time.
    public func run<Value>(_ message: String, _ work: @escaping Work<Value>) async throws -> Value {
        guard NFCTagReaderSession.readingAvailable,
            let session = NFCTagReaderSession(pollingOption: .iso14443, delegate: self)
        else { throw TagError.notSupported }
        return try await withCheckedThrowingContinuation { continuation in
            let outcome = Outcome<Value>()
            ended = { error in continuation.resume(with: outcome.result ?? .failure(error)) }
            found = { session, tag in
                Task {
                    do {
                        guard case .miFare(let miFare) = tag, miFare.mifareFamily == .ultralight else {
                            throw TagError.otherTag
                        }
                        try await session.connect(to: tag)
                        outcome.result = .success(try await work(miFare))
                        session.invalidate()
                    } catch {
                        outcome.result = .failure(error)
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

/// The result of the operation, set by its task and read on the session's queue.
private final class Outcome<Value> {
    private let lock = NSLock()
    private var value: Result<Value, Error>?

    var result: Result<Value, Error>? {
        get { lock.withLock { value } }
        set { lock.withLock { value = newValue } }
    }
}

/// Errors that prevent using a tag, in addition to those of Core NFC.
public enum TagError: Error, Equatable {
    case notSupported
    case otherTag
    case wrongPassword
    case refused(page: UInt8)
    case badContent
    case tooLong
}
