import TapClient
import TapSystem
import TapFuzz
import TapWire
import Testing
import XCTest

@testable import TapTesting

/// Reads the balance of a transit card over a link; a hasty reader ignores status flags.
private func balance(_ link: inout FuzzedLink, isHasty: Bool = false) async throws -> Int {
    struct Failure: Error {}
    let polling = Polling.Request(systemCode: .transit)
    let found = try await link.activate(.felica(polling), timeout: .milliseconds(100))
    guard case .felica(let card, let technology)? = found else { throw Failure() }
    let request = ReadWithoutEncryption.Request(
        idm: card.idm, services: [NodeCode(0x008B)], blocks: [BlockListElement(blockNumber: 0)])
    let answer = try await link.transceive(RFFrame(technology, request.bytes), timeout: .milliseconds(100))
    guard let answer, answer.integrity == .good else { throw Failure() }
    if isHasty {
        let bytes = answer.bytes + Array(repeating: 0, count: 29)
        return Int(bytes[24]) | Int(bytes[25]) << 8
    }
    guard let response = try? ReadWithoutEncryption.Response(parsing: answer.bytes), response.idm == card.idm,
        response.status == .success, let block = response.blocks.first
    else { throw Failure() }
    return Int(block.bytes[11]) | Int(block.bytes[12]) << 8
}

private actor RunCounter {
    private var count = -1

    func next() -> Int {
        count += 1
        return count
    }
}

/// The results of a campaign over a link, as reported to a test.
private func told(
    _ traits: PhoneTrait..., only: [String] = [], at location: SourceLocation = #_sourceLocation,
    _ client: @escaping @Sendable (inout FuzzedLink) async throws -> some Sendable = { try await balance(&$0) }
) async throws -> (report: FuzzReport?, findings: [Finding]) {
    let findings = Lock<[Finding]>([])
    let reporter = Reporter(report: { finding in findings.withLock { $0.append(finding) } }, attach: { _ in })
    let choice = FuzzScope.Choice(only: only, except: [], guidedRuns: 0)
    let report = try await FuzzScope.overLink(
        traits, choice, Fuzzing.patience, at: location, reporting: reporter, client)
    return (report, findings.withLock { $0 })
}

@Suite struct `A test that fuzzes a function over a link` {
    @Test func `passes with a correct function`() async throws {
        let report = try await fuzzTagLink(
            .card(.suica(balance: 3120)), only: ["rf.*"], except: ["rf.flip_bits"], guidedRuns: 50
        ) { link in try await balance(&link) }
        #expect((report?.runCount ?? 0) > 50)
    }

    @Test func `reports an issue for each cause, at its line`() async throws {
        let (report, findings) = try await told(.card(.suica(balance: 3120)), only: ["felica.status"]) {
            try await balance(&$0, isHasty: true)
        }
        #expect(report?.causes.count == findings.count)
        #expect(findings.map(\.location.line) == [#line - 4])
        #expect(findings.first?.text.contains("only: [\"felica.status") == true)
        #expect(findings.first?.text.contains("\nfaults: [{when: felica.read, do: ") == true)
    }

    @Test func `gets a warning about possibly intended behaviour, at its line`() async throws {
        let (report, findings) = try await told(.card(.suica(balance: 3120)), only: ["card.*"]) { link in
            var reader = CardReader(link)
            return try await reader.readTransitCard().history.trips.prefix(19).map(\.record.balance)
        }
        #expect(report?.isClean == true)
        #expect(findings.map(\.isWarning) == [true])
        #expect(findings.first?.text.hasPrefix("returns 19 of 20 values of balance. If that is intended") == true)
        #expect(findings.map(\.location.line) == [#line - 7])
    }

    @Test func `detects a writer that succeeds and leaves an unreadable tag`() async throws {
        let runs = RunCounter()
        let (report, findings) = try await told(.card("ndef"), only: ["mem.wear"]) { link in
            // The same message, in every other run after a null TLV, so pages need not have the same content as before.
            let record = [0xD1, 0x01, 4, UInt8(ascii: "T"), 2] + Array("ena".utf8)
            let start = Array(repeating: UInt8(0), count: await runs.next() % 2)
            let memory = start + [0x03, UInt8(record.count)] + record + [0xFE, 0]
            var reader = CardReader(link)
            _ = try await reader.identifyType2()
            for index in 0..<3 {
                try await reader.writePage(UInt8(4 + index), PageData(memory[4 * index..<4 * index + 4]))
            }
        }
        #expect(report?.grid.readBacks.contains { $0.readBack == .unreadable } == true)
        #expect(report?.causes.map(\.finding.outcome) == [.safety])
        #expect(findings.first?.text.contains("a correct client cannot read what it left on the card") == true)
    }

    @Test func `detects a function that differs between identical runs`() async throws {
        struct Refused: Error {}
        let errors = RunCounter()
        let (report, findings) = try await told(.card(.suica(balance: 3120)), only: ["felica.status"]) { link in
            do { return try await balance(&link) } catch {
                guard await errors.next() % 2 == 0 else { throw Refused() }
                return 0
            }
        }
        #expect(report?.causes.map(\.finding.outcome) == [.flaky])
        #expect(findings.first?.text.hasPrefix("flaky, after felica.status at ") == true)
    }

    @Test func `reports the run in which its function traps, which ends the tests`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try await fuzzTagLink(.card(.suica()), only: ["rf.silence"]) { link in
                let polling = Polling.Request(systemCode: .transit)
                guard
                    case .felica(let card, let technology)? = try await link.activate(
                        .felica(polling), timeout: .milliseconds(100))
                else { return 0 }
                let request = ReadWithoutEncryption.Request(
                    idm: card.idm, services: [NodeCode(0x008B)], blocks: [BlockListElement(blockNumber: 0)])
                let answer = try await link.transceive(
                    RFFrame(technology, request.bytes), timeout: .milliseconds(100))
                return Int((answer?.bytes ?? [])[13])
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("ended during run rf.silence@"), "\(text)")
        #expect(text.contains(#"only: ["rf.silence@"#))
    }

    @Test func `reports an invalid pattern at its line`() async throws {
        let (report, findings) = try await told(.card(.suica()), only: ["rf.silense"])
        #expect(report == nil)
        #expect(
            findings.map(\.text) == [
                "`only: [\"rf.silense\"]` matches no fault; did you mean `rf.silence`? docs/faults.md lists them"
            ])
    }

    @Test func `reports at its line that the function fails without faults`() async throws {
        let (report, findings) = try await told(.card(.blank()))
        #expect(report == nil)
        #expect(findings.count == 1)
        #expect(findings.first?.text.hasPrefix("the campaign needs three baseline runs") == true)
    }

    @Test func `reports an invalid trait at its line`() async throws {
        let (report, findings) = try await told(.card("suika"))
        #expect(report == nil)
        #expect(findings.first?.location.line == #line - 2)
    }
}

/// The same in XCTest.
final class FuzzedTagLinkXCTests: XCTestCase {
    func testACorrectFunctionPasses() async throws {
        let report = try await fuzzTagLink(.card(.suica(balance: 3120)), only: ["felica.status"]) { link in
            try await balance(&link)
        }
        XCTAssertEqual(report?.isClean, true)
    }

    func testACauseFailsTheTestAtItsLine() async throws {
        #if canImport(Darwin)
            let inner = InnerCase()
        #else
            let inner = InnerCase(name: "inner") { _ in }
        #endif
        try await inner.fuzzTagLink(.card(.suica(balance: 3120)), only: ["felica.status"]) { link in
            try await balance(&link, isHasty: true)
        }
        XCTAssertEqual(inner.failures.map(\.line), [#line - 3])
        XCTAssertTrue(inner.failures.first?.text.contains("felica.status") == true)
    }
}
