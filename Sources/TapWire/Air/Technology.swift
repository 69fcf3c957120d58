/// The radio technology and bit rate of a frame.
///
/// Source: ISO/IEC 14443-3 type A at fc/128; JIS X 6319-4 at fc/64 and fc/32.
public enum Technology: Hashable, Sendable, CaseIterable {
    /// ISO/IEC 14443 type A, 106 kbit/s in both directions.
    case typeA106
    /// FeliCa, 212 kbit/s; a card answers at the rate of the command.
    case felica212
    /// FeliCa, 424 kbit/s.
    case felica424

    /// Whether frames are FeliCa packets, LEN first.
    @inlinable
    public var isFeliCa: Bool {
        self != .typeA106
    }
}
