import TapWire

/// The families of MIFARE tags, with their numbers in Core NFC.
public enum MiFareFamily: Int, Hashable, Sendable {
    /// None of the others.
    case unknown = 1
    /// MIFARE Ultralight and NTAG.
    case ultralight = 2
    /// MIFARE Plus.
    case plus = 3
    /// MIFARE DESFire.
    case desfire = 4
}

/// A tag as a phone found it; it can be used until the phone looks again.
public struct PhoneTag: Hashable, Sendable {
    /// What the tag said of itself.
    public enum Kind: Hashable, Sendable {
        /// A FeliCa card, with the system by which it was found.
        case feliCa(idm: IDm, pmm: PMm, systemCode: SystemCode)
        /// A MIFARE tag; historical bytes have those alone that speak ISO/IEC 14443-4.
        case miFare(uid: UID, family: MiFareFamily, historicalBytes: [UInt8]?)
    }

    /// What the tag said of itself.
    public let kind: Kind
    /// The number of the look in which it was found, from 1.
    public let discovery: Int
    /// Its number among the tags of that look, from 0.
    public let number: Int
}

/// A tag of the present discovery, and what has become of it.
struct FoundTag: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case feliCa(FeliCaState)
        case typeA(TypeAState)
    }

    let tag: PhoneTag
    /// The card, an index into those of the world, and its visit.
    let card: Int
    let visit: Int
    var kind: Kind
}

/// A FeliCa card as pollings have left it.
struct FeliCaState: Hashable, Sendable {
    /// The system polled last; no IDm after a Polling that failed.
    var systemCode: SystemCode
    var idm: IDm?
    var pmm: PMm
}

/// A type A tag as commands have left it.
struct TypeAState: Hashable, Sendable {
    let uid: UID
    /// Whether it is no longer selected: it has answered a NAK, or not at all.
    var isLost = false
    /// Whether a raw PWD_AUTH has opened it.
    var isAuthenticated = false
}

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
