// Fields that many packets have.

extension FrameBuffer {
    /// Appends LEN and code.
    @inline(__always)
    mutating func append(header length: Int, _ code: CommandCode) {
        append(byteCount: 2) { $0.store(header: length, code) }
        if code.byteCount == 2 { append(code.function) }
    }

    /// Appends LEN, a code of one byte and IDm.
    @inline(__always)
    mutating func append(header length: Int, _ code: CommandCode, _ idm: IDm) {
        append(byteCount: FeliCaPacket.idmLength) { $0.store(header: length, code, idm) }
    }

    /// Appends LEN, a code of one byte, IDm and status flags.
    @inline(__always)
    mutating func append(header length: Int, _ code: CommandCode, _ idm: IDm, _ status: StatusFlags) {
        append(byteCount: FeliCaPacket.statusLength) { $0.store(header: length, code, idm, status) }
    }

    /// Appends numbers of two bytes, the low one first.
    mutating func append(littleEndian values: [UInt16]) {
        for value in values { append(littleEndian: value) }
    }

    /// Appends what comes before a counted list of words behind the IDm.
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

    /// Stores LEN and code.
    @inline(__always)
    @inlinable
    mutating func store(header length: Int, _ code: CommandCode) {
        store(UInt16(truncatingIfNeeded: length & 0xFF) | UInt16(code.first) << 8, at: 0)
    }

    /// Stores LEN, a code of one byte and IDm.
    @inline(__always)
    @inlinable
    mutating func store(header length: Int, _ code: CommandCode, _ idm: IDm) {
        store(header: length, code)
        store(idm.rawValue.bigEndian, at: FeliCaPacket.idmOffset)
    }

    /// Stores LEN, a code of one byte, IDm and status flags.
    @inline(__always)
    @inlinable
    mutating func store(header length: Int, _ code: CommandCode, _ idm: IDm, _ status: StatusFlags) {
        store(header: length, code, idm)
        store(UInt16(status.flag1) | UInt16(status.flag2) << 8, at: FeliCaPacket.idmLength)
    }
}

extension Span where Element == UInt8 {
    /// Numbers of two bytes, the low one first; the caller has checked the bounds.
    func littleEndian16s(_ count: Int, at offset: Int) -> [UInt16] {
        (0..<count).map { littleEndian16(at: offset + 2 * $0) }
    }

    /// The IDm of a packet that carries one; the caller has checked the length.
    @inline(__always)
    @inlinable
    package var idm: IDm { IDm(bigEndian64(at: FeliCaPacket.idmOffset)) }

    /// The status flags of an answer that has them; the caller has checked the length.
    @inlinable
    var status: StatusFlags { StatusFlags(self[10], self[11]) }
}
