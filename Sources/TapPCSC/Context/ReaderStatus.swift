import TapWire

/// How a reader is.
public struct ReaderStatus: Hashable, Sendable {
    /// The name of the reader.
    public let name: String
    /// What is known of it; nothing at first.
    public internal(set) var flags: PCSCReaderFlags
    /// The ATR of the card in it; empty without one.
    public internal(set) var atr: [UInt8]

    /// Creates the status of a reader of which only the name is known.
    public init(name: String) {
        self.name = name
        flags = []
        atr = []
    }

    /// Whether there is a card that answers.
    public var hasCard: Bool { flags.contains(.present) && !flags.contains(.mute) }
}
