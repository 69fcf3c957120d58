import TapWire
import TestSupport
import Testing

/// What must hold for each wire value.
enum WireLaws {
    /// Parsing what was printed gives the value, and printing it again the same bytes.
    static func expectRoundTrip<Value: WireValue>(
        _ value: Value, at location: SourceLocation = #_sourceLocation
    ) throws {
        let bytes = value.bytes
        let parsed = try Value(parsing: bytes)
        let comment: Comment = "seed \(TestSeed.value): \(Hex.text(bytes))"
        #expect(parsed == value, comment, sourceLocation: location)
        #expect(parsed.bytes == bytes, comment, sourceLocation: location)
    }

    /// Bytes that can be parsed are printed as they were.
    static func expectFaithful<Value: WireValue>(
        _ type: Value.Type, _ bytes: [UInt8], at location: SourceLocation = #_sourceLocation
    ) {
        guard let value = try? Value(parsing: bytes) else { return }
        let printed = value.bytes
        if printed == bytes { return }
        Issue.record("seed \(TestSeed.value): \(Hex.text(bytes)) became \(Hex.text(printed))", sourceLocation: location)
    }

    /// Bytes of another number than the value has are refused, with the offset where they are too few or too many.
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
