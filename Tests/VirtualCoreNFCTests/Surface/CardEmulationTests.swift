import CoreNFC
import Testing

@Suite("Card emulation")
struct CardEmulationSuite {
    @Test("is not available, and reports it")
    func notThere() async {
        #expect(!CardSession.isSupported)
        #expect(await !CardSession.isEligible)
        await #expect(throws: CardSession.Error.systemNotAvailable) { _ = try await CardSession() }
        await #expect(throws: NFCPresentmentIntentAssertion.Error.systemNotAvailable) {
            _ = try await NFCPresentmentIntentAssertion.acquire()
        }
    }

    /// The loop that an app would run.
    private func serve(_ session: CardSession) async throws -> Int {
        var commands = 0
        for try await event in session.eventStream {
            switch event {
            case .received(let command):
                commands += command.payload.count
                try await command.respond(response: Data([0x90, 0x00]))
            case .sessionStarted: try await session.startEmulation()
            case .sessionInvalidated(let reason): if reason == .userInvalidated { return commands }
            case .readerDeselected: await session.stopEmulation(status: .success)
            case .readerDetected: session.alertMessage = "Hold still"
            }
        }
        return commands
    }

    @Test("throws an error that the app handles")
    func handled() async throws {
        do {
            _ = try await serve(CardSession())
            Issue.record("a session was created")
        } catch CardSession.Error.systemNotAvailable {
            // The app's fallback.
        }
    }
}
