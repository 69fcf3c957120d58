/// Puts the fields of a structure one after another.
struct FieldWriter {
    private(set) var bytes: [UInt8] = []

    init(reserving count: Int) {
        bytes.reserveCapacity(count)
    }

    /// Four bytes, the low one first.
    mutating func append(_ number: UInt32) {
        bytes.append(UInt8(truncatingIfNeeded: number))
        bytes.append(UInt8(truncatingIfNeeded: number >> 8))
        bytes.append(UInt8(truncatingIfNeeded: number >> 16))
        bytes.append(UInt8(truncatingIfNeeded: number >> 24))
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
