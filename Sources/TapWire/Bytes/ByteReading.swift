/// The reason bytes could not be read as a value, and the location of the problem.
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
    /// The value being read, a noun such as `block list`.
    public let field: String
    /// The actual content, or the expected one.
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
            case .trailingBytes: "is followed by extra bytes"
            case .wrongLength: "has a length that does not match the bytes"
            case .wrongCode: "has the wrong code"
            case .wrongValue: "has an invalid value"
            }
        let sentence = "the \(field) at byte \(offset) \(problem)"
        return detail.isEmpty ? sentence : "\(sentence): \(detail)"
    }
}

/// A field-by-field reader for variable-length layouts that reports where bytes ran out.
struct ByteReader {
    private let bytes: [UInt8]
    private(set) var offset: Int

    init(_ bytes: Span<UInt8>, from offset: Int = 0) {
        self.bytes = bytes.array(0..<bytes.count)
        self.offset = offset
    }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func byte(_ name: String) throws(WireError) -> UInt8 {
        guard offset < bytes.count else { throw WireError(.truncated, at: offset, in: name) }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func bytes(_ count: Int, _ name: String) throws(WireError) -> [UInt8] {
        let left = bytes.count - offset
        guard count <= left else {
            throw WireError(.truncated, at: bytes.count, in: name, "\(count) bytes announced, \(left) left")
        }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    /// Reads a number of up to four bytes, high byte first.
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
    /// Checks the number of bytes of a fixed-size value.
    ///
    /// The error has no detail text because cards try frames with this check and may not allocate.
    ///
    /// - Throws: ``WireError`` for the value `name` if there are too few or too many bytes.
    static func requireCount(_ count: Int, is needed: Int, of name: String) throws(WireError) {
        if count < needed { throw WireError(.truncated, at: count, in: name) }
        if count > needed { throw WireError(.trailingBytes, at: needed, in: name) }
    }
}

extension UInt64 {
    /// Creates a number from eight bytes, high byte first; if there are more, only the last eight count.
    package init(octets: some Sequence<UInt8>) {
        self = octets.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The eight bytes, high byte first.
    package var octets: [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> UInt64($0)) }
    }
}

// These loads check their bounds. They are marked unsafe because some types have invalid bit patterns; integers have none.
extension Span where Element == UInt8 {
    /// Reads two bytes as a number, low byte first; the caller has checked the length.
    @inline(always)
    public func littleEndian16(at offset: Int) -> UInt16 {
        unsafe UInt16(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    /// Reads two bytes as a number, high byte first; the caller has checked the length.
    @inline(always)
    public func bigEndian16(at offset: Int) -> UInt16 {
        littleEndian16(at: offset).byteSwapped
    }

    /// Reads eight bytes as a number, high byte first; the caller has checked the length.
    @inline(always)
    public func bigEndian64(at offset: Int) -> UInt64 {
        unsafe UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// A copy of a range of bytes; the caller has checked the bounds.
    public func array(_ range: Range<Int>) -> [UInt8] {
        unsafe extracting(range).withUnsafeBufferPointer { unsafe Array($0) }
    }
}
