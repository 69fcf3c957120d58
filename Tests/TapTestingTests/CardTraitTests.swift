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
        #expect(end.errorText == "Session invalidated by user")
        #expect(end.alerts == ["Hold your card here", "3120 yen"])
        #expect(end.commands == ["felica.read"])
        #expect(end.cards == ["suica"])
        #expect(end.exchanges.map(\.number) == Array(1...end.exchanges.count))
        #expect(end.notes.contains { $0.contains("Info.plist") })
    }

    @Test(.card("icoca:balance=500,trips=2"))
    func aCardCanBeGivenInTheSyntaxOfTheCommandLine() async throws {
        #expect(try await balance() == 500)
    }

    @Test(arguments: [
        VirtualCard.suica(balance: 7), .icoca(balance: 7), .pasmo(balance: 7), .toica(balance: 7), .manaca(balance: 7),
        .kitaca(balance: 7), .sugoca(balance: 7), .nimoca(balance: 7), .hayakaken(balance: 7), .pitapa(balance: 7),
    ])
    func everyTransitCardHasItsBalance(_ card: VirtualCard) async throws {
        try await withVirtualNFC(.card(card)) {
            let balance = try await balance()
            #expect(balance == 7)
        }
    }

    @Test(.card(.suica(balance: 1)), .card(.suica(balance: 2)), .card(.ntag215(uid: "04 11 22 33 44 55 66")))
    func severalCardsHaveNamesWithNumbers() throws {
        #expect(try VirtualNFC.card(named: "suica").isPresent)
        #expect(try VirtualNFC.card(named: "suica-2").isPresent)
        #expect(try VirtualNFC.card(named: "ntag215").page(0) == [0x04, 0x11, 0x22, 0xBF])
        #expect(throws: VirtualNFCError.self) { try VirtualNFC.card }
        #expect(throws: VirtualNFCError.self) { try VirtualNFC.tap("nanaco") }
    }

    @Test(.card(.suica(balance: 1), named: "a"), .card(.suica(balance: 2), named: "b", isAway: true))
    func cardsAreSwappedWhileAnAppLooks() async throws {
        try VirtualNFC.swap("a", for: "b")
        #expect(try await balance() == 2)
        try VirtualNFC.remove()
        #expect(try !VirtualNFC.card(named: "b").isPresent)
    }

    @Test(.card(.suica(balance: 9), isAway: true))
    func aCardIsTappedWhileTheAppWaits() async throws {
        let reader = BalanceReader()
        reader.start()
        try await VirtualNFC.wait { $0.alerts == ["Hold your card here"] }
        try VirtualNFC.tap("suica")
        #expect(try await VirtualNFC.sessionEnd().alerts.last == "9 yen")
    }

    @Test(.card(.suica(balance: 3120).with(["history": [["kind": "fare-gate", "amount": -210]]])))
    func theNewestRecordOfAHistoryHasTheGivenBalance() throws {
        let record = try #require(try VirtualNFC.card.blocks(of: 0x090F)?.first)
        #expect(Int(record[10]) | Int(record[11]) << 8 == 3120)
    }

    @Test(.card(.suica(balance: 9)), .timeline([["at": "5s", "tap": "suica"]]))
    func aTimelineTapsTheCard() async throws {
        let reader = BalanceReader()
        reader.start()
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.alerts.last == "9 yen")
        #expect(end.duration >= .seconds(5))
    }

    @Test(
        .card(.suica(balance: 9)), .card(.icoca(), named: "other"),
        .timeline([["after": "1s", "remove": "suica"], ["after": "1s", "swap": ["out": "ntag", "in": "other"]]]),
        .card(.ntag213(), named: "ntag"))
    func cardsThatTheTimelineDoesNotTapArePresentFromTheStart() async throws {
        #expect(try VirtualNFC.card(named: "suica").isPresent)
        #expect(try !VirtualNFC.card(named: "other").isPresent)
        #expect(try await balance() == 9)
        try await VirtualNFC.pass(.seconds(2))
        #expect(try !VirtualNFC.card(named: "suica").isPresent)
        #expect(try VirtualNFC.card(named: "other").isPresent)
        #expect(try !VirtualNFC.card(named: "ntag").isPresent)
    }

    @Test(
        .card(.suica(balance: 9)), .card(.icoca(balance: 1), isAway: true),
        .timeline([["after": "1s", "tap": ["card": "icoca"]], ["remove": "suica"]]))
    func aCardThatIsAwayStaysAwayUntilTheTimelineTapsIt() async throws {
        #expect(try VirtualNFC.card(named: "suica").isPresent)
        #expect(try !VirtualNFC.card(named: "icoca").isPresent)
        try await VirtualNFC.pass(.seconds(1))
        #expect(try await balance() == 1)
    }

    @Test(
        .card(
            .feliCa(systems: [
                "0003": ["services": ["008B": ["00 00 00 00 00 00 00 00 00 00 00 2A 00 00 00 01"]]]
            ])), .systemCodes("0003"))
    func aCardOfYourOwnHasItsBlocks() async throws {
        #expect(try await balance() == 42)
        #expect(try VirtualNFC.card.blocks(of: 0x008B)?.first?[11] == 0x2A)
        #expect(try VirtualNFC.card.blocks(of: 0x090F) == nil)
        #expect(try VirtualNFC.card.isUnchanged)
    }

    @Test(
        .card(
            .ntag215(
                ndef: [.uri("https://example.com"), .text("hello")], password: "01 02 03 04", pack: "0A 0B", auth0: 4,
                protection: .readWrite
            ).with(["config": ["auth0": 16]])))
    func keysOfAFileReplaceThoseOfABuilder() throws {
        #expect(try VirtualNFC.card.pages.count == 135)
        #expect(try VirtualNFC.card.page(131)?[3] == 16)
        #expect(try VirtualNFC.card.authenticationFailures == 0)
    }

    private func balance() async throws -> Int? {
        let reader = BalanceReader()
        reader.start()
        _ = try await VirtualNFC.sessionEnd()
        return reader.balance
    }
}

@MainActor @Suite struct MainActorTests {
    @Test(.card(.suica(balance: 11))) func aSuiteOnTheMainActorReadsACardOnTheMainQueue() async throws {
        let reader = BalanceReader(queue: .main)
        reader.start()
        _ = try await VirtualNFC.sessionEnd()
        #expect(reader.balance == 11)
    }

    @Test func aPartOfATestStaysOnTheMainActor() async throws {
        let reader = BalanceReader(queue: .main)
        try await withVirtualNFC(.card(.suica(balance: 12))) {
            MainActor.preconditionIsolated()
            reader.start()
            _ = try await VirtualNFC.sessionEnd()
            #expect(reader.balance == 12)
        }
    }
}
