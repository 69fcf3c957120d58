import CoreNFC
import TapDoors
import Testing

/// What an app for passes tells its session.
private final class PassLog: NSObject, NFCVASReaderSessionDelegate, @unchecked Sendable {
    let error = Lock<NFCReaderError?>(nil)
    let ended = DispatchSemaphore(value: 0)

    func readerSession(_ session: NFCVASReaderSession, didInvalidateWithError error: Error) {
        self.error.withLock { $0 = error as? NFCReaderError }
        ended.signal()
    }

    func readerSession(_ session: NFCVASReaderSession, didReceive responses: [NFCVASResponse]) {}
}

@Suite("A session for passes")
struct PassSessionSuite {
    @Test("ends with error 1, with a phone and without")
    func unsupported() async throws {
        func outcome() async throws -> NFCReaderError? {
            let log = PassLog()
            let command = NFCVASCommandConfiguration(vasMode: .normal, passTypeIdentifier: "pass.example", url: nil)
            NFCVASReaderSession(vasCommandConfigurations: [command], delegate: log, queue: nil).begin()
            let hasEnded = try await BlockingThread.value { log.ended.wait(timeout: .now() + 20) == .success }
            #expect(hasEnded)
            return log.error.withLock { $0 }
        }
        let without = try await outcome()
        #expect(without?.code == .readerErrorUnsupportedFeature)
        let with = try await PhoneField.with(PhoneField.suica) { _ in try await outcome() }
        #expect(with?.code == .readerErrorUnsupportedFeature)
    }
}
