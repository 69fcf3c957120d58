import TapField

extension ScenarioCase {
    /// What cannot come about where no app reads the cards on a phone, the first of it; nothing if all can.
    public var obstacleWithoutPhone: ClientObstacle? {
        let hint = "test an app with it, or leave it out"
        for entry in plan.entries {
            let isOfPhone = if case .phone = entry.fault.kind.effect { true } else { false }
            guard isOfPhone || entry.trigger.event.isOfPhone else { continue }
            let place = entry.source.map { "\($0): " } ?? ""
            return ClientObstacle(
                key: "faults",
                description: "\(place)`\(entry.fault.kind.name)` can never strike in this run: it needs an app that "
                    + "reads with Core NFC", hint: hint)
        }
        for step in timeline.remaining {
            guard case .event(let trigger) = step.trigger, trigger.event.isOfPhone else { continue }
            let place = step.source.map { "\($0): " } ?? ""
            return ClientObstacle(
                key: "timeline",
                description: "\(place)the step never comes in this run: it waits for an app that reads with Core NFC",
                hint: hint)
        }
        return nil
    }

    /// Why a fault can never strike an app on a phone; nothing if it can.
    func obstacleInApp(to entry: FaultPlan.Entry) -> ClientObstacle? {
        var needsReader = false
        if case .call = entry.trigger.event { needsReader = true }
        switch entry.fault.kind.effect {
        case .door, .reader: needsReader = true
        default: break
        }
        guard needsReader else { return nil }
        let place = entry.source.map { "\($0): " } ?? ""
        return ClientObstacle(
            key: "faults",
            description:
                "\(place)`\(entry.fault.kind.name)` can never strike an app: its phone has neither PC/SC nor a "
                + "reader model", hint: "use a fault of the phone, such as `phone.connection_lost`")
    }
}

extension EventPattern {
    /// Whether it is about an app and its phone.
    fileprivate var isOfPhone: Bool {
        if case .phone = self { true } else { false }
    }
}
