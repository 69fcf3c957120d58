/// Reads a layout of variable length field by field, and says where bytes ran out.
struct ByteReader {
    private let bytes: [UInt8]
    /// Index of the next byte.
    private(set) var offset: Int

    init(_ bytes: Span<UInt8>, from offset: Int = 0) {
        self.bytes = bytes.array(0..<bytes.count)
        self.offset = offset
    }

    /// Whether all bytes are read.
    var isAtEnd: Bool { offset == bytes.count }

    /// Reads one byte of the field `name`.
    mutating func byte(_ name: String) throws(WireError) -> UInt8 {
        guard offset < bytes.count else { throw WireError(.truncated, at: offset, in: name) }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// Reads `count` bytes, which are the field `name`.
    mutating func bytes(_ count: Int, _ name: String) throws(WireError) -> [UInt8] {
        let left = bytes.count - offset
        guard count <= left else {
            throw WireError(.truncated, at: bytes.count, in: name, "\(count) bytes announced, \(left) left")
        }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    /// Reads a number of up to four bytes, the high one first.
    mutating func number(byteCount: Int, _ name: String) throws(WireError) -> Int {
        var value = 0
        for _ in 0..<byteCount { value = value << 8 | Int(try byte(name)) }
        return value
    }

    /// Reads all that is left.
    mutating func rest() -> [UInt8] {
        defer { offset = bytes.count }
        return Array(bytes[offset...])
    }
}
