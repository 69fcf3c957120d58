import TapDoors
import TapField
import TapScenario

extension ScenarioCase {
    /// The world for clients outside: its timeline follows the clock, unless the case wants card time.
    ///
    /// - Parameters:
    ///   - observer: Told of every event as it happens.
    ///   - isWaiting: Whether nothing is to happen by itself until a client is ready for it.
    ///   - eventLimit: How many events are kept, the newest ones; nothing for all.
    public func makeDoorWorld(
        observer: (any TraceObserver)?, isWaiting: Bool = false, eventLimit: Int? = nil
    ) -> World {
        var world = makeQuietWorld(trace: Trace(limit: eventLimit, observer: observer))
        if settings.clock != .virtual { world.followMeasuredClock() }
        if !isWaiting { beginVisit(in: &world) }
        return world
    }

    /// The field for clients outside.
    public func makeHost(
        observer: (any TraceObserver)?, isWaiting: Bool = false, eventLimit: Int? = nil
    ) -> FieldHost {
        FieldHost(
            makeDoorWorld(observer: observer, isWaiting: isWaiting, eventLimit: eventLimit),
            pace: pace == .card ? .card : .atOnce, exchangeLimit: limits.exchanges)
    }
}
