/// What SCardGetStatusChange knows of a reader, as bits; the high half counts insertions and removals.
///
/// Source: pcsc-lite manual, "SCardGetStatusChange".
public struct PCSCReaderFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    /// Creates flags.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The reader is to be left out.
    public static let ignore = PCSCReaderFlags(rawValue: 0x0001)
    /// Something is not as the caller knew it.
    public static let changed = PCSCReaderFlags(rawValue: 0x0002)
    /// There is no reader of that name.
    public static let unknown = PCSCReaderFlags(rawValue: 0x0004)
    /// The state cannot be told.
    public static let unavailable = PCSCReaderFlags(rawValue: 0x0008)
    /// There is no card.
    public static let empty = PCSCReaderFlags(rawValue: 0x0010)
    /// There is a card.
    public static let present = PCSCReaderFlags(rawValue: 0x0020)
    /// One program has the card alone.
    public static let exclusive = PCSCReaderFlags(rawValue: 0x0080)
    /// Programs share the card.
    public static let inUse = PCSCReaderFlags(rawValue: 0x0100)
    /// The card does not answer.
    public static let mute = PCSCReaderFlags(rawValue: 0x0200)
    /// The card has no power.
    public static let unpowered = PCSCReaderFlags(rawValue: 0x0400)
}
