import TapWire

/// A link to the cards of a world for clients in the same process; acts as a reader that settles on one card.
public struct VirtualLink: TagLink, Sendable {
    /// The world after the exchanges so far.
    public var world: World
    public let limits: LinkLimits

    /// Creates a link to the cards of a world.
    ///
    /// - Parameters:
    ///   - world: The world, which the link owns; take it back from ``world`` afterwards.
    ///   - limits: None by default; a test may set those of a real reader.
    ///   - exchangeLimit: The number of exchanges in the world after which the link fails; `nil` for the world's own limit, by
    ///     default ``World/defaultExchangeLimit``.
    public init(_ world: World, limits: LinkLimits = .none, exchangeLimit: Int? = nil) {
        self.world = world
        self.world.limitExchanges(to: exchangeLimit)
        self.limits = limits
    }

    public mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag? {
        try activated(target, timeout: timeout)
    }

    public mutating func transceive(_ frame: RFFrame, timeout: Duration) async throws(LinkError) -> RFFrame? {
        try received(frame, timeout: timeout)
    }
}

/// Synchronous versions, for example for callers that hold a lock.
extension VirtualLink {
    package mutating func activated(_ target: Target, timeout: Duration) throws(LinkError) -> ActivatedTag? {
        try world.checkLimits()
        let before = world.rfCount
        defer { world.noteHost(since: before) }
        switch target {
        case .felica(let request, let technology):
            guard let answer = world.exchangeWithOneCard(RFFrame(technology, request.bytes), waiting: timeout),
                answer.integrity == .good
            else { return nil }
            return (try? Polling.Response(parsing: answer.bytes)).map { .felica($0, technology) }
        case .typeA(let wakeUp):
            return world.selectTypeA(wakeUp ? .wupa : .reqa, waiting: timeout).map { .typeA($0) }
        }
    }

    package mutating func received(_ frame: RFFrame, timeout: Duration) throws(LinkError) -> RFFrame? {
        try world.checkLimits()
        let before = world.rfCount
        defer { world.noteHost(since: before) }
        guard let answer = world.exchangeWithOneCard(frame, waiting: timeout) else { return nil }
        if let limit = limits.maximumAnswerLength, answer.bytes.count > limit {
            throw LinkError(
                .tooLong, "an answer of \(answer.bytes.count) bytes exceeds the limit of \(limit) bytes on this link")
        }
        return answer
    }
}
