/// Puts the fields of a structure one after another.
struct FieldWriter {
    private(set) var bytes: [UInt8] = []

    init(reserving count: Int) {
        bytes.reserveCapacity(count)
    }

    /// Four bytes, the low one first.
    mutating func append(_ number: UInt32) {
        for shift: UInt32 in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// Four bytes of a number with a sign.
    mutating func append(_ number: Int32) { append(UInt32(bitPattern: number)) }

    /// Bytes as they are.
    mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

    /// Bytes in a field of their own, cut or filled with zeros.
    mutating func append(_ more: some Collection<UInt8>, in count: Int) {
        append(more.prefix(count))
        append(repeatElement(0, count: max(0, count - more.count)))
    }
}
