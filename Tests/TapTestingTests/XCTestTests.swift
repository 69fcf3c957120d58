import CoreNFC
import XCTest

@testable import TapTesting

/// XCTest tests with a phone.
final class XCTestTests: XCTestCase {
    func testAnAsyncTestReadsACard() async throws {
        try await withVirtualNFC(.card(.suica(balance: 3120))) {
            let reader = BalanceReader()
            reader.start()
            let end = try await VirtualNFC.sessionEnd()
            XCTAssertNil(end.errorMessage)
            XCTAssertEqual(reader.balance, 3120)
        }
    }

    func testATestThatDoesNotSuspendReadsACard() throws {
        try withVirtualNFC(.card(.suica(balance: 3120))) {
            let reader = BalanceReader(queue: .main)
            reader.start()
            let end = try sessionEnd()
            XCTAssertEqual(end.alerts.last, "3120 yen")
            XCTAssertEqual(reader.balance, 3120)
        }
    }

    @MainActor func testABodyRunsOnTheActorOfItsTest() async throws {
        let reader = BalanceReader(queue: .main)
        try await withVirtualNFC(.card(.suica(balance: 8))) {
            MainActor.preconditionIsolated()
            reader.start()
            _ = try await VirtualNFC.sessionEnd()
            XCTAssertEqual(reader.balance, 8)
        }
    }

    func testAMissingSessionIsReported() throws {
        try withVirtualNFC(.card(.suica())) {
            XCTAssertThrowsError(try sessionEnd(timeout: .milliseconds(20))) { error in
                XCTAssertTrue("\(error)".contains("no session has begun"))
            }
        }
    }

    func testAFaultThatIsNeverInjectedFailsTheTestAtItsLine() throws {
        #if canImport(Darwin)
            let inner = InnerCase()
        #else
            let inner = InnerCase(name: "inner") { _ in }
        #endif
        try inner.withVirtualNFC(.card(.suica()), .fault(.silence, when: .felicaRead)) {}
        XCTAssertEqual(inner.failures.count, 1)
        XCTAssertEqual(inner.failures.first?.line, #line - 2)
        XCTAssertTrue(inner.failures.first?.text.contains("never") == true)
    }
}

/// A test case that keeps its failures to itself.
final class InnerCase: XCTestCase {
    struct Failure {
        let text: String
        let line: Int
    }

    var failures: [Failure] = []

    #if canImport(Darwin)
        override func record(_ issue: XCTIssue) {
            let line = issue.sourceCodeContext.location?.lineNumber ?? 0
            failures.append(Failure(text: issue.compactDescription, line: line))
        }
    #else
        override func recordFailure(
            withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
        ) {
            failures.append(Failure(text: description, line: lineNumber))
        }
    #endif
}
