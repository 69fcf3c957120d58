import CoreNFC
import Testing

@testable import TapTesting

@Suite struct SessionEndTests {
    @Test(.card(.suica()))
    func aMissingSessionIsReported() async throws {
        let error = await #expect(throws: VirtualNFCError.self) {
            try await VirtualNFC.sessionEnd(timeout: .milliseconds(20))
        }
        #expect(error?.description.contains("no session has begun") == true)
    }

    @Test(.card(.suica(), isAway: true), .leavesSessionOpen())
    func aContinuingSessionIsDescribed() async throws {
        let reader = BalanceReader()
        reader.start()
        let error = await #expect(throws: VirtualNFCError.self) {
            try await VirtualNFC.sessionEnd(timeout: .milliseconds(200))
        }
        #expect(error?.description.contains("no tag was found yet") == true)
        #expect(error?.description.contains("Hold your card here") == true)
    }

    @Test(.card(.suica(), isAway: true), .idle(.milliseconds(20)))
    func aSessionWithoutACardEndsSoonAtItsLimit() async throws {
        BalanceReader().start()
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.errorCode == 201)
        #expect(end.duration == .seconds(60))
    }

    @Test(.idle(.milliseconds(20)))
    func aPhoneWithoutACardFindsNone() async throws {
        let reader = BalanceReader()
        reader.start()
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.errorCode == 201)
        #expect("\(end)".contains("Session timeout (201)"))
        #expect("\(end)".contains("shown: \"Hold your card here\"; commands: none"))
    }

    @Test func aSessionLeftOpenIsAFinding() async throws {
        let (told, _) = try await findings([.card(.suica(), isAway: true)]) { BalanceReader().start() }
        #expect(told.count == 1)
        #expect(told.first?.text.contains("still open") == true)
    }
}
