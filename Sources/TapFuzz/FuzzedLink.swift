import TapSystem
import TapField
import TapWire

/// A link to the cards of one run of a campaign, faults included: what a client in this process reads from.
///
/// The client may hand it on to other tasks; each exchange is carried out alone.
public struct FuzzedLink: TagLink, Sendable {
    let field: FuzzedField

    public var limits: LinkLimits { .none }

    public mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag? {
        try await field.exchange { link throws(LinkError) in try link.activated(target, timeout: timeout) }
    }

    public mutating func transceive(_ frame: AirFrame, timeout: Duration) async throws(LinkError) -> AirFrame? {
        try await field.exchange { link throws(LinkError) in try link.received(frame, timeout: timeout) }
    }
}

/// The field of one run over a link.
final class FuzzedField: Sendable {
    /// How often a client may go on after it was told that the run has reached its limit of exchanges.
    private static let mostRefusals = 64

    private struct State {
        var link: VirtualLink
        var refusals = 0
    }

    private let state: Lock<State>
    /// Told when the client goes on in spite of all, so that it never comes to an end by itself.
    private let isStuck: @Sendable () -> Void

    init(_ world: World, isStuck: @escaping @Sendable () -> Void) {
        state = Lock(State(link: VirtualLink(world)))
        self.isStuck = isStuck
    }

    var world: World { state.withLock { $0.link.world } }

    /// How many frames were sent so far.
    var exchangeCount: Int { state.withLock { $0.link.world.exchangeCount } }

    /// Whether the client has sent more than a run may have.
    var isOverLimit: Bool { state.withLock { $0.refusals > 0 } }

    func exchange<Value: Sendable>(
        _ body: (inout VirtualLink) throws(LinkError) -> Value
    ) async throws(LinkError) -> Value {
        let (result, isLost) = state.withLock { state -> (Result<Value, LinkError>, Bool) in
            let result: Result<Value, LinkError>
            do throws(LinkError) { result = .success(try body(&state.link)) } catch { result = .failure(error) }
            if case .failure(let error) = result, error.code == .limitReached { state.refusals += 1 }
            return (result, state.refusals > Self.mostRefusals)
        }
        if isLost {
            isStuck()
            // Nothing else ends a task that takes no error for an answer; it waits for ever and costs no time.
            unsafe await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        return try result.get()
    }
}
