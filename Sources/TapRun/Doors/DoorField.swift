import TapDoors
import TapField
import TapScenario

extension ScenarioCase {
    /// The world for clients outside: its timeline follows the clock, unless the case wants card time.
    func makeDoorWorld(observer: (any TraceObserver)?) -> World {
        var world = makeWorld(trace: Trace(observer: observer))
        if settings.clock != .virtual { world.followMeasuredClock() }
        return world
    }

    /// The field for clients outside.
    func makeHost(observer: (any TraceObserver)?) -> FieldHost {
        FieldHost(
            makeDoorWorld(observer: observer), pace: pace == .card ? .card : .atOnce, exchangeLimit: limits.exchanges)
    }

    /// The variables that tell a client outside which case it meets.
    var clientVariables: [(name: String, value: String)] {
        let file = source.map { [("TAPSIM_SCENARIO", $0.file)] } ?? []
        return [("TAPSIM_SEED", "\(seed)")] + file
    }
}
