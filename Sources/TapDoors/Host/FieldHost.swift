import TapField
import TapWire

/// The owner of a running world, shared by the threads of its doors.
///
/// One lock, held for one exchange at a time. A door is served by a client outside, whose patience nobody here knows,
/// so no answer comes too late for it and silence takes no card time.
public final class FieldHost: Sendable {
    /// When answers go out.
    public enum Pace: Hashable, Sendable {
        /// At once.
        case atOnce
        /// When the card would have sent them: an exchange takes as long as its card time.
        case card
    }

    private struct State {
        var world: World
        var isExhausted = false
    }

    private let state: Lock<State>
    private let pace: Pace
    private let exchangeLimit: Int
    private let started = ContinuousClock.now

    /// Takes a world over.
    ///
    /// - Parameters:
    ///   - world: The world; its timeline follows the clock it is set to.
    ///   - pace: When answers go out.
    ///   - exchangeLimit: How many frames are let into the field; what comes after meets silence, so that no client
    ///     runs for ever.
    public init(_ world: World, pace: Pace = .atOnce, exchangeLimit: Int = World.usualExchangeLimit) {
        state = Lock(State(world: world))
        self.pace = pace
        self.exchangeLimit = exchangeLimit
    }

    /// Sends a frame into the field as a reader that takes one card.
    ///
    /// - Returns: The answer, or nothing for silence.
    public func exchange(_ frame: AirFrame) -> AirFrame? {
        let begin = ContinuousClock.now
        let (answer, cardTime) = state.withLock { state -> (AirFrame?, Duration) in
            state.world.clockReads(begin - started)
            state.isExhausted = state.world.exchangeCount >= exchangeLimit
            guard !state.isExhausted else { return (nil, .zero) }
            let before = state.world.now
            return (state.world.exchangeWithOneCard(frame, waiting: nil), state.world.now - before)
        }
        if pace == .card { BlockingThread.sleep(until: begin + cardTime) }
        return answer
    }

    /// Switches the reader's field.
    public func switchField(on: Bool) {
        state.withLock { state in
            state.world.clockReads(ContinuousClock.now - started)
            state.world.switchField(on: on)
        }
    }

    /// Whether a client wanted more frames than the limit lets it have.
    public var isExhausted: Bool {
        state.withLock { $0.isExhausted }
    }

    /// The world as it is now, a copy.
    public var snapshot: World {
        state.withLock { $0.world }
    }
}
