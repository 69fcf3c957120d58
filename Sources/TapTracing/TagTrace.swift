import TapSystem
import TapField
import TapReport
import TapWire

/// What an app and a tag say to each other, taken down as it happens on a real phone or reader.
///
/// ``text`` is a trace as `tapsim run` keeps them: `tapsim trace show` prints it, and `tapsim record --import` makes a scenario of it
/// that replays it. It names the card, so a scenario made of it is scrubbed; the trace itself is not.
public final class TagTrace: Sendable {
    let world: Lock<World>
    private let started = ContinuousClock.now

    public init() {
        world = Lock(World(seed: 0, trace: Trace(bound: .run)))
    }

    /// JSON Lines, an event a line.
    public var text: String { TraceLines(world.withLock { $0 }.trace).text }

    /// Takes down a remark.
    public func note(_ text: String) { world.withLock { $0.note(text) } }

    /// Takes down an exchange that ends now.
    ///
    /// - Parameters:
    ///   - answer: `nil` for silence.
    ///   - began: What ``now`` was when the command went out.
    func takeDown(_ command: AirFrame, answer: AirFrame?, since began: Duration) {
        let end = now
        world.withLock { $0.takeDown(command, answer: answer, from: began, to: end) }
    }

    /// The time since the trace was begun.
    var now: Duration { ContinuousClock.now - started }
}

/// A link to real tags that takes down what goes over it.
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

    public mutating func transceive(_ frame: AirFrame, timeout: Duration) async throws(LinkError) -> AirFrame? {
        let began = trace.now
        let answer = try await base.transceive(frame, timeout: timeout)
        trace.takeDown(frame, answer: answer, since: began)
        return answer
    }
}
