/// Lock bits of a Type 2 Tag behind the static ones: where they are and what each locks.
public struct LockArea: Hashable, Sendable {
    /// Byte address of the first lock bits in the memory of the tag.
    public var address: Int
    /// Number of lock bits.
    public var bitCount: Int
    /// Bytes one bit locks.
    public var bytesPerBit: Int

    public init(address: Int, bitCount: Int, bytesPerBit: Int) {
        self.address = address
        self.bitCount = bitCount
        self.bytesPerBit = bytesPerBit
    }

    /// The addresses of the lock bytes, none if there are no bits.
    public var addresses: Range<Int> {
        let byteCount = bitCount / 8 + (bitCount % 8 > 0 ? 1 : 0)
        return address..<max(address, address &+ byteCount)
    }
}

extension CapabilityContainer {
    /// Bytes of the data area whose pages the static lock bytes lock.
    private static let staticallyLockedSize = 48

    /// The lock bits a reader assumes where no Lock Control TLV tells it better: right behind the data area, one for
    /// every eight bytes beyond the first 48.
    ///
    /// True for NTAG213. The containers of NTAG215 and NTAG216 announce 8 and 16 bytes less than there are, so this
    /// address is user memory there (page 80h, page DEh); a reader that knows the product from GET_VERSION takes
    /// pages 82h and E2h instead. Sources: NFC Forum Type 2 Tag Operation 1.1, "dynamic lock bits";
    /// NTAG213/215/216 data sheet rev. 3.2, memory organisation.
    public var defaultLockArea: LockArea? {
        guard dataAreaSize > Self.staticallyLockedSize else { return nil }
        return LockArea(
            address: Type2DataArea.firstAddress + dataAreaSize,
            bitCount: (dataAreaSize - Self.staticallyLockedSize) / 8, bytesPerBit: 8)
    }
}
