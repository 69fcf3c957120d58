/// A way to a card, hardware and virtual cards alike, against which clients are written.
///
/// Over PC/SC and Core NFC the reader selects a card by itself, so selecting is one call, ``activate(_:timeout:)``;
/// what follows are frames.
public protocol TagLink {
    /// Looks for a card and selects it, switching the field on where it is off.
    ///
    /// A card selected before is selected anew: an NTAG loses its authentication, a FeliCa card goes to the system
    /// that answers.
    ///
    /// - Parameters:
    ///   - target: What to look for.
    ///   - timeout: How long to wait for an answer.
    /// - Returns: The card, or nothing if none answered.
    /// - Throws: ``LinkError`` when the way to the card itself fails.
    mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag?

    /// Sends a frame to the selected card and waits for its answer.
    ///
    /// - Parameters:
    ///   - frame: The frame, without CRC; the link adds what its kind needs.
    ///   - timeout: How long to wait for the answer to begin.
    /// - Returns: The answer as received, damaged ones included, or nothing for silence.
    /// - Throws: ``LinkError`` when the way to the card itself fails.
    mutating func transceive(_ frame: AirFrame, timeout: Duration) async throws(LinkError) -> AirFrame?

    /// What this link can carry.
    var limits: LinkLimits { get }
}

/// What a link can carry in one exchange.
public struct LinkLimits: Hashable, Sendable {
    /// Longest answer in bytes without CRC, or nothing where the link sets no limit.
    public var maximumAnswerLength: Int?

    public init(maximumAnswerLength: Int? = nil) {
        self.maximumAnswerLength = maximumAnswerLength
    }

    /// No limits.
    public static let none = LinkLimits()
}
