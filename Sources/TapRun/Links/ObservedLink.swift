import TapField
import TapWire

/// A link to real cards that takes down what goes over it.
///
/// A PC/SC reader selects type A cards by itself, out of sight; of that the trace has a remark.
struct ObservedLink<Base: TagLink>: WorldLink {
    private(set) var world: World
    private var base: Base
    private let started = ContinuousClock.now

    /// Observes a link.
    ///
    /// - Parameters:
    ///   - base: The link.
    ///   - world: A world without cards, whose trace and limit of exchanges the run has.
    init(_ base: Base, into world: World) {
        self.base = base
        self.world = world
    }

    var limits: LinkLimits { base.limits }

    mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag? {
        try checkLimit()
        let begin = elapsed
        let tag = try await base.activate(target, timeout: timeout)
        switch (target, tag) {
        case (.felica(let request, let technology), let tag):
            var answer: AirFrame?
            if case .felica(let response, let technology)? = tag { answer = AirFrame(technology, response.bytes) }
            world.takeDown(AirFrame(technology, request.bytes), answer: answer, from: begin, to: elapsed)
        case (.typeA, .typeA(let tag)?): world.note("the reader selected the card with UID \(tag.uid)")
        case (.typeA, _): world.note("the reader found no type A card")
        }
        return tag
    }

    mutating func transceive(_ frame: AirFrame, timeout: Duration) async throws(LinkError) -> AirFrame? {
        try checkLimit()
        let begin = elapsed
        let answer = try await base.transceive(frame, timeout: timeout)
        world.takeDown(frame, answer: answer, from: begin, to: elapsed)
        return answer
    }

    private var elapsed: Duration { ContinuousClock.now - started }

    private func checkLimit() throws(LinkError) {
        guard world.exchangeCount < world.exchangeLimit else { throw .exchangeLimit(world.exchangeLimit) }
    }
}
