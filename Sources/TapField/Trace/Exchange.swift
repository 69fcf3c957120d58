import TapWire

/// One command and what came back, as an expectation or a table shows it.
public struct Exchange: Hashable, Sendable {
    /// Number of the exchange in its run, from 1.
    public let number: Int
    /// When the command began.
    public let time: Duration
    public let command: AirFrame
    /// The reader that sent it; nothing where there is but one.
    public let reader: String?
    /// What came back; none for silence.
    public var answers: [Answer] = []

    /// One answer.
    public struct Answer: Hashable, Sendable {
        /// When it began.
        public let time: Duration
        /// What was received.
        public let frame: AirFrame
        /// Who sent it; several names where answers collided.
        public let cards: [String]
        /// The first bit in which answers differed, where they collided.
        public let firstCollidedBit: Int?
    }
}
