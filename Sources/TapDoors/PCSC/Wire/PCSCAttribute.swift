/// An attribute of a reader or of the card in it.
///
/// Source: PC/SC part 3, section 3.1.4, and reader.h of pcsc-lite.
struct PCSCAttribute: Hashable, Sendable {
    let rawValue: UInt32

    init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// One byte: 0 no card, 2 a card.
    static let cardPresence = PCSCAttribute(0x0009_0300)
    /// One byte: whether the card has power.
    static let cardInterfaceStatus = PCSCAttribute(0x0009_0301)
    /// The ATR.
    static let atr = PCSCAttribute(0x0009_0303)
    /// Four bytes: where the reader is connected.
    static let channelID = PCSCAttribute(0x0002_0110)
    /// The name of the reader with its numbers and a zero.
    static let friendlyName = PCSCAttribute(0x7FFF_0003)
    /// The same.
    static let systemName = PCSCAttribute(0x7FFF_0004)
}
