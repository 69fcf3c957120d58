/// The data area of a Type 2 Tag: the addresses TLV blocks run through, and those they jump over.
///
/// Addresses are those of the memory of the tag: page 4 begins at byte 16.
public struct Type2DataArea: Hashable, Sendable {
    /// Byte address of the data area: page 4.
    public static let firstAddress = 16

    /// The addresses from the first byte of data to the last.
    public let addresses: Range<Int>
    /// Lock bytes and reserved bytes, which are no data, by their first address; they may lie outside and overlap.
    public private(set) var reserved: [Range<Int>] = []

    public init(_ addresses: Range<Int>, reserved: [Range<Int>] = []) {
        self.addresses = addresses
        for range in reserved { reserve(range) }
    }

    /// Creates the area a capability container announces.
    ///
    /// - Parameters:
    ///   - container: The capability container.
    ///   - reserved: Lock and reserved bytes known from elsewhere, such as GET_VERSION; without them the lock bytes a
    ///     reader assumes, ``CapabilityContainer/defaultLockArea``, which lie behind the area.
    public init(_ container: CapabilityContainer, reserved: [Range<Int>]? = nil) {
        let assumed = container.defaultLockArea.map { [$0.addresses] }
        self.init(
            Self.firstAddress..<Self.firstAddress + container.dataAreaSize, reserved: reserved ?? assumed ?? [])
    }

    /// Takes addresses out of the area.
    public mutating func reserve(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        let index = reserved.firstIndex { $0.lowerBound > range.lowerBound } ?? reserved.endIndex
        reserved.insert(range, at: index)
    }

    /// The first address of data at or behind `address`, or nothing at the end of the area.
    public func dataAddress(atOrAfter address: Int) -> Int? {
        var candidate = max(address, addresses.lowerBound)
        for range in reserved where range.contains(candidate) { candidate = range.upperBound }
        return candidate < addresses.upperBound ? candidate : nil
    }

    /// Bytes of data from an address on.
    public func byteCount(from address: Int) -> Int {
        var count = 0
        var position = max(address, addresses.lowerBound)
        for range in reserved {
            count += max(0, min(range.lowerBound, addresses.upperBound) - position)
            position = max(position, range.upperBound)
        }
        return count + max(0, addresses.upperBound - position)
    }
}
