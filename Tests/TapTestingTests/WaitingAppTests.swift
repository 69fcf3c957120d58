import CoreNFC
import TapSystem
import Testing

@testable import TapTesting

/// Apps that sleep in real time while the phone counts virtual time.
@Suite struct WaitingAppTests {
    @Test(.card(.suica()), .phone(["time_limit": "1s"]), .idle(.seconds(1)))
    func aPresenceLoopEndsWithItsSession() async throws {
        let loop = PresenceLoop()
        loop.start()
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.errorCode == 201)
        #expect(end.duration == .seconds(1))
    }

    @Test(.card(.suica()), .timeline([["tap": "suica"], ["after": "1s", "remove": "suica"]]), .idle(.seconds(1)))
    func aPresenceLoopSeesTheCardLeave() async throws {
        let loop = PresenceLoop()
        loop.start()
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.errorMessage == "The card left")
        #expect(end.duration < .seconds(2))
    }

    @Test(.card(.suica()), .card(.icoca()), .phone(["time_limit": "1s"]))
    func aSearchForOneCardAmongTwoEndsWithItsSession() async throws {
        let reader = OneCardReader()
        reader.start()
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.errorCode == 201)
        #expect(end.alerts == ["Hold one card alone."])
    }

    @Test(.card(.suica()), .leavesSessionOpen())
    func waitsEndAtTheirTimeout() async throws {
        let loop = PresenceLoop()
        loop.start()
        let error = await #expect(throws: VirtualNFCError.self) {
            try await VirtualNFC.sessionEnd(timeout: .milliseconds(700))
        }
        #expect(error?.description.contains("has not ended within 0.7 s") == true)
        await #expect(throws: VirtualNFCError.self) {
            try await VirtualNFC.wait(timeout: .milliseconds(700)) { $0.errorMessage != nil }
        }
    }

    @Test(.card(.suica()), .leavesSessionOpen())
    func aCancelledTaskStopsWaiting() async throws {
        let loop = PresenceLoop()
        loop.start()
        let end = Task { try await VirtualNFC.sessionEnd() }
        let event = Task { try await VirtualNFC.wait { $0.errorMessage != nil } }
        end.cancel()
        event.cancel()
        await #expect(throws: CancellationError.self) { _ = try await end.value }
        await #expect(throws: CancellationError.self) { try await event.value }
    }
}

/// A client that checks every half second whether the card is still present, and ends when it is not.
private final class PresenceLoop: NSObject, NFCTagReaderSessionDelegate, @unchecked Sendable {
    func start() {
        NFCTagReaderSession(pollingOption: .iso18092, delegate: self)?.begin()
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        look(for: tags[0], session)
    }

    private func look(for tag: NFCTag, _ session: NFCTagReaderSession) {
        session.connect(to: tag) { error in
            guard error == nil else { return session.invalidate(errorMessage: "The card left") }
            session.sessionQueue.asyncAfter(deadline: .now() + .milliseconds(500)) { self.look(for: tag, session) }
        }
    }
}

/// A client that looks again after half a second while several cards are present.
private final class OneCardReader: NSObject, NFCTagReaderSessionDelegate, @unchecked Sendable {
    func start() {
        NFCTagReaderSession(pollingOption: .iso18092, delegate: self)?.begin()
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard tags.count > 1 else { return session.invalidate() }
        session.alertMessage = "Hold one card alone."
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(500)) { session.restartPolling() }
    }
}
