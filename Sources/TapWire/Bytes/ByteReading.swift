/// Why bytes are not the value they were read as, and where.
public struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of mismatch, for programs.
    public enum Code: Hashable, Sendable {
        /// Bytes end before the field does.
        case truncated
        /// Bytes follow the end of the value.
        case trailingBytes
        /// A length or count field disagrees with the bytes.
        case wrongLength
        /// A code field names another command, record or layout.
        case wrongCode
        /// A field holds a value its layout cannot have.
        case wrongValue
    }

    public let code: Code
    /// Index of the first byte that does not fit.
    public let offset: Int
    /// What was being read, a noun such as `block list`.
    public let field: String
    /// What was found, or what is needed instead.
    public let detail: String

    public init(_ code: Code, at offset: Int, in field: String, _ detail: String = "") {
        self.code = code
        self.offset = offset
        self.field = field
        self.detail = detail
    }

    public var description: String {
        let problem =
            switch code {
            case .truncated: "ends too early"
            case .trailingBytes: "is followed by bytes that do not belong to it"
            case .wrongLength: "has a length that disagrees with the bytes"
            case .wrongCode: "has another code"
            case .wrongValue: "holds a value it cannot have"
            }
        let sentence = "the \(field) at byte \(offset) \(problem)"
        return detail.isEmpty ? sentence : "\(sentence): \(detail)"
    }
}

/// Reads a layout of variable length field by field, and says where bytes ran out.
struct ByteReader {
    private let bytes: [UInt8]
    private(set) var offset: Int

    init(_ bytes: Span<UInt8>, from offset: Int = 0) {
        self.bytes = bytes.array(0..<bytes.count)
        self.offset = offset
    }

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

    mutating func rest() -> [UInt8] {
        defer { offset = bytes.count }
        return Array(bytes[offset...])
    }
}

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

extension UInt64 {
    /// Takes eight bytes, the first one highest; of more the last eight count.
    package init(octets: some Sequence<UInt8>) {
        self = octets.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The eight bytes, the highest first.
    package var octets: [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> UInt64($0)) }
    }
}

// These loads check their bounds. They are unsafe for types of which not every pattern of bits is a value; of integers
// every pattern is one.
extension Span where Element == UInt8 {
    /// Two bytes as a number, the low one first; the caller has checked the length.
    @inline(always)
    public func littleEndian16(at offset: Int) -> UInt16 {
        unsafe UInt16(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    /// Two bytes as a number, the high one first; the caller has checked the length.
    @inline(always)
    public func bigEndian16(at offset: Int) -> UInt16 {
        littleEndian16(at: offset).byteSwapped
    }

    /// Eight bytes as a number, the high one first; the caller has checked the length.
    @inline(always)
    public func bigEndian64(at offset: Int) -> UInt64 {
        unsafe UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// A copy of a range of bytes; the caller has checked the bounds.
    public func array(_ range: Range<Int>) -> [UInt8] {
        unsafe extracting(range).withUnsafeBufferPointer { unsafe Array($0) }
    }
}
