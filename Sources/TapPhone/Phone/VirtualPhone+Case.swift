import TapDoors
import TapField
import TapScenario

extension VirtualPhone {
    /// A phone before the cards of a case.
    ///
    /// - Parameters:
    ///   - scenarioCase: The case; its client stays away.
    ///   - settings: What kind of phone it is.
    ///   - observer: Told of every event in the field as it happens.
    /// - Throws: ``SystemError`` if the system gives no thread.
    public convenience init(
        _ scenarioCase: ScenarioCase, _ settings: PhoneSettings = PhoneSettings(),
        observer: (any TraceObserver)? = nil
    ) throws(SystemError) {
        let world = Self.makeWorld(of: scenarioCase, settings, observer: observer)
        let pace: FieldHost.Pace =
            switch (settings.clock, scenarioCase.pace) {
            case (.virtual, _): .virtual
            case (.real, .card): .card
            case (.real, .asap): .atOnce
            }
        try self.init(FieldHost(world, pace: pace, exchangeLimit: scenarioCase.limits.exchanges), settings)
    }

    /// The world of a case before a phone, at its beginning.
    static func makeWorld(
        of scenarioCase: ScenarioCase, _ settings: PhoneSettings, observer: (any TraceObserver)? = nil
    ) -> World {
        var world = scenarioCase.makeQuietWorld(trace: Trace(observer: observer))
        if settings.clock == .real { world.followMeasuredClock() }
        scenarioCase.beginVisit(in: &world)
        return world
    }
}
