/// The value of a Lock Control or Memory Control TLV: three bytes that tell of an area in the memory of the tag.
///
/// ```
/// 0  page address (high nibble), byte offset (low nibble)
/// 1  count, 0 for 256
/// 2  high nibble by kind, b (low nibble): a page of this coding has 2^b bytes
/// ```
/// The area begins at byte `page address · 2^b + byte offset`. Source: NFC Forum Type 2 Tag Operation 1.1,
/// "Lock Control TLV" and "Memory Control TLV".
public protocol AreaControl: WireValue {
    /// What the value is, a noun for messages.
    static var name: String { get }
    /// The three bytes as one number, byte 0 highest.
    var rawValue: UInt32 { get }
    /// Takes the low 24 bits of a number.
    init(rawValue: UInt32)
    /// The addresses of the bytes that are no data.
    var addresses: Range<Int> { get }
}

extension AreaControl {
    /// Number of bytes of the value.
    public static var byteCount: Int { 3 }

    /// Reads the three bytes.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: Self.byteCount, of: Self.name)
        self.init(rawValue: UInt32(bytes.bigEndian16(at: 0)) << 8 | UInt32(bytes[2]))
    }

    /// The three bytes.
    public var bytes: [UInt8] { rawValue.bigEndianBytes.suffix(Self.byteCount) }

    /// The page address of the coding, 0 to 15.
    public var pageAddress: Int { Int(rawValue[bits: 20...23]) }

    /// The byte offset in that page, 0 to 15.
    public var byteOffset: Int { Int(rawValue[bits: 16...19]) }

    /// Bytes a page of the coding has, 1 to 32768; not the pages of the tag.
    public var bytesPerPage: Int { 1 << Int(rawValue[bits: 0...3]) }

    /// Byte address of the area in the memory of the tag.
    public var address: Int { pageAddress * bytesPerPage + byteOffset }

    /// The count, 1 to 256.
    var count: Int {
        let byte = Int(rawValue[bits: 8...15])
        return byte == 0 ? 256 : byte
    }

    /// Codes an area with the smallest pages that reach it, or nothing if none do.
    init?(address: Int, count: Int, highNibble: UInt32) {
        guard address >= 0, (1...256).contains(count) else { return nil }
        for exponent in 0...15 {
            let page = min(address >> exponent, 15)
            let offset = address - page << exponent
            guard offset <= 15 else { continue }
            var number: UInt32 = highNibble << 4 | UInt32(exponent)
            number[bits: 20...23] = UInt32(page)
            number[bits: 16...19] = UInt32(offset)
            number[bits: 8...15] = UInt32(count % 256)
            self.init(rawValue: number)
            return
        }
        return nil
    }
}

/// The value of a Lock Control TLV: where dynamic lock bits are.
///
/// Byte 1 is the number of lock bits; the high nibble of byte 2 is the logarithm of the bytes each of them locks.
public struct LockControl: AreaControl {
    /// What the value is.
    public static let name = "lock control"
    /// The three bytes as one number, byte 0 highest.
    public let rawValue: UInt32

    /// Takes the low 24 bits of a number.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue[bits: 0...23]
    }

    /// Codes a lock area, or nothing if its address cannot be coded, it has not 1 to 256 bits, or the bytes a bit
    /// locks are no power of two up to 32768.
    public init?(_ area: LockArea) {
        let exponent = area.bytesPerBit.trailingZeroBitCount
        guard area.bytesPerBit > 0, area.bytesPerBit.nonzeroBitCount == 1, exponent <= 15 else { return nil }
        self.init(address: area.address, count: area.bitCount, highNibble: UInt32(exponent))
    }

    /// The lock area.
    public var area: LockArea {
        LockArea(address: address, bitCount: count, bytesPerBit: 1 << Int(rawValue[bits: 4...7]))
    }

    /// The addresses of the lock bytes.
    public var addresses: Range<Int> { area.addresses }
}

/// The value of a Memory Control TLV: where bytes are that are no data.
///
/// Byte 1 is the number of bytes; the high nibble of byte 2 is reserved.
public struct MemoryControl: AreaControl {
    /// What the value is.
    public static let name = "memory control"
    /// The three bytes as one number, byte 0 highest.
    public let rawValue: UInt32

    /// Takes the low 24 bits of a number.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue[bits: 0...23]
    }

    /// Codes reserved bytes, or nothing if their address cannot be coded or there are not 1 to 256 of them.
    public init?(_ addresses: Range<Int>) {
        self.init(address: addresses.lowerBound, count: addresses.count, highNibble: 0)
    }

    /// The addresses of the reserved bytes.
    public var addresses: Range<Int> { address..<address + count }

    /// The reserved bits.
    public var reserved: UInt8 { UInt8(rawValue[bits: 4...7]) }
}
