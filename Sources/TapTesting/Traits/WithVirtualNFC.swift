import Testing

/// Runs a part of a test before a phone of its own.
///
/// The phone lives as long as the body runs; what was expected is judged then.
///
/// - Parameters:
///   - traits: What the phone is like, as for a test.
///   - body: The part of the test, which runs where the test does, such as on the main actor; it does not run where a
///     trait is wrong.
/// - Throws: What the body throws.
public func withVirtualNFC(
    _ traits: PhoneTrait..., fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    _ body: () async throws -> Void
) async throws {
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: 1)
    try await PhoneScope.run(traits.map(\.part), at: location, reporting: .testing) {
        try await body()
        return false
    }
}
