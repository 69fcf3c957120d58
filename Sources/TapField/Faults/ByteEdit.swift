/// A change of bytes: the position and the new bytes.
package struct ByteEdit: Hashable, Sendable {
    /// Counted from 0; negative from the end, -1 for the last byte.
    private let place: Int
    private let replacement: [UInt8]?
    private let difference: Int

    init(_ arguments: FaultArguments, at place: Int) {
        self.place = place
        replacement = arguments[Self.replacement]
        difference = arguments[Self.difference]
    }

    /// Changes existing bytes; nothing is added beyond the end.
    package func apply(to bytes: inout [UInt8]) {
        let place = place < 0 ? bytes.count + place : place
        guard bytes.indices.contains(place) else { return }
        let new = replacement ?? [UInt8(truncatingIfNeeded: Int(bytes[place]) + difference)]
        for (index, byte) in zip(place..<bytes.count, new) { bytes[index] = byte }
    }

    static let placeName = "at"
    /// The names of the parameters with the new bytes.
    static let valueNames = [replacement.parameter.name, difference.parameter.name]

    /// More positions than the largest memory and the longest frame have.
    static let places = -0xFFFF...0xFFFF
    /// Positions of headers, lengths, counts, codes and types, and of trailing fields such as status words.
    static let headers = -3..<16

    static let replacement = FaultKey<[UInt8]?>(
        "set", .bytes(1...16), "The new value, one or more bytes. If omitted, `add` is added to the old byte."
    ).preferring(bounds)
    static let difference = FaultKey(
        "add", .integer(-255...255), default: 1, "The number to add to the byte, modulo 256."
    ).preferring([-1, 2, -2])

    /// Lengths and counts at the limits of their types.
    static let bounds: [[UInt8]] =
        [0x00, 0x01, 0x7F, 0x80, 0xFF].map { [$0] }
        + [[0x00, 0x00], [0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF]]
}

extension FaultKind {
    /// A Boolean value that indicates whether the fault can put arbitrary bytes at any position.
    package var editsBytes: Bool { parameters.contains { $0.name == ByteEdit.difference.parameter.name } }
}
