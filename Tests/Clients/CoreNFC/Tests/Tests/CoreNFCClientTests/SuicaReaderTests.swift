import CoreNFC
import SuicaReader
import TapTesting
import Testing

/// The reader with completion handlers: its results for cards and for interruptions.
@Suite(.timeLimit(.minutes(5)))
struct SuicaReaderTests {
    @Test(.card(.suica(balance: 3120, trips: 20, idm: "01 01 01 01 01 01 01 01")))
    func `Balance and the ten newest uses are read`() async throws {
        let card = try await scan().get()
        #expect(card.idm == Data(repeating: 1, count: 8))
        #expect(card.balance == 3120)
        #expect(card.history.count == 10)
        #expect(card.history.first?.balance == 3120)
        #expect(card.history.allSatisfy { (1...12).contains($0.month) && (1...31).contains($0.day) })

        let end = try await VirtualNFC.sessionEnd()
        #expect(
            end.alerts == [
                "Hold your Suica to the top of the iPhone.", "Reading, do not move the card.", "Balance: 3120 yen",
            ])
        #expect(end.commands == ["felica.request_service", "felica.read", "felica.read"])
        #expect(end.errorMessage == nil)
        #expect(end.errorCode == 200)
    }

    @Test(.card(.suica(balance: 500, trips: 3)))
    func `Unused history blocks are omitted`() async throws {
        #expect(try await scan().get().history.count == 3)
    }

    @Test(.card(.suica(balance: 3120, trips: 12)))
    func `A card returns at most twelve blocks at once`() async throws {
        #expect(try await scan(blocks: 12).get().history.count == 12)
    }

    @Test(.card(.suica(balance: 3120, trips: 20)))
    func `A read beyond the card's limit is refused with status flags`() async throws {
        #expect(await failure(blocks: 13) as? SuicaError == .status(0xFF, 0xA2))
        #expect(try await VirtualNFC.sessionEnd().errorMessage == "The history could not be read.")
    }

    @Test(.scenario("Scenarios/no-history.json"))
    func `A card without the history service is distinguished from one without history`() async throws {
        #expect(await failure() as? SuicaError == .serviceMissing)
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.errorMessage == "This card has no history.")
        #expect(end.commands == ["felica.request_service"])
    }

    @Test(.card(.suica(balance: 3120)), .fault(.status(0x01, 0xA6), when: .felicaRead, nth: 1))
    func `A refused balance is reported with both status flags`() async throws {
        #expect(await failure() as? SuicaError == .status(0x01, 0xA6))
        #expect(try await VirtualNFC.sessionEnd().errorMessage == "The balance could not be read.")
    }

    @Test(.card(.suica(balance: 3120)), .fault(.loseTag(backIn: .seconds(1)), when: .felicaRead, nth: 2))
    func `A card that moves is searched for again and read from the start`() async throws {
        #expect(try await scan().get().balance == 3120)
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.alerts.contains("The card moved. Please hold it again."))
        #expect(end.commands.count { $0 == "felica.request_service" } == 2)
        #expect(end.errorMessage == nil)
    }

    @Test(.card(.suica(balance: 3120)), .fault(.loseTag(), when: .felicaRead), .idle(.milliseconds(300)))
    func `A card that does not return lets the session run to its limit`() async throws {
        #expect(await code() == .readerSessionInvalidationErrorSessionTimeout)
    }

    @Test(.card(.suica(balance: 3120)), .fault(.connectionLost, when: .call, times: "2"))
    func `A connection lost twice ends the session with a message`() async throws {
        #expect(await code() == .readerTransceiveErrorTagConnectionLost)
        #expect(try await VirtualNFC.sessionEnd().errorMessage == "The card could not be read.")
    }

    @Test(
        .card(.suica(balance: 3120)), .card(.pasmo()),
        .timeline([["tap": "suica"], ["tap": "pasmo"], ["when": ["phone": "detected"], "remove": "pasmo"]]))
    func `Two cards cause a message, and the one that stays is read`() async throws {
        #expect(try await scan().get().balance == 3120)
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.alerts.contains("More than one card was found. Please hold only one."))
    }

    @Test(.card(.suica(), isAway: true), .idle(.milliseconds(300)))
    func `Without a card the session ends at its limit of sixty seconds`() async throws {
        #expect(await code() == .readerSessionInvalidationErrorSessionTimeout)
        #expect(try await VirtualNFC.sessionEnd().commands == [])
    }

    @Test(.card(.suica()), .fault(.userCancel))
    func `Cancelling is reported as such and shows no error`() async throws {
        #expect(await code() == .readerSessionInvalidationErrorUserCanceled)
        #expect(try await VirtualNFC.sessionEnd().errorMessage == nil)
    }

    @Test(.card(.suica()), .fault(.background, when: .felicaRead))
    func `An app that goes to the background during a read is notified, first by the pending call`() async throws {
        #expect(await code() == .readerTransceiveErrorSessionInvalidated)
        #expect(try await VirtualNFC.sessionEnd().errorCode == 202)
    }

    @Test(.card(.suica()), .fault(.systemBusy))
    func `A phone whose NFC is in use does not begin`() async {
        #expect(await code() == .readerSessionInvalidationErrorSystemIsBusy)
    }

    @Test(.card(.suica()), .fault(.radioOff))
    func `A phone whose NFC is switched off does not begin`() async {
        #expect(await code() == .readerErrorRadioDisabled)
    }

    @Test(.card(.suica()), .fault(.unsupported))
    func `The app first checks whether the phone has NFC`() async {
        #expect(await failure() as? SuicaError == .notSupported)
    }

    private func scan(blocks: Int = 10) async -> Result<SuicaCard, any Error> {
        let reader = SuicaReader()
        reader.blockCount = blocks
        let result = await withCheckedContinuation { continuation in
            reader.onResult = { continuation.resume(returning: $0) }
            reader.scan()
        }
        // A session holds its delegate weakly.
        return withExtendedLifetime(reader) { result }
    }

    private func failure(blocks: Int = 10) async -> (any Error)? {
        guard case .failure(let error) = await scan(blocks: blocks) else { return nil }
        return error
    }

    private func code() async -> NFCReaderError.Code? {
        (await failure() as? NFCReaderError)?.code
    }
}
