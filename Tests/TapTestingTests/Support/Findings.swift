import TapSystem
import Testing

@testable import TapTesting

/// The findings that a test with a phone reports, collected instead of failing the test.
func findings(
    _ traits: [PhoneTrait], sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @Sendable () async throws -> Void = {}
) async throws -> (findings: [Finding], traces: [String]) {
    let told = Lock<[Finding]>([])
    let traces = Lock<[String]>([])
    let reporter = Reporter(
        report: { finding in told.withLock { $0.append(finding) } },
        attach: { text in traces.withLock { $0.append(text) } })
    try await PhoneScope.run(traits.map(\.part), at: sourceLocation, reporting: reporter) {
        try await body()
        return false
    }
    return (told.withLock { $0 }, traces.withLock { $0 })
}
