import Testing

@testable import TapTesting

/// A test of an app as people write it, which `tapsim audit` starts again and again in a test of its own.
struct AuditedAppTests {
    @Test(.card(.suica(balance: 3120, trips: 5)))
    func showsTheBalance() async throws {
        let reader = BalanceReader()
        reader.start()
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.errorMessage == nil)
        #expect(reader.balance == 3120)
    }

    /// Looks at nothing but that the session ends well.
    @Test(.card(.suica(balance: 500)))
    func endsItsSession() async throws {
        let reader = BalanceReader()
        reader.start()
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.errorMessage == nil)
    }
}
