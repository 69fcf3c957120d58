import CoreNFC
import ICOCAReader
import PasswordTag
import SuicaReader
import TapTesting
import XCTest

/// The same readers in XCTest tests, which wait with expectations.
final class ReaderXCTests: XCTestCase {
    func testACardIsReadWhileAnExpectationIsWaitedFor() throws {
        try withVirtualNFC(.card(.suica(balance: 3120, trips: 20))) {
            let card = try XCTUnwrap(try scan(SuicaReader())?.get())
            XCTAssertEqual(card.balance, 3120)
            XCTAssertEqual(card.history.count, 10)
            let end = try sessionEnd()
            XCTAssertNil(end.errorMessage)
            XCTAssertEqual(end.alerts.last, "Balance: 3120 yen")
        }
    }

    func testACancelledSessionShowsNoError() throws {
        try withVirtualNFC(.card(.suica()), .fault(.userCancel)) {
            guard case .failure(let error) = try XCTUnwrap(scan(SuicaReader())) else {
                return XCTFail("the session was not cancelled")
            }
            XCTAssertEqual((error as? NFCReaderError)?.code, .readerSessionInvalidationErrorUserCanceled)
            XCTAssertNil(try sessionEnd().errorMessage)
        }
    }

    func testAModelIsSetOnTheMainQueueBeforeTheEndOfTheSession() throws {
        try withVirtualNFC(.card(.icoca(balance: 2450, trips: 20))) {
            let reader = ICOCAReader()
            reader.start()
            XCTAssertEqual(try sessionEnd().errorCode, 200)
            XCTAssertEqual(reader.history.count, 20)
            XCTAssertEqual(reader.history.first?.balance, 2450)
        }
    }

    func testAnAsynchronousTestHasAPhoneToo() async throws {
        let tag: VirtualCard = .ntag215(
            ndef: [.uri("https://example.com/t/42")], password: "DE AD BE EF", pack: "C0 DE", auth0: 4,
            protection: .readWrite)
        try await withVirtualNFC(.card(tag)) {
            let reader = PasswordTagReader(password: Data([0xDE, 0xAD, 0xBE, 0xEF]), pack: Data([0xC0, 0xDE]))
            let addresses = try await reader.addresses()
            XCTAssertEqual(addresses.map(\.absoluteString), ["https://example.com/t/42"])
        }
    }

    /// The result of a reader, within ten seconds.
    private func scan(_ reader: SuicaReader) throws -> Result<SuicaCard, Error>? {
        let told = expectation(description: "the reader tells what became of the scan")
        var result: Result<SuicaCard, Error>?
        reader.onResult = {
            result = $0
            told.fulfill()
        }
        reader.scan()
        wait(for: [told], timeout: 10)
        return result
    }
}
