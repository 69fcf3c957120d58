// Fields that many packets have.

extension FrameBuffer {
    /// Appends LEN and code.
    @inline(__always)
    mutating func append(header length: Int, _ code: CommandCode) {
        append(littleEndian: UInt16(truncatingIfNeeded: length & 0xFF) | UInt16(code.first) << 8)
        if code.byteCount == 2 { append(code.function) }
    }

    /// Appends LEN, code and IDm.
    @inline(__always)
    mutating func append(header length: Int, _ code: CommandCode, _ idm: IDm) {
        append(header: length, code)
        append(bigEndian: idm.rawValue)
    }

    /// Appends status flags.
    @inline(__always)
    mutating func append(_ status: StatusFlags) {
        append(littleEndian: UInt16(status.flag1) | UInt16(status.flag2) << 8)
    }

    /// Appends numbers of two bytes, the low one first.
    mutating func append(littleEndian values: [UInt16]) {
        for value in values { append(littleEndian: value) }
    }

    /// Appends what comes before a counted list of words behind the IDm.
    @usableFromInline
    mutating func append(listHeader count: Int, _ code: CommandCode, _ idm: IDm) {
        append(header: 11 + 2 * count, code, idm)
        append(UInt8(truncatingIfNeeded: count))
    }
}

extension Span where Element == UInt8 {
    /// Numbers of two bytes, the low one first; the caller has checked the bounds.
    func littleEndian16s(_ count: Int, at offset: Int) -> [UInt16] {
        (0..<count).map { littleEndian16(at: offset + 2 * $0) }
    }

    /// The IDm of a packet that carries one; the caller has checked the length.
    @inlinable
    var idm: IDm { IDm(bigEndian64(at: FeliCaPacket.idmOffset)) }

    /// The status flags of an answer that has them; the caller has checked the length.
    @inlinable
    var status: StatusFlags { StatusFlags(self[10], self[11]) }
}
