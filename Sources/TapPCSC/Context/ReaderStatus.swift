import TapWire

/// How a reader is.
public struct ReaderStatus: Hashable, Sendable {
    public let name: String
    /// What is known of it; nothing at first.
    public internal(set) var flags: PCSCReaderFlags
    /// The ATR of the card in it; empty without one.
    public internal(set) var atr: [UInt8]

    public init(name: String) {
        self.name = name
        flags = []
        atr = []
    }

    /// Whether there is a card that answers.
    public var hasCard: Bool { flags.contains(.present) && !flags.contains(.mute) }
}
