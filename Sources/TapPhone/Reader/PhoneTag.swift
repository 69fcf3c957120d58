import TapWire

/// The MIFARE families, with Core NFC's numbers.
public enum MiFareFamily: Int, Hashable, Sendable {
    case unknown = 1
    /// MIFARE Ultralight and NTAG.
    case ultralight = 2
}

/// A found tag; valid until the phone looks again.
public struct PhoneTag: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// A FeliCa card, with the system at which it was found.
        case feliCa(idm: IDm, pmm: PMm, systemCode: SystemCode)
        /// A type A tag; historical bytes exist only for tags that support ISO/IEC 14443-4.
        case miFare(uid: UID, family: MiFareFamily, historicalBytes: [UInt8]?)
    }

    public let kind: Kind
    /// The number of the look that found it, from 1.
    public let discovery: Int
    /// The tag's number in that look, from 0.
    public let number: Int
}

/// A tag of the current discovery, with its state.
struct FoundTag: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case feliCa(FeliCaState)
        case typeA(TypeAState)
    }

    let tag: PhoneTag
    /// The index of the card in the world; `visit` is the card's visit.
    let card: Int
    let visit: Int
    var kind: Kind
}

struct FeliCaState: Hashable, Sendable {
    /// The system that was polled last; there is no IDm after a failed Polling.
    var systemCode: SystemCode
    var idm: IDm?
    var pmm: PMm
}

struct TypeAState: Hashable, Sendable {
    let uid: UID
    /// A Boolean value that indicates whether the tag has lost its selection through a NAK or silence.
    var isLost = false
    var isAuthenticated = false
}

/// The technologies that a session polls for.
///
/// Source: Core NFC, NFCTagReaderSession.PollingOption, which has the same raw values.
public struct PhoneTechnologies: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Type A and type B cards: MIFARE, NTAG and smart cards.
    public static let iso14443 = Self(rawValue: 1)
    /// Vicinity cards; none exist here.
    public static let iso15693 = Self(rawValue: 2)
    public static let iso18092 = Self(rawValue: 4)
    /// Identity documents with PACE; none exist here.
    public static let pace = Self(rawValue: 8)
}
