import TapField
import TapWire

/// The owner of a running world, shared by the threads of its doors.
///
/// One lock, held for one exchange at a time. A door is served by a client outside, whose patience nobody here knows,
/// so no answer comes too late for it and silence takes no card time. What the timeline puts at an instant follows a
/// monotonic clock that starts with the host, and is marked measured.
public final class FieldHost: Sendable {
    private let world: Lock<World>
    private let started = ContinuousClock.now

    /// Takes a world over; its timeline follows a clock from now on.
    public init(_ world: World) {
        var world = world
        world.followMeasuredClock()
        self.world = Lock(world)
    }

    /// Sends a frame into the field as a reader that takes one card.
    ///
    /// - Returns: The answer, or nothing for silence.
    public func exchange(_ frame: AirFrame) -> AirFrame? {
        world.withLock { world in
            world.clockReads(ContinuousClock.now - started)
            return world.exchangeWithOneCard(frame, waiting: nil)
        }
    }

    /// Switches the reader's field.
    public func switchField(on: Bool) {
        world.withLock { world in
            world.clockReads(ContinuousClock.now - started)
            world.switchField(on: on)
        }
    }

    /// The world as it is now, a copy.
    public var snapshot: World {
        world.withLock { $0 }
    }
}
