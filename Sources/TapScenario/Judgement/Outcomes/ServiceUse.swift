/// What clients of a run did with the PC/SC service, as the service itself saw it.
public struct ServiceUse: Hashable, Sendable {
    /// A call that no sound client makes.
    public struct Misuse: Hashable, Sendable {
        /// The call, such as `SCardTransmit`.
        public let call: String
        /// What is wrong about it, a clause that goes on after the call: `on a handle whose card was removed`.
        public let reason: String
        /// How many exchanges there had been in the field.
        public let exchange: Int

        public init(call: String, reason: String, exchange: Int) {
            self.call = call
            self.reason = reason
            self.exchange = exchange
        }
    }

    /// Contexts that were not released when the client ended.
    public var contexts = 0
    /// Card handles that were not disconnected when their context or the client ended.
    public var cards = 0
    /// Transactions that were not ended when their handle, their context or the client ended.
    public var transactions = 0
    /// Calls that no sound client makes, in order.
    public var misuses: [Misuse] = []

    /// Nothing left open and nothing misused.
    public init() {}
}
