/// What a session looks for.
///
/// Source: Core NFC, NFCTagReaderSession.PollingOption, whose raw values these are.
public struct PhoneTechnologies: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Type A and type B cards: MIFARE, NTAG and smart cards.
    public static let iso14443 = Self(rawValue: 1)
    /// Vicinity cards; no card here is one, so nothing is found.
    public static let iso15693 = Self(rawValue: 2)
    /// FeliCa cards.
    public static let iso18092 = Self(rawValue: 4)
    /// Identity documents with PACE; no card here is one, so nothing is found.
    public static let pace = Self(rawValue: 8)
}
