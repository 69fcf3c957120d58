import TapWire

/// What a Polling told besides the IDm.
public struct PhonePollingResult: Hashable, Sendable {
    /// The eight bytes of the PMm.
    public let pmm: [UInt8]
    /// The two bytes asked for, a system code high byte first; empty where nothing was asked or the card gave none.
    public let requestData: [UInt8]
}

/// What a card answered to a read; the card's own refusal is in the status flags.
public struct PhoneBlocks: Hashable, Sendable {
    public let status: StatusFlags
    /// The blocks of sixteen bytes in the order of the list; none unless status flag 1 is 0.
    public let blocks: [[UInt8]]
}

/// What a card answered to Request Service v2; the card's own refusal is in the status flags.
public struct PhoneKeyVersions: Hashable, Sendable {
    public let status: StatusFlags
    /// The encryption identifier; nothing behind a refusal.
    public let encryptionIdentifier: UInt8?
    /// The AES key versions of two bytes, the low one first; none on a card without AES keys.
    public let aes: [[UInt8]]
    /// The DES key versions of two bytes, the low one first; none on a card without DES keys.
    public let des: [[UInt8]]
}

/// What a card answered to Request Specification Version; the card's own refusal is in the status flags.
public struct PhoneSpecificationVersion: Hashable, Sendable {
    public let status: StatusFlags
    /// The version of the specification, two bytes, the low one first; empty behind a refusal.
    public let basic: [UInt8]
    /// The versions of the options, two bytes each, the low one first; empty behind a refusal.
    public let options: [UInt8]
}

extension UInt16 {
    /// The two bytes, the low one first.
    var littleEndianBytes: [UInt8] { [UInt8(truncatingIfNeeded: self), UInt8(self >> 8)] }
}
