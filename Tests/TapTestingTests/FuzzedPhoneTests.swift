import CoreNFC
import TapSystem
import TapFuzz
import TapJudge
import Testing
import XCTest

@testable import TapTesting

/// An app that reads the balance of a transit card, with or without a bug.
private final class FareReader: NSObject, NFCTagReaderSessionDelegate {
    enum Mistake {
        /// Status flags are ignored.
        case status
        /// A read error is not passed on.
        case deaf
        /// A failed read is retried immediately, without end.
        case stubborn
    }

    private let mistake: Mistake?
    private var session: NFCTagReaderSession?
    private var waiting: CheckedContinuation<Int, any Error>?

    init(_ mistake: Mistake?) {
        self.mistake = mistake
    }

    func balance() async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            waiting = continuation
            session = NFCTagReaderSession(pollingOption: .iso18092, delegate: self)
            session?.begin()
        }
    }

    private func end(_ result: Result<Int, any Error>) {
        waiting?.resume(with: result)
        waiting = nil
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error) {
        if mistake != .deaf, mistake != .stubborn { end(.failure(error)) }
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard tags.count == 1, case .feliCa(let card) = tags[0] else {
            return session.invalidate(errorMessage: "One card, please")
        }
        session.connect(to: tags[0]) { error in
            guard error == nil else { return session.invalidate(errorMessage: "The card was lost") }
            self.read(card, session)
        }
    }

    private func read(_ card: NFCFeliCaTag, _ session: NFCTagReaderSession) {
        card.readWithoutEncryption(serviceCodeList: [Data([0x8B, 0x00])], blockList: [Data([0x80, 0x00])]) {
            flag, _, data, error in
            if self.mistake == .status, error == nil {
                self.end(.success(data.first.map { Int($0[11]) | Int($0[12]) << 8 } ?? 0))
                return session.invalidate()
            }
            if self.mistake == .stubborn, error != nil { return self.read(card, session) }
            guard error == nil, flag == 0, let block = data.first else {
                return session.invalidate(errorMessage: "The card cannot be read")
            }
            self.end(.success(Int(block[11]) | Int(block[12]) << 8))
            session.invalidate()
        }
    }
}

/// The results of a campaign on an app, as reported to a test.
private func told(
    _ mistake: FareReader.Mistake?, only: [String] = [], except: [String] = [], guidedRuns: Int = 0,
    at location: SourceLocation = #_sourceLocation
) async throws -> (report: FuzzReport?, findings: [Finding]) {
    let findings = Lock<[Finding]>([])
    let reporter = Reporter(report: { finding in findings.withLock { $0.append(finding) } }, attach: { _ in })
    let choice = FuzzScope.Choice(only: only, except: except, guidedRuns: guidedRuns)
    let report = try await FuzzScope.overPhone(
        [.card(.suica(balance: 3120))], choice, .seconds(1), at: location, reporting: reporter
    ) { try await FareReader(mistake).balance() }
    return (report, findings.withLock { $0 })
}

@Suite struct `A test that fuzzes an app` {
    /// Faults that return other data with success, which this app cannot detect.
    private static let unseen = ["felica.zero_blocks", "felica.torn_block", "felica.cyclic_shift"]

    @Test func `passes with a correct app`() async throws {
        let (report, findings) = try await told(nil, except: Self.unseen)
        #expect(findings.map(\.text) == [])
        let names = Set(report?.grid.faultNames ?? [])
        #expect(names.isSuperset(of: ["rf.silence", "felica.status", "phone.user_cancel", "phone.connection_lost"]))
        #expect(names.allSatisfy { !$0.hasPrefix("reader.") && !$0.hasPrefix("pcsc.") })
    }

    @Test func `detects that status flags are ignored`() async throws {
        let (report, findings) = try await told(.status, only: ["felica.status"])
        #expect(report?.causes.map(\.finding.outcome) == [.wrongResult])
        #expect(findings.first?.text.contains("the result is 0, not 3120, and it returns") == true)
    }

    @Test func `detects that the app waits forever for a session that has ended`() async throws {
        let (report, _) = try await told(.deaf, only: ["phone.user_cancel"])
        #expect(report?.causes.map(\.finding.outcome) == [.hang])
        #expect(report?.isCutShort == true)
    }

    @Test(.timeLimit(.minutes(1))) func `ends with an app that retries forever`() async throws {
        let (report, _) = try await told(.stubborn, only: ["rf.lose_tag", "felica.silent_command"])
        #expect(report?.causes.map(\.finding.outcome) == [.hang])
        #expect(report?.isCutShort == true)
    }

    @Test func `reproduces a single phone fault`() async throws {
        let (report, findings) = try await told(nil, only: ["phone.user_cancel@p3"])
        #expect(report?.runCount == 1)
        #expect(findings.isEmpty)
    }

    @Test func `can be called from a test`() async throws {
        let report = try await fuzzVirtualNFC(.card(.suica(balance: 500)), only: ["felica.status"]) {
            try await FareReader(nil).balance()
        }
        #expect(report?.isClean == true)
    }
}

/// The same in XCTest.
final class FuzzedPhoneXCTests: XCTestCase {
    func testACorrectAppPasses() async throws {
        let report = try await fuzzVirtualNFC(.card(.suica(balance: 500)), only: ["rf.silence"]) {
            try await FareReader(nil).balance()
        }
        XCTAssertEqual(report?.isClean, true)
    }
}
