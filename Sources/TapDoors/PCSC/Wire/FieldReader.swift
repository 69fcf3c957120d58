/// Takes the fields of a structure out of its bytes one after another; the caller has checked the length.
struct FieldReader {
    private let bytes: ArraySlice<UInt8>
    private var offset: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        offset = bytes.startIndex
    }

    /// The next four bytes, the low one first.
    mutating func number() -> UInt32 {
        precondition(offset + 4 <= bytes.endIndex, "the caller has checked the length")
        defer { offset += 4 }
        let place = offset - bytes.startIndex
        let number = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
        return UInt32(littleEndian: number)
    }

    /// The next four bytes as a number with a sign.
    mutating func signedNumber() -> Int32 { Int32(bitPattern: number()) }

    /// The next bytes as they are.
    mutating func bytes(_ count: Int) -> [UInt8] {
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    /// A text that ends with a zero or with its field.
    mutating func text(_ count: Int) -> String {
        String(decoding: bytes(count).prefix { $0 != 0 }, as: UTF8.self)
    }
}
