import TapTesting
import Testing

@testable import CardReader

struct BalanceReaderTests {
    let reader = BalanceReader()

    @Test(.card(.suica(balance: 3120)), .infoPlist("CardApp/Info.plist"))
    func showsTheBalance() async throws {
        reader.scan()
        let end = try await VirtualNFC.sessionEnd()
        #expect(reader.balance == 3120)
        #expect(end.alerts == ["Hold your card to the iPhone.", "3120 yen"])
        #expect(end.errorMessage == nil)
    }

    @Test(.card(.suica(balance: 3120)), .fault(.loseTag(), when: .felicaRead))
    func saysThatTheCardMoved() async throws {
        reader.scan()
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.errorMessage == "The card cannot be read.")
        #expect(reader.balance == nil)
    }

    @Test(.card(.suica(), isAway: true), .idle(.milliseconds(300)))
    func givesUpAfterSixtySeconds() async throws {
        reader.scan()
        let end = try await VirtualNFC.sessionEnd()
        #expect(reader.problem == .readerSessionInvalidationErrorSessionTimeout)
        #expect(end.duration == .seconds(60))
    }

    @Test(.scenario("Scenarios/app.yaml", case: "the card slips away"))
    func meetsTheScenario() async throws {
        reader.scan()
        _ = try await VirtualNFC.sessionEnd()
    }
}
