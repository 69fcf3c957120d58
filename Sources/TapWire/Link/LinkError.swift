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
