import Testing

@testable import TapTesting

/// A typical app test, which `tapsim audit` runs repeatedly in its own test.
struct AuditedAppTests {
    @Test(.card(.suica(balance: 3120, trips: 5)))
    func showsTheBalance() async throws {
        let reader = BalanceReader()
        reader.start()
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.errorMessage == nil)
        #expect(reader.balance == 3120)
    }

    /// Checks only that the session ends without an error.
    @Test(.card(.suica(balance: 500)))
    func endsItsSession() async throws {
        let reader = BalanceReader()
        reader.start()
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.errorMessage == nil)
    }
}
