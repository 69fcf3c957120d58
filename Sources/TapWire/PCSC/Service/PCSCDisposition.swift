/// What becomes of the card at the end of a connection or transaction, or at its renewal.
///
/// Source: pcsc-lite manual, "SCardDisconnect".
public struct PCSCDisposition: Hashable, Sendable {
    public let rawValue: UInt32

    /// Creates a disposition; others than the named ones are refused by the service.
    public init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// It stays as it is.
    public static let leave = PCSCDisposition(0)
    /// It is reset.
    public static let reset = PCSCDisposition(1)
    /// It loses its power.
    public static let unpower = PCSCDisposition(2)
    /// It is ejected, by the few readers that can.
    public static let eject = PCSCDisposition(3)
}
