import TapWire

/// A link to the cards of a world, for clients in the same process.
///
/// It holds the world: a client moves it by its exchanges, and whoever made the link takes it back afterwards. It is a
/// reader that takes one card.
public struct VirtualLink: TagLink, Sendable {
    /// The world as the exchanges have left it.
    public var world: World
    /// A virtual link carries whatever a card can say.
    public let limits: LinkLimits

    /// Creates a link.
    ///
    /// - Parameters:
    ///   - world: The world to reach.
    ///   - limits: What the link carries; a test may make it as narrow as a real reader.
    ///   - exchangeLimit: How many frames the world may have seen before the link fails; without it as many as the
    ///     world allows, which is ``World/defaultExchangeLimit`` where it has no limit.
    public init(_ world: World, limits: LinkLimits = .none, exchangeLimit: Int? = nil) {
        self.world = world
        self.world.limitExchanges(to: exchangeLimit)
        self.limits = limits
    }

    /// Looks for a card and selects it.
    public mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag? {
        try world.checkLimits()
        switch target {
        case .felica(let request, let technology):
            guard let answer = world.exchangeWithOneCard(AirFrame(technology, request.bytes), waiting: timeout),
                answer.integrity == .good
            else { return nil }
            return (try? Polling.Response(parsing: answer.bytes)).map { .felica($0, technology) }
        case .typeA(let wakeUp):
            return world.selectTypeA(wakeUp ? .wupa : .reqa, waiting: timeout).map { .typeA($0) }
        }
    }

    /// Sends a frame and waits for its answer.
    public mutating func transceive(_ frame: AirFrame, timeout: Duration) async throws(LinkError) -> AirFrame? {
        try world.checkLimits()
        guard let answer = world.exchangeWithOneCard(frame, waiting: timeout) else { return nil }
        if let limit = limits.maximumAnswerLength, answer.bytes.count > limit {
            throw LinkError(
                .tooLong, "an answer of \(answer.bytes.count) bytes is longer than the \(limit) this link carries")
        }
        return answer
    }
}
