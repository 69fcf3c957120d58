/// The capability container, page 3 of a Type 2 Tag: NDEF support, size of the data area and access rights.
///
/// ```
/// 0  E1   1  version   2  size of the data area / 8   3  access to read (high nibble), to write (low nibble)
/// ```
/// Source: NFC Forum Type 2 Tag Operation 1.1, "capability container".
package struct CapabilityContainer: WireValue {
    package static let byteCount = 4
    /// The byte address of the container: page 3.
    package static let address = 12
    package static let ndefMagic: UInt8 = 0xE1

    /// A read or write access right, a nibble.
    package struct Access: Hashable, Sendable {
        /// Access without a password.
        package static let free = Access(0x0)
        /// Proprietary; nfcpy writes this value to indicate that a password is needed.
        package static let password = Access(0x8)
        /// No access, as a write access right.
        package static let none = Access(0xF)

        package let rawValue: UInt8

        /// Creates a right from the low four bits of a byte; 8 to E are proprietary, 1 to 7 reserved.
        package init(_ rawValue: UInt8) {
            self.rawValue = rawValue & 0x0F
        }
    }

    package var magic: UInt8
    package var version: MappingVersion
    /// The size of the data area in units of eight bytes.
    package var size: UInt8
    package var readAccess: Access
    package var writeAccess: Access

    /// Creates a container for a data area; the size is rounded down to a multiple of eight and limited to the maximum.
    package init(
        dataAreaSize: Int, version: MappingVersion = .v1_0, readAccess: Access = .free, writeAccess: Access = .free
    ) {
        magic = Self.ndefMagic
        self.version = version
        size = UInt8(clamping: dataAreaSize / 8)
        self.readAccess = readAccess
        self.writeAccess = writeAccess
    }

    /// Reads the four bytes of page 3, even if their values are invalid.
    package init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: Self.byteCount, of: "capability container")
        magic = bytes[0]
        version = MappingVersion(bytes[1])
        size = bytes[2]
        readAccess = Access(bytes[3][bits: 4...7])
        writeAccess = Access(bytes[3][bits: 0...3])
    }

    package var bytes: [UInt8] {
        [magic, version.rawValue, size, readAccess.rawValue << 4 | writeAccess.rawValue]
    }

    /// A Boolean value that indicates whether a reader finds NDEF: the magic byte and major version 1.
    package var announcesNDEF: Bool { magic == Self.ndefMagic && version.major == 1 }

    /// The size of the data area in bytes, starting at page 4.
    package var dataAreaSize: Int { Int(size) * 8 }
}

/// The data area of a Type 2 Tag: the addresses that TLV blocks use, and the addresses that they skip.
///
/// Addresses are byte addresses in the tag's memory: page 4 begins at byte 16.
package struct Type2DataArea: Hashable, Sendable {
    package static let firstAddress = 16

    package let addresses: Range<Int>
    /// Lock bytes and reserved bytes, which are not data, sorted by first address; ranges may overlap or lie outside the
    /// area.
    package private(set) var reserved: [Range<Int>] = []

    package init(_ addresses: Range<Int>, reserved: [Range<Int>] = []) {
        self.addresses = addresses
        for range in reserved { reserve(range) }
    }

    /// Creates the area described by a capability container.
    ///
    /// - Parameters:
    ///   - container: The capability container.
    ///   - reserved: Lock and reserved bytes known from another source, such as GET_VERSION. If omitted, the lock bytes that
    ///     a reader assumes, ``CapabilityContainer/defaultLockArea``, after the area.
    package init(_ container: CapabilityContainer, reserved: [Range<Int>]? = nil) {
        let assumed = container.defaultLockArea.map { [$0.addresses] }
        self.init(
            Self.firstAddress..<Self.firstAddress + container.dataAreaSize, reserved: reserved ?? assumed ?? [])
    }

    package mutating func reserve(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        let index = reserved.firstIndex { $0.lowerBound > range.lowerBound } ?? reserved.endIndex
        reserved.insert(range, at: index)
    }

    /// The first data address at or after `address`, or `nil` at the end of the area.
    package func dataAddress(atOrAfter address: Int) -> Int? {
        var candidate = max(address, addresses.lowerBound)
        for range in reserved where range.contains(candidate) { candidate = range.upperBound }
        return candidate < addresses.upperBound ? candidate : nil
    }

    package func byteCount(from address: Int) -> Int {
        var count = 0
        var position = max(address, addresses.lowerBound)
        for range in reserved {
            count += max(0, min(range.lowerBound, addresses.upperBound) - position)
            position = max(position, range.upperBound)
        }
        return count + max(0, addresses.upperBound - position)
    }
}

/// The value of a Lock Control or Memory Control TLV: three bytes that describe an area in the tag's memory.
///
/// ```
/// 0  page address (high nibble), byte offset (low nibble)
/// 1  count, 0 for 256
/// 2  high nibble by kind, b (low nibble): a page of this coding has 2^b bytes
/// ```
/// The area begins at byte `page address · 2^b + byte offset`. Source: NFC Forum Type 2 Tag Operation 1.1,
/// "Lock Control TLV" and "Memory Control TLV".
package protocol AreaControl: WireValue {
    /// The name of the value, a noun for messages.
    static var name: String { get }
    /// The three bytes as a number, byte 0 highest.
    var rawValue: UInt32 { get }
    init(rawValue: UInt32)
}

extension AreaControl {
    package static var byteCount: Int { 3 }

    package init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: Self.byteCount, of: Self.name)
        self.init(rawValue: UInt32(bytes.bigEndian16(at: 0)) << 8 | UInt32(bytes[2]))
    }

    package var bytes: [UInt8] { rawValue.bigEndianBytes.suffix(Self.byteCount) }

    /// The encoded page address, 0 to 15.
    package var pageAddress: Int { Int(rawValue[bits: 20...23]) }

    /// The byte offset in that page, 0 to 15.
    package var byteOffset: Int { Int(rawValue[bits: 16...19]) }

    /// The page size of the encoding in bytes, 1 to 32768; unrelated to the pages of the tag.
    var bytesPerPage: Int { 1 << Int(rawValue[bits: 0...3]) }

    /// The byte address of the area in the tag's memory.
    package var address: Int { pageAddress * bytesPerPage + byteOffset }

    /// The count, 1 to 256.
    var count: Int {
        let byte = Int(rawValue[bits: 8...15])
        return byte == 0 ? 256 : byte
    }
}

/// The value of a Lock Control TLV: the position of dynamic lock bits.
///
/// Byte 1 is the number of lock bits; the high nibble of byte 2 is the base-2 logarithm of the number of bytes locked by each
/// bit.
package struct LockControl: AreaControl {
    package static let name = "lock control"
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue[bits: 0...23]
    }

    package var area: LockArea {
        LockArea(address: address, bitCount: count, bytesPerBit: 1 << Int(rawValue[bits: 4...7]))
    }

    package var addresses: Range<Int> { area.addresses }
}

/// The value of a Memory Control TLV: the position of bytes that are not data.
///
/// Byte 1 is the number of bytes; the high nibble of byte 2 is reserved.
package struct MemoryControl: AreaControl {
    package static let name = "memory control"
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue[bits: 0...23]
    }

    package var addresses: Range<Int> { address..<address + count }
}

/// The dynamic lock bits of a Type 2 Tag: their position and the number of bytes locked by each bit.
package struct LockArea: Hashable, Sendable {
    /// The byte address of the first lock bits in the tag's memory.
    package var address: Int
    package var bitCount: Int
    package var bytesPerBit: Int

    package init(address: Int, bitCount: Int, bytesPerBit: Int) {
        self.address = address
        self.bitCount = bitCount
        self.bytesPerBit = bytesPerBit
    }

    /// The addresses of the lock bytes; empty if there are no bits.
    package var addresses: Range<Int> {
        let byteCount = bitCount / 8 + (bitCount % 8 > 0 ? 1 : 0)
        return address..<max(address, address &+ byteCount)
    }
}

extension CapabilityContainer {
    /// The number of bytes of the data area that the static lock bytes cover.
    private static let staticallyLockedSize = 48

    /// The lock bits that a reader assumes without a Lock Control TLV: directly after the data area, one bit for every eight
    /// bytes beyond the first 48.
    ///
    /// The assumption is correct for NTAG213. The containers of NTAG215 and NTAG216 announce 8 and 16 bytes less than the
    /// actual size, so there the assumed address is in user memory (page 80h, page DEh); a reader that knows the product from
    /// GET_VERSION uses pages 82h and E2h instead. Sources: NFC Forum Type 2 Tag Operation 1.1, "dynamic lock bits";
    /// NTAG213/215/216 data sheet rev. 3.2, memory organization.
    package var defaultLockArea: LockArea? {
        guard dataAreaSize > Self.staticallyLockedSize else { return nil }
        return LockArea(
            address: Type2DataArea.firstAddress + dataAreaSize,
            bitCount: (dataAreaSize - Self.staticallyLockedSize) / 8, bytesPerBit: 8)
    }
}
