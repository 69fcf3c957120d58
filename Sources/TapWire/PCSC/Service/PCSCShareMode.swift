/// How a program shares a card with others, argument of SCardConnect.
///
/// Source: pcsc-lite manual, "SCardConnect".
public struct PCSCShareMode: Hashable, Sendable {
    public let rawValue: UInt32

    /// Creates a mode; others than the named ones are refused by the service.
    public init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Nobody else may connect.
    public static let exclusive = PCSCShareMode(1)
    /// Others may connect in this mode too.
    public static let shared = PCSCShareMode(2)
    /// The reader itself, with or without a card.
    public static let direct = PCSCShareMode(3)
}
