import TapWire

/// With their numbers in Core NFC.
public enum MiFareFamily: Int, Hashable, Sendable {
    case unknown = 1
    /// MIFARE Ultralight and NTAG.
    case ultralight = 2
    case plus = 3
    case desfire = 4
}

/// A tag as found; valid until the phone looks again.
public struct PhoneTag: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// A FeliCa card, with the system by which it was found.
        case feliCa(idm: IDm, pmm: PMm, systemCode: SystemCode)
        /// Historical bytes only for tags that speak ISO/IEC 14443-4.
        case miFare(uid: UID, family: MiFareFamily, historicalBytes: [UInt8]?)
    }

    public let kind: Kind
    /// The number of its look, from 1.
    public let discovery: Int
    /// Its number in that look, from 0.
    public let number: Int
}

/// A tag of the current discovery, with its state.
struct FoundTag: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case feliCa(FeliCaState)
        case typeA(TypeAState)
    }

    let tag: PhoneTag
    /// The card by its index in the world, and its visit.
    let card: Int
    let visit: Int
    var kind: Kind
}

struct FeliCaState: Hashable, Sendable {
    /// The system polled last; no IDm after a failed Polling.
    var systemCode: SystemCode
    var idm: IDm?
    var pmm: PMm
}

struct TypeAState: Hashable, Sendable {
    let uid: UID
    /// Whether it has lost its selection by a NAK or silence.
    var isLost = false
    var isAuthenticated = false
}

/// Source: Core NFC, NFCTagReaderSession.PollingOption, whose raw values these are.
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
