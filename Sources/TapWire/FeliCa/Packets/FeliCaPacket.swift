/// What all FeliCa packets share: LEN, which counts itself, then a payload that begins with a command code.
///
/// Source: FeliCa Card User's Manual, excerpted edition, "packet data".
public enum FeliCaPacket {
    /// Shortest packet: LEN and a code of one byte.
    public static let minimumLength = 2
    /// Longest packet, LEN included.
    public static let maximumLength = 255
    /// Most services one command may list.
    public static let maximumServices = 16
    /// Most nodes one Request Service may list.
    public static let maximumNodes = 32
    /// Offset of the IDm in a command that carries one, and in its answer.
    public static let idmOffset = 2
    /// Length of a packet that is its code and an IDm.
    public static let idmLength = 10
    /// Length of an answer that is an IDm and status flags.
    public static let statusLength = 12

    /// Whether LEN counts exactly the bytes there are.
    @inline(always)
    public static func isWhole(_ packet: Span<UInt8>) -> Bool {
        packet.count >= minimumLength && packet.count == Int(packet[0])
    }

    /// Checks LEN, the code, and the length a layout can have.
    ///
    /// - Throws: ``WireError`` naming the packet after its code.
    static func check(
        _ packet: Span<UInt8>, _ code: CommandCode, length: ClosedRange<Int>
    ) throws(WireError) {
        let announced = packet.count > 0 ? Int(packet[0]) : minimumLength
        guard isWhole(packet) else {
            let detail = "LEN says \(announced), there are \(packet.count) bytes"
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

    /// Checks that the last field of a packet ends where the packet does.
    ///
    /// - Throws: ``WireError`` naming the field.
    static func checkEnd(_ packet: Span<UInt8>, at end: Int, of field: String) throws(WireError) {
        if packet.count < end { throw WireError(.truncated, at: packet.count, in: field) }
        if packet.count > end { throw WireError(.trailingBytes, at: end, in: field) }
    }

    /// Checks that a packet holds the byte at `offset`, mostly a count.
    ///
    /// - Throws: ``WireError`` naming the field.
    static func checkByte(_ packet: Span<UInt8>, at offset: Int, of field: String) throws(WireError) -> Int {
        guard offset < packet.count else { throw WireError(.truncated, at: packet.count, in: field) }
        return Int(packet[offset])
    }

    /// Appends an answer that is only an IDm and status flags.
    public static func writeStatus(
        _ status: StatusFlags, code: CommandCode, idm: IDm, into buffer: inout FrameBuffer
    ) {
        buffer.append(header: statusLength, code, idm, status)
    }
}
