import TapDoors
import TapField
import TapScenario

extension ScenarioCase {
    /// The world for clients outside: its timeline follows the clock, unless the case wants card time.
    ///
    /// - Parameters:
    ///   - observer: Told of every event as it happens.
    ///   - isWaiting: Whether nothing is to happen by itself until a client is ready for it.
    public func makeDoorWorld(
        observer: (any TraceObserver)?, isWaiting: Bool = false
    ) -> World {
        var world = makeQuietWorld(trace: Trace(bound: .run, observer: observer))
        if settings.clock != .virtual { world.followMeasuredClock() }
        if !isWaiting { beginVisit(in: &world) }
        return world
    }

    /// The field for clients outside.
    public func makeHost(
        observer: (any TraceObserver)?, isWaiting: Bool = false
    ) -> FieldHost {
        FieldHost(
            makeDoorWorld(observer: observer, isWaiting: isWaiting),
            pace: pace == .card ? .card : .atOnce, exchangeLimit: limits.exchanges)
    }
}
