/// Protocols of a card, as bits.
///
/// Source: pcsc-lite manual, "SCardConnect".
public struct PCSCProtocols: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// T=0, bytes.
    public static let t0 = PCSCProtocols(rawValue: 1)
    /// T=1, blocks.
    public static let t1 = PCSCProtocols(rawValue: 2)
    /// What the driver makes of the bytes.
    public static let raw = PCSCProtocols(rawValue: 4)
}
