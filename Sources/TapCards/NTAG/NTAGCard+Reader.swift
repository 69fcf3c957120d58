import TapWire

/// What a reader knows of the tag without reading its memory: how long it may take, and its UID.
extension NTAGCard {
    /// The time-out of commands that only read.
    ///
    /// Source: NTAG213/215/216 data sheet rev. 3.2, "timings" of each command.
    public static let readingTimeout = Duration.milliseconds(5)
    /// The time-out of WRITE and of the second step of a COMPATIBILITY_WRITE.
    ///
    /// Source: NTAG213/215/216 data sheet rev. 3.2, "WRITE" and "COMPATIBILITY_WRITE".
    public static let writingTimeout = Duration.milliseconds(10)

    /// The time-out that the data sheet has for a command.
    public func longestDelay(answering command: Span<UInt8>) -> Duration {
        if pendingPage != nil { return Self.writingTimeout }
        return command.count > 0 && Type2Opcode(command[0]) == .write ? Self.writingTimeout : Self.readingTimeout
    }

    /// A tag as this one was made, with the last byte of its UID inverted.
    public func withAnotherIdentifier() -> NTAGCard {
        var definition = template.definition
        // The last byte of page 01, and with it BCC1, which stays as right or wrong as it was.
        definition[page: 1] = PageData(definition[page: 1].simd ^ SIMD4(0, 0, 0, 0xFF))
        definition[page: 2] = PageData(definition[page: 2].simd ^ SIMD4(0xFF, 0, 0, 0))
        return NTAGCard(definition)
    }
}
