/// How clients have used a PC/SC service: what they left open, and calls that no sound client makes.
public struct ServiceUsage: Hashable, Sendable {
    /// A call that no sound client makes.
    public struct Misuse: Hashable, Sendable {
        /// The call, such as `SCardTransmit`.
        public let call: String
        /// What is wrong about it, a clause that goes on after the call.
        public let reason: String
        /// How many exchanges there had been in the field; nothing until somebody has looked.
        public internal(set) var exchange: Int?
    }

    /// Calls that are kept; a client that goes on for ever fills no memory.
    public static let maximumMisuses = 100

    /// Contexts that were not released when their client ended.
    public internal(set) var contexts = 0
    /// Card handles that were not disconnected when their context was released or their client ended.
    public internal(set) var cards = 0
    /// Transactions that were not ended when their handle was disconnected, their context released or their client
    /// ended.
    public internal(set) var transactions = 0
    /// Calls that no sound client makes, in order.
    public internal(set) var misuses: [Misuse] = []

    /// Whether nobody has looked yet when the last misuse was.
    var hasUnplacedMisuse: Bool { misuses.last.map { $0.exchange == nil } ?? false }

    /// Says of new misuses how many exchanges there had been.
    mutating func placeMisuses(afterExchanges count: Int) {
        for index in misuses.indices where misuses[index].exchange == nil { misuses[index].exchange = count }
    }
}
