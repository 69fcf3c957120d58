import TapDoors
import Testing

/// Runs a part of a test before a phone of its own.
///
/// The phone lives as long as the body runs; what was expected is judged then.
///
/// - Parameters:
///   - traits: What the phone is like, as for a test.
///   - body: The part of the test, which runs where the test does, such as on the main actor; it does not run where a
///     trait is wrong. It may not be called in a detached task of a test that has a phone, whose turn it would wait
///     for.
/// - Throws: What the body throws; where no test of Swift Testing is running also ``VirtualNFCError`` with what was not
///   met. In XCTest the method of the test case of this name tells it at its line.
public func withVirtualNFC(
    _ traits: PhoneTrait..., fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    _ body: () async throws -> Void
) async throws {
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: 1)
    let findings = Lock<[Finding]>([])
    let reporter = Test.current == nil ? Reporter.collecting(into: findings) : .testing
    try await PhoneScope.run(traits.map(\.part), at: location, reporting: reporter) {
        try await body()
        return false
    }
    let found = findings.withLock { $0 }
    guard !found.isEmpty else { return }
    throw VirtualNFCError(
        found.map(\.text).joined(separator: "; ")
            + "; in XCTest call withVirtualNFC of the test case, which tells this at its line")
}

extension Reporter {
    /// Nobody, until all is over: no test that could be told is running.
    fileprivate static func collecting(into findings: Lock<[Finding]>) -> Reporter {
        Reporter(
            report: { finding in
                if !finding.isWarning { findings.withLock { $0.append(finding) } }
            },
            attach: { print($0, terminator: "") })
    }
}
