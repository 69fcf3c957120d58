import Testing

/// Runs a part of a test before a phone of its own.
///
/// The phone lives as long as the body runs; what was expected is judged then.
///
/// - Parameters:
///   - traits: What the phone is like, as for a test.
///   - body: The part of the test; it does not run where a trait is wrong.
/// - Throws: What the body throws.
public func withVirtualNFC(
    _ traits: PhoneTrait..., fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    _ body: @concurrent @Sendable () async throws -> Void
) async throws {
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: 1)
    try await PhoneScope.run(traits.map(\.part), at: location, reporting: .testing, body)
}
