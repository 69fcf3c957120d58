import TapWire
import TestSupport
import Testing

/// The rules for every wire value.
enum WireLaws {
    /// Checks that parsing a value's bytes gives the value, and that writing it again gives the same bytes.
    static func expectRoundTrip<Value: WireValue>(
        _ value: Value, at location: SourceLocation = #_sourceLocation
    ) throws {
        let bytes = value.bytes
        let parsed = try Value(parsing: bytes)
        let comment: Comment = "seed \(TestSeed.value): \(Hex.text(bytes))"
        #expect(parsed == value, comment, sourceLocation: location)
        #expect(parsed.bytes == bytes, comment, sourceLocation: location)
    }

    /// Checks that a value parsed from these bytes, if any, is written as the same bytes.
    static func expectFaithful<Value: WireValue>(
        _ type: Value.Type, _ bytes: [UInt8], at location: SourceLocation = #_sourceLocation
    ) {
        guard let value = try? Value(parsing: bytes) else { return }
        let printed = value.bytes
        if printed == bytes { return }
        Issue.record("seed \(TestSeed.value): \(Hex.text(bytes)) became \(Hex.text(printed))", sourceLocation: location)
    }

    /// Checks that too few or too many bytes are rejected with the offset of the error.
    static func expectFixedSize<Value: WireValue>(
        _ type: Value.Type, _ byteCount: Int, at location: SourceLocation = #_sourceLocation
    ) {
        for count in [0, byteCount - 1, byteCount + 1] {
            let error = #expect(throws: WireError.self, sourceLocation: location) {
                try Value(parsing: [UInt8](repeating: 0, count: count))
            }
            #expect(error?.code == (count < byteCount ? .truncated : .trailingBytes), sourceLocation: location)
            #expect(error?.offset == min(count, byteCount), sourceLocation: location)
        }
    }
}
