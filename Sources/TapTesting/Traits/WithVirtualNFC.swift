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
    _ traits: PhoneTrait..., sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @concurrent @Sendable () async throws -> Void
) async throws {
    try await PhoneScope.run(traits.map(\.part), at: sourceLocation, reporting: .testing, body)
}
