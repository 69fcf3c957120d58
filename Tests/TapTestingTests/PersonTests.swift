import CoreNFC
import TapTesting
import Testing

@Suite(.card(.suica(), isAway: true)) struct PersonTests {
    @Test func cancelEndsTheSession() async throws {
        #expect(try await code { try VirtualNFC.cancel() } == 200)
    }

    @Test func theBackgroundEndsTheSession() async throws {
        #expect(try await code { try VirtualNFC.background() } == 202)
    }

    @Test func switchingTheRadioOffEndsTheSession() async throws {
        #expect(try await code { try VirtualNFC.radio(on: false) } == 6)
    }

    @Test func theSessionEndsAtItsTimeLimit() async throws {
        let reader = BalanceReader()
        reader.start()
        try await VirtualNFC.wait { $0.error == nil }
        try await VirtualNFC.pass(.seconds(59))
        #expect(try VirtualNFC.phone.sessions.last?.error == nil)
        try await VirtualNFC.pass(.seconds(1))
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.errorCode == 201)
        #expect(end.duration == .seconds(60))
    }

    @Test func aFailedWaitReportsTheProgressOfTheSession() async throws {
        let reader = BalanceReader()
        reader.start()
        let error = await #expect(throws: VirtualNFCError.self) {
            try await VirtualNFC.wait(timeout: .milliseconds(50)) { $0.commands.contains("felica.read") }
        }
        #expect(error?.description.contains("no command was sent") == true)
        try VirtualNFC.cancel()
    }

    private func code(_ act: () throws -> Void) async throws -> Int {
        let reader = BalanceReader()
        reader.start()
        try await VirtualNFC.wait { _ in true }
        try act()
        return try await VirtualNFC.sessionEnd().errorCode
    }
}
