import Combine
import ICOCAReader
import TapTesting
import Testing

/// The reader that is an observable object, as seen by a view.
@Suite(.timeLimit(.minutes(5)))
struct ICOCAReaderTests {
    @Test(.card(.icoca(balance: 2450, trips: 20)))
    func `Twenty uses are read in two halves, each with its price`() async throws {
        let reader = ICOCAReader()
        reader.start()
        let uses = await reader.$history.values.first { !$0.isEmpty } ?? []

        #expect(uses.count == 20)
        #expect(uses.first?.balance == 2450)
        #expect(uses.last?.price == nil)
        for (newer, older) in zip(uses, uses.dropFirst()) {
            #expect(newer.price == older.balance - newer.balance)
            #expect(newer.id > older.id)
        }
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.commands == ["felica.request_service", "felica.read", "felica.read"])
        #expect(end.alerts.last == "20 uses were read.")
        #expect(reader.error == nil)
    }

    @Test(
        .card(
            .icoca(balance: 1000).with([
                "history": [
                    ["date": "2026-11-18", "kind": "fare-gate", "balance": 1000],
                    ["date": "2026-11-17", "kind": "top-up", "balance": 1210],
                    ["date": "2026-11-16", "kind": "shop", "balance": 210],
                ],
                "trips": 3,
            ])))
    func `The price is the difference of two balances, and negative for a charge`() async {
        let reader = ICOCAReader()
        reader.start()
        let uses = await reader.$history.values.first { !$0.isEmpty } ?? []
        #expect(uses.map(\.price) == [210, -1000, nil])
        #expect(uses.map(\.date.day) == [18, 17, 16])
        #expect(uses.first?.date.year == 2026)
        #expect(reader.error == nil)
    }

    @Test(.card(.icoca(balance: 2450, trips: 20)))
    func `The object notifies before its history changes`() async throws {
        let reader = ICOCAReader()
        var changes = 0
        let observed = reader.objectWillChange.sink { changes += 1 }
        reader.start()
        let before = changes
        _ = await reader.$history.values.first { !$0.isEmpty }
        #expect(before == 2)
        #expect(changes == 3)
        observed.cancel()
        // The object notifies before it changes; the session ends after all work already in the main queue.
        _ = try await VirtualNFC.sessionEnd()
        #expect(reader.history.count == 20)
    }

    @Test(.scenario("Scenarios/no-history.json"))
    func `A card without the history service is shown as such`() async throws {
        #expect(await message() == "This card keeps no history.")
        #expect(try await VirtualNFC.sessionEnd().errorMessage == "This card keeps no history.")
    }

    @Test(.card(.icoca(trips: 20).with(["quirks": ["maxReadBlocks": 8]])))
    func `A card that allows fewer blocks at once refuses with status flags`() async {
        #expect(await message() == "The card refused with FF A2.")
    }

    @Test(.card(.icoca(trips: 20)), .fault(.status(0xFF, 0x70), when: .felicaRead, nth: 2))
    func `A card error in the second half shows no partial history`() async {
        let reader = ICOCAReader()
        #expect(await message(of: reader) == "The card refused with FF 70.")
        #expect(reader.history == [])
    }

    @Test(.card(.icoca()), .fault(.loseTag(), when: .felicaRead))
    func `A removed card is reported with the text of Core NFC`() async throws {
        let shown = await message()
        #expect(shown?.isEmpty == false)
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.errorMessage == shown)
    }

    @Test(.card(.icoca()), .card(.suica()))
    func `Two cards at once are refused`() async {
        #expect(await message() == "Please hold one ICOCA only.")
    }

    @Test(.card(.icoca(), isAway: true), .idle(.milliseconds(300)))
    func `The limit of the session has its own message`() async {
        #expect(await message() == "No card was found in time.")
    }

    @Test(.card(.icoca()), .fault(.unsupported))
    func `A phone without NFC is reported at once`() {
        let reader = ICOCAReader()
        reader.start()
        #expect(reader.error == "This device cannot read cards.")
    }

    @Test(.card(.icoca()), .fault(.userCancel))
    func `Cancelling is not an error`() async throws {
        let reader = ICOCAReader()
        reader.start()
        _ = try await VirtualNFC.sessionEnd()
        await MainActor.run {}
        #expect(reader.error == nil)
        #expect(reader.history == [])
    }

    private func message(of reader: ICOCAReader = ICOCAReader()) async -> String? {
        reader.start()
        return await reader.$error.values.first { $0 != nil } ?? nil
    }
}
