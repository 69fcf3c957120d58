import CoreNFC
import TapSystem

/// A delegate that logs its calls and lets a test use the tags.
final class SessionLog: NSObject, NFCTagReaderSessionDelegate, @unchecked Sendable {
    private let lines = Lock<[String]>([])
    private let detected: @Sendable (NFCTagReaderSession, [NFCTag]) -> Void

    init(_ detected: @escaping @Sendable (NFCTagReaderSession, [NFCTag]) -> Void = { _, _ in }) {
        self.detected = detected
    }

    var log: [String] { lines.withLock { $0 } }

    func add(_ line: String) {
        lines.withLock { $0.append(line) }
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {
        add("active, ready: \(session.isReady)")
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
        add("ended \((error as? NFCReaderError)?.errorCode ?? 0)")
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        add("detected \(tags.count)")
        detected(session, tags)
    }
}
