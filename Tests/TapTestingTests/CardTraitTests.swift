import CoreNFC
import TapTesting
import Testing

@Suite struct CardTraitTests {
    @Test(.card(.suica(balance: 3120)))
    func aClientReadsTheCardOfATrait() async throws {
        let reader = BalanceReader()
        reader.start()
        let end = try await VirtualNFC.sessionEnd()
        #expect(reader.balance == 3120)
        #expect(end.errorMessage == nil)
        #expect(end.errorCode == 200)
        #expect(end.alerts == ["Hold your card here", "3120 yen"])
        #expect(end.commands == ["felica.read"])
    }
}
