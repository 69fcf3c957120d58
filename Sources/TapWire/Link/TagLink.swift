/// A way to a card, hardware and virtual cards alike, against which clients are written.
///
/// Over PC/SC and Core NFC the reader selects a card by itself, so selecting is one call, ``activate(_:timeout:)``;
/// what follows are frames.
public protocol TagLink {
    /// Looks for a card and selects it, switching the field on where it is off.
    ///
    /// A card selected before is selected again: an NTAG loses its authentication, a FeliCa card goes to the system
    /// that answers.
    ///
    /// - Parameters:
    ///   - target: What to look for.
    ///   - timeout: How long to wait for an answer.
    /// - Returns: The card, or `nil` if none answered.
    /// - Throws: ``LinkError`` when the way to the card itself fails.
    mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag?

    /// Sends a frame to the selected card and waits for its answer.
    ///
    /// - Parameters:
    ///   - frame: The frame, without CRC; the link adds what its kind needs.
    ///   - timeout: How long to wait for the answer to begin.
    /// - Returns: The answer as received, damaged ones included, or `nil` for silence.
    /// - Throws: ``LinkError`` when the way to the card itself fails.
    mutating func transceive(_ frame: AirFrame, timeout: Duration) async throws(LinkError) -> AirFrame?

    var limits: LinkLimits { get }
}

/// What a link can carry in one exchange.
public struct LinkLimits: Hashable, Sendable {
    /// Longest answer in bytes without CRC, or `nil` where the link sets no limit.
    public var maximumAnswerLength: Int?

    public init(maximumAnswerLength: Int? = nil) {
        self.maximumAnswerLength = maximumAnswerLength
    }

    public static let none = LinkLimits()
}

/// What a reader looks for.
public enum Target: Hashable, Sendable {
    /// A FeliCa system, by Polling.
    case felica(Polling.Request, Technology = .felica212)
    /// Any type A card, woken by REQA or, with `wakeUp`, by WUPA.
    case typeA(wakeUp: Bool = false)
}

/// A card that answered and is selected.
public enum ActivatedTag: Hashable, Sendable {
    /// A FeliCa system with its answer to Polling and the bit rate it was found at.
    case felica(Polling.Response, Technology)
    case typeA(TypeATag)

    public var technology: Technology {
        switch self {
        case .typeA: .typeA106
        case .felica(_, let technology): technology
        }
    }

    /// The UID of a type A card, the IDm of a FeliCa system.
    public var identifier: [UInt8] {
        switch self {
        case .typeA(let tag): tag.uid.bytes
        case .felica(let polling, _): polling.idm.rawValue.octets
        }
    }
}

/// What the selection of a type A card told.
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

/// Why a link cannot carry an exchange; silence of a card is no error.
public struct LinkError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// The link is closed or its reader is gone.
        case closed
        /// The link cannot carry this kind of frame or target.
        case unsupported
        /// A frame or answer is longer than the link carries.
        case tooLong
        /// The run is over its limit of exchanges or of time.
        case limitReached
    }

    public let code: Code
    public let description: String

    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// The same command came too often in a row.
    public static func retryLimit(_ limit: Int) -> LinkError {
        LinkError(
            .limitReached,
            "the same command was sent more than \(limit) times in a row and got nowhere; "
                + "raise `settings.limits.retries_per_command` if that is meant")
    }

    /// The run is over its limit of exchanges.
    public static func exchangeLimit(_ limit: Int) -> LinkError {
        LinkError(
            .limitReached,
            "the run is over its limit of \(limit) exchanges; raise `settings.limits.exchanges` if it needs more")
    }
}
