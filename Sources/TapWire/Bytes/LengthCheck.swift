extension WireError {
    /// Checks the number of bytes of a value of fixed layout.
    ///
    /// - Throws: ``WireError`` naming the value `field`, where bytes are missing or too many.
    static func checkLength(_ bytes: Span<UInt8>, _ length: Int, _ field: String) throws(WireError) {
        if bytes.count < length { throw WireError(.truncated, at: bytes.count, in: field) }
        if bytes.count > length { throw WireError(.trailingBytes, at: length, in: field) }
    }
}
