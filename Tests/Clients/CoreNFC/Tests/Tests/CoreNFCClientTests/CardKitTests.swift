import CardKit
import Foundation
import TapTesting
import Testing

/// The typed reader: each kind of card, a custom kind, and failed readings.
@Suite(.timeLimit(.minutes(5)))
struct CardKitTests {
    @Test(.card(.pasmo(balance: 1840, trips: 20)))
    func `A transit card has a balance and twenty trips`() async throws {
        let card = try await scan(TransitCard.self).get()
        #expect(card.balance == 1840)
        #expect(card.trips.count == 20)
        #expect(card.trips.first?.balance == 1840)
        #expect(card.trips.map(\.number) == card.trips.map(\.number).sorted(by: >))
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.commands == ["felica.request_service"] + Array(repeating: "felica.read", count: 3))
    }

    @Test(.card(.nanaco(balance: 2450, trips: 5, number: "7600 1234 5678 9012")))
    func `A nanaco card has a number, a balance and payments`() async throws {
        let card = try await scan(Nanaco.self).get()
        #expect(card.number == "7600123456789012")
        #expect(card.balance == 2450)
        #expect(card.payments.count == 5)
        #expect(card.payments.first?.balance == 2450)
    }

    @Test(.card(.edy(balance: 414, trips: 6, number: "1234 5678 9012 3456")))
    func `An Edy card has a number, a balance and payments`() async throws {
        let card = try await scan(Edy.self).get()
        #expect(card.number == "1234567890123456")
        #expect(card.balance == 414)
        #expect(card.payments.count == 6)
        #expect(card.payments.first?.balance == 414)
        #expect(isConsistent(card.payments))
    }

    @Test(.card(.waon(balance: 40, trips: 3, number: "6900 1234 5678 9012")))
    func `A WAON card has a number, a balance and payments of two blocks each`() async throws {
        let card = try await scan(Waon.self).get()
        #expect(card.number == "6900123456789012")
        #expect(card.balance == 40)
        #expect(card.payments.count == 3)
        #expect(card.payments.first?.balance == 40)
        #expect(isConsistent(card.payments))
    }

    @Test(
        .card(
            .feliCa(systems: [
                "0003": ["services": ["008B": 1]],
                "FE00": ["services": ["1A8B": ["00 01 32 30 32 36 30 30 30 31 00 00 00 00 00 00"]]],
            ])))
    func `A custom kind of card is read in its own system`() async throws {
        let card = try await scan(StudentCard.self).get()
        #expect(card.number == "20260001")
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.commands == ["felica.polling", "felica.request_service", "felica.read"])
    }

    @Test(.card(.icoca()), .systemCodes("0003", "FE00"))
    func `A card without the system is distinguished from a failure`() async {
        #expect(await failure(Nanaco.self) == .otherCard)
    }

    @Test(.card(.suica()), .systemCodes("0003", "FE00"))
    func `A card with the system but without the services is reported too`() async throws {
        #expect(await failure(Nanaco.self) == .serviceMissing(0x558B))
        #expect(try await VirtualNFC.sessionEnd().commands == ["felica.polling", "felica.request_service"])
    }

    @Test(.card(.suica()), .systemCodes("0003"))
    func `A system that the app does not declare cannot be polled`() async {
        #expect(await failure(Nanaco.self) == .reader(code: 2))
    }

    @Test(.scenario("Scenarios/no-history.json"))
    func `A missing service is reported`() async {
        #expect(await failure(TransitCard.self) == .serviceMissing(0x090F))
    }

    @Test(.card(.suica(trips: 20)), .fault(.status(0xFF, 0xA1), when: .felicaRead, nth: 2))
    func `Status flags of the card are passed on`() async throws {
        #expect(await failure(TransitCard.self) == .status(0xFF, 0xA1))
        #expect(try await VirtualNFC.sessionEnd().errorMessage == "Not read: status(255, 161)")
    }

    @Test(.card(.suica(trips: 20)))
    func `A card refuses more blocks than it can return at once`() async {
        #expect(await failure(TransitCard.self, blocksAtOnce: 20) == .status(0xFF, 0xA2))
    }

    @Test(
        .card(.edy(balance: 414)), .card(.nanaco()),
        .timeline([["tap": "edy"], ["tap": "nanaco"], ["when": ["phone": "detected"], "remove": "nanaco"]]))
    func `With two cards, the one that stays is read`() async throws {
        #expect(try await scan(Edy.self).get().balance == 414)
        #expect(try await VirtualNFC.sessionEnd().alerts.last == "Hold a single card.")
    }

    @Test(.card(.edy(), isAway: true), .idle(.milliseconds(300)))
    func `Without a card the session ends at its limit`() async {
        #expect(await failure(Edy.self) == .reader(code: 201))
    }

    @Test(.card(.waon()), .fault(.loseTag(), when: .felicaRead, nth: 3))
    func `A removed card ends the reading with the code of Core NFC`() async {
        #expect(await failure(Waon.self) == .reader(code: 100))
    }

    @Test(.card(.edy()), .fault(.userCancel, when: .connected))
    func `Cancelling during a reading ends it once, reported first by the pending call`() async throws {
        #expect(await failure(Edy.self) == .reader(code: 103))
        #expect(try await VirtualNFC.sessionEnd().errorCode == 200)
    }

    @Test(.card(.nanaco()), .fault(.stackError, when: .call, nth: 2))
    func `An error of the phone ends the reading`() async throws {
        guard case .reader = await failure(Nanaco.self) else {
            Issue.record("the phone's error did not come through")
            return
        }
    }

    /// Returns whether each balance follows from the previous balance and the amount.
    private func isConsistent(_ payments: [Payment]) -> Bool {
        zip(payments, payments.dropFirst()).allSatisfy { newer, older in
            switch newer.kind {
            case .payment: newer.balance == older.balance - newer.amount
            case .charge: newer.balance == older.balance + newer.amount
            case .other: true
            }
        }
    }

    private func scan<Card: FeliCaCard>(
        _ kind: Card.Type, blocksAtOnce: Int = 12
    ) async -> Result<Card, CardError> {
        let scanner = CardScanner()
        scanner.blocksAtOnce = blocksAtOnce
        return await withCheckedContinuation { continuation in
            scanner.scan(for: kind, message: "Hold the card to the iPhone.") { result in
                // The scanner stays alive during the wait.
                withExtendedLifetime(scanner) { continuation.resume(returning: result) }
            }
        }
    }

    private func failure<Card: FeliCaCard>(_ kind: Card.Type, blocksAtOnce: Int = 12) async -> CardError? {
        guard case .failure(let error) = await scan(kind, blocksAtOnce: blocksAtOnce) else { return nil }
        return error
    }
}

/// A kind of card that is unknown to CardKit.
private struct StudentCard: FeliCaCard {
    static let systemCode: UInt16 = 0xFE00
    static let reads = [ServiceRead(0x1A8B)]

    let number: String

    init(idm: Data, content: CardContent) throws {
        number = String(decoding: try content.block(of: 0x1A8B)[2..<10], as: UTF8.self)
    }
}
