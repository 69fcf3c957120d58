extension WireError {
    /// Checks the number of bytes of a value of fixed size.
    ///
    /// It says no more than where they end, since cards try frames with it and may not allocate.
    ///
    /// - Throws: ``WireError`` naming the value `name`, where bytes are missing or too many.
    static func requireCount(_ count: Int, is needed: Int, of name: String) throws(WireError) {
        if count < needed { throw WireError(.truncated, at: count, in: name) }
        if count > needed { throw WireError(.trailingBytes, at: needed, in: name) }
    }
}
