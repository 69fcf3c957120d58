/// How a client's run ended.
public struct ClientOutcome: Hashable, Sendable {
    /// How the process ended.
    public enum End: Hashable, Sendable {
        /// It left with an exit code.
        case exit(Int32)
        /// A signal ended it.
        case signal(Int32)
        /// It was still running when its time was over, and was ended; its exit code if no signal was needed for that.
        case timeLimit(exit: Int32?)
        /// Who looked after it had it ended; its exit code if no signal was needed for that.
        case dismissed(exit: Int32?)
    }

    /// How the process ended.
    public let end: End
    /// What it wrote to standard output.
    public let standardOutput: CapturedOutput
    /// What it wrote to standard error.
    public let standardError: CapturedOutput
    /// How long it ran, by the clock.
    public let wall: Duration
}

/// What a client wrote to one stream, up to a bound.
public struct CapturedOutput: Hashable, Sendable {
    /// The first bytes.
    public private(set) var bytes: [UInt8] = []
    /// How many bytes came after those kept.
    public private(set) var droppedBytes = 0
    private let limit: Int

    /// Creates an empty capture that keeps at most `limit` bytes.
    public init(limit: Int) {
        self.limit = limit
    }

    /// Adds bytes.
    public mutating func append(_ more: [UInt8]) {
        let kept = more.prefix(max(0, limit - bytes.count))
        bytes.append(contentsOf: kept)
        droppedBytes += more.count - kept.count
    }

    /// The bytes as text; what is no UTF-8 becomes U+FFFD.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}
