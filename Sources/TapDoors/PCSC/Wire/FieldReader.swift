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
        defer { offset += 4 }
        return UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2]) << 16
            | UInt32(bytes[offset + 3]) << 24
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
