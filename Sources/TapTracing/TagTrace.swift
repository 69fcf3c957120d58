import TapSystem
import TapField
import TapReport
import TapWire

/// A record of the conversation between an app and a tag on a real phone or reader, as it happens.
///
/// ``text`` is a trace in the format of `tapsim run`. `tapsim trace show` prints it, and `tapsim record --import` converts it
/// to a scenario that replays it. The trace identifies the card; a scenario made from it is scrubbed, but the trace itself is
/// not.
public final class TagTrace: Sendable {
    let world: Lock<World>
    private let started = ContinuousClock.now

    public init() {
        world = Lock(World(seed: 0, trace: Trace(bound: .run)))
    }

    /// The trace as JSON Lines, with one event per line.
    public var text: String { TraceLines(world.withLock { $0 }.trace).text }

    public func note(_ text: String) { world.withLock { $0.note(text) } }

    /// Records an exchange that ends now.
    ///
    /// - Parameters:
    ///   - answer: The answer, or `nil` for silence.
    ///   - began: The value of ``now`` when the command was sent.
    func takeDown(_ command: RFFrame, answer: RFFrame?, since began: Duration) {
        let end = now
        world.withLock { $0.takeDown(command, answer: answer, from: began, to: end) }
    }

    /// The time since the beginning of the trace.
    var now: Duration { ContinuousClock.now - started }
}

/// A link to real tags that records its traffic.
public struct TracedLink<Base: TagLink>: TagLink {
    private var base: Base
    private let trace: TagTrace

    public init(_ base: Base, into trace: TagTrace) {
        self.base = base
        self.trace = trace
    }

    public var limits: LinkLimits { base.limits }

    public mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag? {
        let began = trace.now
        let tag = try await base.activate(target, timeout: timeout)
        let end = trace.now
        trace.world.withLock { $0.takeDown(target, found: tag, from: began, to: end) }
        return tag
    }

    public mutating func transceive(_ frame: RFFrame, timeout: Duration) async throws(LinkError) -> RFFrame? {
        let began = trace.now
        let answer = try await base.transceive(frame, timeout: timeout)
        trace.takeDown(frame, answer: answer, since: began)
        return answer
    }
}
