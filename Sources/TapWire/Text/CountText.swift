/// How many of a thing there are, in words.
package enum CountText {
    /// The number and the noun: `1 block`, `3 blocks`.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - one: The noun for one.
    ///   - many: The noun for any other number; `one` with an s unless given.
    package static func of(_ count: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
        count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
    }
}
