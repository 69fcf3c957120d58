import CoreNFC
import TapSystem
import Testing

/// The callbacks of an app for passes.
private final class PassLog: NSObject, NFCVASReaderSessionDelegate, @unchecked Sendable {
    let error = Lock<NFCReaderError?>(nil)
    let ended = DispatchSemaphore(value: 0)

    func readerSession(_ session: NFCVASReaderSession, didInvalidateWithError error: Error) {
        self.error.withLock { $0 = error as? NFCReaderError }
        ended.signal()
    }

    func readerSession(_ session: NFCVASReaderSession, didReceive responses: [NFCVASResponse]) {}
}

@Suite("A pass session")
struct PassSessionSuite {
    @Test("ends with error 1 because it is not simulated")
    func unsupported() async throws {
        let log = PassLog()
        try await PhoneField.with(PhoneField.suica) { _ in
            let command = NFCVASCommandConfiguration(vasMode: .normal, passTypeIdentifier: "pass.example", url: nil)
            NFCVASReaderSession(vasCommandConfigurations: [command], delegate: log, queue: nil).begin()
            let hasEnded = try await BlockingThread.value { log.ended.wait(timeout: .now() + 20) == .success }
            #expect(hasEnded)
        }
        #expect(log.error.withLock { $0 }?.code == .readerErrorUnsupportedFeature)
    }
}
