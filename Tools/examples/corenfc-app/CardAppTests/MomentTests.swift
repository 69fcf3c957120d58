import TapTesting
import Testing

@testable import CardReader

struct MomentTests {
    let reader = BalanceReader()

    @Test(.card(.suica(balance: 500), isAway: true))
    func readsACardThatComesLater() async throws {
        reader.scan()
        try await VirtualNFC.wait { $0.alerts == ["Hold your card to the iPhone."] }
        try VirtualNFC.tap("suica")
        _ = try await VirtualNFC.sessionEnd()
        #expect(reader.balance == 500)
    }

    @Test(.card(.suica(), isAway: true))
    func looksForAMinute() async throws {
        reader.scan()
        try await VirtualNFC.pass(.seconds(59))
        #expect(try VirtualNFC.phone.sessions.last?.error == nil)
        try await VirtualNFC.pass(.seconds(1))
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.errorCode == 201)
    }

    @Test(.card(.suica(balance: 3120)), .clock(.real))
    func leavesTheCardAsItIs() async throws {
        reader.scan()
        _ = try await VirtualNFC.sessionEnd()
        #expect(try VirtualNFC.card.isUnchanged)
        #expect(try VirtualNFC.card.blocks(of: 0x090F)?.count == 20)
    }

    @Test(arguments: [VirtualCard.suica(balance: 7), .icoca(balance: 7), "pasmo:balance=7"])
    func readsCardsOfEveryKind(_ card: VirtualCard) async throws {
        try await withVirtualNFC(.card(card)) {
            reader.scan()
            _ = try await VirtualNFC.sessionEnd()
            #expect(reader.balance == 7)
        }
    }
}
