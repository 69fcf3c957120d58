/// A connection to a hardware or virtual card; clients are written against this protocol.
///
/// Over PC/SC and Core NFC the reader selects a card by itself, so selection is a single call, ``activate(_:timeout:)``;
/// everything after it is frames.
public protocol TagLink {
    /// Looks for a card and selects it, switching the RF field on if it is off.
    ///
    /// A card that was already selected is selected again: an NTAG loses its authentication, and a FeliCa card switches to
    /// the system that answers.
    ///
    /// - Parameters:
    ///   - target: The kind of card to look for.
    ///   - timeout: The longest time to wait for an answer.
    /// - Returns: The card, or `nil` if none answered.
    /// - Throws: ``LinkError`` if the connection to the card fails.
    mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag?

    /// Sends a frame to the selected card and waits for its answer.
    ///
    /// - Parameters:
    ///   - frame: The frame without CRC; the link adds a CRC if this kind of frame needs it.
    ///   - timeout: The longest time to wait for the start of the answer.
    /// - Returns: The answer as received, even if damaged, or `nil` if the card does not answer.
    /// - Throws: ``LinkError`` if the connection to the card fails.
    mutating func transceive(_ frame: RFFrame, timeout: Duration) async throws(LinkError) -> RFFrame?

    var limits: LinkLimits { get }
}

/// The limits of a link for one exchange.
public struct LinkLimits: Hashable, Sendable {
    /// The longest answer in bytes without CRC; `nil` if the link sets no limit.
    public var maximumAnswerLength: Int?

    public init(maximumAnswerLength: Int? = nil) {
        self.maximumAnswerLength = maximumAnswerLength
    }

    public static let none = LinkLimits()
}

/// The kind of card that a reader looks for.
public enum Target: Hashable, Sendable {
    /// A FeliCa system, found by Polling.
    case felica(Polling.Request, Technology = .felica212)
    /// Any type A card, woken by REQA or, with `wakeUp`, by WUPA.
    case typeA(wakeUp: Bool = false)
}

/// A card that answered and is selected.
public enum ActivatedTag: Hashable, Sendable {
    /// A FeliCa system, with its answer to Polling and the bit rate at which it was found.
    case felica(Polling.Response, Technology)
    case typeA(TypeATag)

    public var technology: Technology {
        switch self {
        case .typeA: .typeA106
        case .felica(_, let technology): technology
        }
    }

    /// The UID of a type A card or the IDm of a FeliCa system.
    public var identifier: [UInt8] {
        switch self {
        case .typeA(let tag): tag.uid.bytes
        case .felica(let polling, _): polling.idm.rawValue.octets
        }
    }
}

/// The data from the selection of a type A card.
///
/// Source: ISO/IEC 14443-3.
public struct TypeATag: Hashable, Sendable {
    /// The answer to REQA or WUPA.
    public var atqa: ATQA
    /// The select acknowledge of the last cascade level.
    public var sak: SAK
    public var uid: UID

    public init(atqa: ATQA, sak: SAK, uid: UID) {
        self.atqa = atqa
        self.sak = sak
        self.uid = uid
    }
}

/// The reason a link cannot carry an exchange.
///
/// A card that does not answer is not an error.
public struct LinkError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// The link is closed or its reader is gone.
        case closed
        /// The link cannot carry this kind of frame or target.
        case unsupported
        /// A frame or answer is too long for the link.
        case tooLong
        /// The run exceeds its limit of exchanges or time.
        case limitReached
    }

    public let code: Code
    public let description: String

    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// The same command was sent too often in a row.
    public static func retryLimit(_ limit: Int) -> LinkError {
        LinkError(
            .limitReached,
            "the same command was sent more than \(limit) times in a row without success; "
                + "raise `settings.limits.retries_per_command` if this is intended")
    }

    /// The run exceeds its limit of exchanges.
    public static func exchangeLimit(_ limit: Int) -> LinkError {
        LinkError(
            .limitReached,
            "the run exceeded its limit of \(limit) exchanges; raise `settings.limits.exchanges` if it needs more")
    }
}
