/// The common structure of all FeliCa packets: LEN, which counts itself, then a payload that begins with a command code.
///
/// Source: FeliCa Card User's Manual, excerpted edition, "packet data".
public enum FeliCaPacket {
    /// The length of the shortest packet: LEN and a one-byte code.
    public static let minimumLength = 2
    /// The length of the longest packet, LEN included.
    public static let maximumLength = 255
    public static let maximumServices = 16
    public static let maximumNodes = 32
    /// The offset of the IDm in commands with an IDm and in their answers.
    public static let idmOffset = 2
    /// The length of a packet that consists of LEN, code and IDm.
    public static let idmLength = 10
    /// The length of an answer that consists of LEN, code, IDm and status flags.
    public static let statusLength = 12

    /// Returns whether LEN equals the actual number of bytes.
    @inline(always)
    public static func isWhole(_ packet: Span<UInt8>) -> Bool {
        packet.count >= minimumLength && packet.count == Int(packet[0])
    }

    /// Checks LEN, the code and the length range of a layout; throws ``WireError`` with the name of `code`.
    static func check(
        _ packet: Span<UInt8>, _ code: CommandCode, length: ClosedRange<Int>
    ) throws(WireError) {
        let announced = packet.count > 0 ? Int(packet[0]) : minimumLength
        guard isWhole(packet) else {
            let detail = "LEN is \(announced), but there are \(packet.count) bytes"
            throw packet.count < max(announced, minimumLength)
                ? WireError(.truncated, at: packet.count, in: code.name, detail)
                : WireError(.trailingBytes, at: announced, in: code.name, detail)
        }
        guard CommandCode(of: packet) == code else {
            throw WireError(
                .wrongCode, at: 1, in: code.name, "\(Hex.digits(packet[1], width: 2)) instead of \(code)")
        }
        if packet.count < length.lowerBound { throw WireError(.truncated, at: packet.count, in: code.name) }
        if packet.count > length.upperBound { throw WireError(.trailingBytes, at: length.upperBound, in: code.name) }
    }

    /// Checks that the last field of a packet ends where the packet ends; throws ``WireError`` with the name of the field.
    static func checkEnd(_ packet: Span<UInt8>, at end: Int, of field: String) throws(WireError) {
        if packet.count < end { throw WireError(.truncated, at: packet.count, in: field) }
        if packet.count > end { throw WireError(.trailingBytes, at: end, in: field) }
    }

    /// Reads the byte at `offset`, usually a count; throws ``WireError`` with the name of the field if the packet is too
    /// short.
    static func checkByte(_ packet: Span<UInt8>, at offset: Int, of field: String) throws(WireError) -> Int {
        guard offset < packet.count else { throw WireError(.truncated, at: packet.count, in: field) }
        return Int(packet[offset])
    }

    /// Appends an answer that consists only of an IDm and status flags.
    public static func writeStatus(
        _ status: StatusFlags, code: CommandCode, idm: IDm, into buffer: inout FrameBuffer
    ) {
        buffer.append(header: statusLength, code, idm, status)
    }
}

// Fields common to many packets.

extension FrameBuffer {
    @inline(__always)
    mutating func append(header length: Int, _ code: CommandCode) {
        append(byteCount: 2) { $0.store(header: length, code) }
        if code.byteCount == 2 { append(code.function) }
    }

    /// Appends LEN, a one-byte code and IDm.
    @inline(__always)
    mutating func append(header length: Int, _ code: CommandCode, _ idm: IDm) {
        append(byteCount: FeliCaPacket.idmLength) { $0.store(header: length, code, idm) }
    }

    @inline(__always)
    mutating func append(header length: Int, _ code: CommandCode, _ idm: IDm, _ status: StatusFlags) {
        append(byteCount: FeliCaPacket.statusLength) { $0.store(header: length, code, idm, status) }
    }

    /// Appends two-byte numbers, low byte first.
    mutating func append(littleEndian values: [UInt16]) {
        for value in values { append(littleEndian: value) }
    }

    /// Appends LEN, a one-byte code, IDm and the count of a list of two-byte entries.
    @inline(__always)
    @inlinable
    mutating func append(listHeader count: Int, _ code: CommandCode, _ idm: IDm) {
        append(byteCount: FeliCaPacket.idmLength + 1) { bytes in
            bytes.store(header: 11 &+ 2 &* count, code, idm)
            bytes.store(UInt8(truncatingIfNeeded: count), at: FeliCaPacket.idmLength)
        }
    }
}

extension MutableRawSpan {
    @inline(__always)
    @inlinable
    mutating func store(_ value: some BitwiseCopyable, at offset: Int) {
        storeBytes(of: value, toByteOffset: offset, as: type(of: value))
    }

    @inline(__always)
    @inlinable
    mutating func store(header length: Int, _ code: CommandCode) {
        store(UInt16(truncatingIfNeeded: length & 0xFF) | UInt16(code.first) << 8, at: 0)
    }

    /// Stores LEN, a one-byte code and IDm.
    @inline(__always)
    @inlinable
    mutating func store(header length: Int, _ code: CommandCode, _ idm: IDm) {
        store(header: length, code)
        store(idm.rawValue.bigEndian, at: FeliCaPacket.idmOffset)
    }

    @inline(__always)
    @inlinable
    mutating func store(header length: Int, _ code: CommandCode, _ idm: IDm, _ status: StatusFlags) {
        store(header: length, code, idm)
        store(UInt16(status.flag1) | UInt16(status.flag2) << 8, at: FeliCaPacket.idmLength)
    }
}

extension Span where Element == UInt8 {
    /// Reads two-byte numbers, low byte first; the caller has checked the bounds.
    func littleEndian16s(_ count: Int, at offset: Int) -> [UInt16] {
        (0..<count).map { littleEndian16(at: offset + 2 * $0) }
    }

    /// The IDm of a packet that contains one; the caller has checked the length.
    @inline(__always)
    @inlinable package var idm: IDm { IDm(bigEndian64(at: FeliCaPacket.idmOffset)) }

    /// The status flags of an answer that contains them; the caller has checked the length.
    @inlinable
    var status: StatusFlags { StatusFlags(self[10], self[11]) }
}

/// A command: its code and its request and response packets.
public protocol FeliCaCommand: Sendable {
    /// The packet that a reader sends.
    associatedtype Request: FrameValue
    /// The packet that a card answers.
    associatedtype Response: FrameValue

    static var code: CommandCode { get }
}

/// A fixed-length packet with fields at fixed positions.
public protocol FixedLengthPacket: FrameValue {
    static var packetCode: CommandCode { get }
    static var length: Int { get }

    /// Reads the fields of a packet of at least ``length`` bytes whose code the caller has checked.
    init(unchecked packet: Span<UInt8>)
}

extension FixedLengthPacket {
    public init(parsing packet: Span<UInt8>) throws(WireError) {
        try FeliCaPacket.check(packet, Self.packetCode, length: Self.length...Self.length)
        self.init(unchecked: packet)
    }
}
