import CoreNFC
import Swift6Reader
import TapTesting
import Testing

/// The model in Swift 6 mode: its state on the main actor after each kind of end of a scan.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct Swift6ReaderTests {
    @Test(.card(.suica(balance: 3120, trips: 20, idm: "01 12 01 01 01 01 01 01")))
    func `A card is read without blocking the main actor`() async throws {
        let model = CardModel()
        await model.scan()
        guard case .read(let card) = model.state else {
            Issue.record("\(model.state)")
            return
        }
        #expect(card.idm == "0112010101010101")
        #expect(card.balance == 3120)
        #expect(card.latestBalances.count == 10)
        #expect(card.latestBalances.first == 3120)
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.alerts == ["Hold your card to the iPhone.", "Done."])
    }

    @Test(.scenario("Scenarios/no-history.json"))
    func `A missing service is shown`() async {
        #expect(await state() == .failed("This card keeps no history."))
    }

    @Test(
        .card(.suica(balance: 840, trips: 20)), .card(.pasmo()),
        .timeline([["tap": "suica"], ["tap": "pasmo"], ["when": ["phone": "detected"], "remove": "pasmo"]]))
    func `Two cards are distinguished from one, and the one that stays is read`() async throws {
        guard case .read(let card) = await state() else {
            Issue.record("the card that stayed was not read")
            return
        }
        #expect(card.balance == 840)
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.alerts == ["Hold your card to the iPhone.", "Hold a single card.", "Done."])
    }

    @Test(.card(.suica(trips: 20).with(["quirks": ["maxReadBlocks": 8]])))
    func `A read beyond the card's limit is shown as a refusal`() async {
        #expect(await state() == .failed("The card refused: 255, 162."))
    }

    @Test(.card(.suica()), .fault(.status(0xFF, 0xA1), when: .felicaRead))
    func `A refusal of the card is shown`() async {
        #expect(await state() == .failed("The card refused: 255, 161."))
    }

    @Test(.card(.suica()), .fault(.userCancel))
    func `Cancelling returns to the initial state`() async {
        #expect(await state() == .idle)
    }

    @Test(.card(.suica()), .fault(.unsupported))
    func `A phone without NFC is reported at once`() async {
        #expect(await state() == .failed("This device cannot read cards."))
    }

    @Test(.card(.suica()), .fault(.loseTag(), when: .felicaRead))
    func `A removed card is shown with a text of Core NFC`() async throws {
        let shown = await state()
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.errorMessage == "The card could not be read.")
        guard case .failed(let text) = shown else {
            Issue.record("\(shown)")
            return
        }
        #expect(!text.isEmpty)
    }

    @Test(.card(.suica(), isAway: true), .idle(.milliseconds(300)))
    func `The limit of the session is shown`() async {
        guard case .failed(let text) = await state() else {
            Issue.record("the session did not end as failed")
            return
        }
        #expect(!text.isEmpty)
    }

    private func state() async -> CardModel.State {
        let model = CardModel()
        await model.scan()
        return model.state
    }
}
