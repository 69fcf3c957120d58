import CoreNFC
import TapSystem
import Testing

@testable import TapTesting

/// An app has handled the end of its session when the test continues.
@Suite(.card(.suica())) struct SettledEndTests {
    @Test func onTheQueueOfTheSession() async throws {
        try await expectNote { session, note in
            session.sessionQueue.async {
                Thread.sleep(forTimeInterval: 0.02)
                session.sessionQueue.async(execute: note)
            }
        }
    }

    @Test func onTheMainQueue() async throws {
        try await expectNote { session, note in
            session.sessionQueue.async {
                Thread.sleep(forTimeInterval: 0.02)
                DispatchQueue.main.async { DispatchQueue.main.async(execute: note) }
            }
        }
    }

    @Test func onTheMainActor() async throws {
        try await expectNote { _, note in
            Task {
                try await Task.sleep(for: .milliseconds(50))
                await MainActor.run { note() }
            }
        }
    }

    @Test func onAnAppQueueThatHasEndedTheSession() async throws {
        let isNoted = Lock(false)
        let app = EndingReader { session in
            DispatchQueue(label: "app").async {
                session.invalidate()
                var turns = 0
                let end = ContinuousClock.now + .milliseconds(200)
                while ContinuousClock.now < end { turns &+= 1 }
                isNoted.withLock { $0 = turns > 0 }
            }
        } atEnd: { _ in
        }
        app.start()
        _ = try await VirtualNFC.sessionEnd()
        #expect(isNoted.withLock { $0 })
    }

    @Test func inTheTaskOfADetectedTag() async throws {
        let app = AsyncReader()
        app.start()
        _ = try await VirtualNFC.sessionEnd()
        #expect(app.balance.withLock { $0 } != nil)
    }

    @Test func aTaskThatNeverEndsDoesNotBlockTheTest() async throws {
        let task = Lock<Task<Void, any Error>?>(nil)
        try await expectNote { _, note in
            task.withLock { $0 = Task { try await Task.sleep(for: .seconds(1000)) } }
            note()
        }
        task.withLock { $0 }?.cancel()
    }

    private func expectNote(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ end: @escaping @Sendable (NFCTagReaderSession, @escaping @Sendable () -> Void) -> Void
    ) async throws {
        let isNoted = Lock(false)
        let app = EndingReader {
            $0.invalidate()
        } atEnd: { session in
            end(session) { isNoted.withLock { $0 = true } }
        }
        app.start()
        _ = try await VirtualNFC.sessionEnd()
        #expect(isNoted.withLock { $0 }, sourceLocation: sourceLocation)
    }
}

/// A client with one action for the first tag and one for the end.
private final class EndingReader: NSObject, NFCTagReaderSessionDelegate {
    private let tag: @Sendable (NFCTagReaderSession) -> Void
    private let end: @Sendable (NFCTagReaderSession) -> Void

    init(
        atTag tag: @escaping @Sendable (NFCTagReaderSession) -> Void,
        atEnd end: @escaping @Sendable (NFCTagReaderSession) -> Void
    ) {
        (self.tag, self.end) = (tag, end)
    }

    func start() {
        NFCTagReaderSession(pollingOption: .iso18092, delegate: self)?.begin()
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error) { end(session) }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) { tag(session) }
}

/// A client that reads in a task, ends the session, and then shows the data it has read.
private final class AsyncReader: NSObject, NFCTagReaderSessionDelegate, @unchecked Sendable {
    let balance = Lock<Int?>(nil)

    func start() {
        NFCTagReaderSession(pollingOption: .iso18092, delegate: self)?.begin()
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        Task {
            guard case .feliCa(let card)? = tags.first else { return }
            try await session.connect(to: tags[0])
            let block = Data([0x80, 0x00])
            let (_, _, blocks) = try await card.readWithoutEncryption(
                serviceCodeList: [Data([0x8B, 0x00])], blockList: [block])
            session.invalidate()
            try await Task.sleep(for: .milliseconds(50))
            await MainActor.run { balance.withLock { $0 = Int(blocks[0][11]) | Int(blocks[0][12]) << 8 } }
        }
    }
}
