import TapPhone
import TapScenario
import Testing

/// What a test runs on: a case of a scenario and the phone that reads its cards.
struct PhonePlan: Sendable {
    /// The case.
    let scenarioCase: ScenarioCase
    /// The phone.
    let settings: PhoneSettings
    /// Whether a session may be open when the test ends.
    let leavesSessionOpen: Bool

    /// Makes the plan of a test.
    ///
    /// - Parameters:
    ///   - parts: What its traits say, those of suites first.
    ///   - location: Where the test stands.
    ///   - diagnostics: Told of all errors and doubts, each at the trait or the line of the file.
    /// - Returns: The plan, or nothing if there is an error.
    static func make(
        _ parts: [PlanPart], at location: SourceLocation, into diagnostics: inout Diagnostics
    ) -> PhonePlan? {
        let document = PlanDocument(parts, at: location)
        for diagnostic in document.diagnostics.found { diagnostics.report(diagnostic) }
        guard let node = document.node else { return nil }
        let surroundings = ScenarioLoader.Surroundings(files: document.files, seed: parts.seed)
        let scenario = ScenarioLoader.scenario(from: node, file: document.file, surroundings, into: &diagnostics)
        guard let scenario, !diagnostics.hasErrors else { return nil }
        let source = parts.scenarioSource ?? TraitSource("", at: location)
        let choice = CaseChoice(scenario.cases.map(\.displayName))
        guard let index = choice.index(of: document.caseName, source, into: &diagnostics) else { return nil }
        let scenarioCase = scenario.cases[index].judgingFieldAlone(hasPhone: true)
        if let obstacle = scenarioCase.obstacle(to: .app) {
            diagnostics.report(source.error(.impossibleFault, obstacle.description, hint: obstacle.hint))
            return nil
        }
        return PhonePlan(
            scenarioCase: scenarioCase, settings: parts.settings(for: scenarioCase),
            leavesSessionOpen: parts.leavesSessionOpen)
    }
}

extension [PlanPart] {
    /// The last of what traits say about something, which is the nearest to the test.
    private func last<Value>(_ value: (PlanPart.Content) -> Value?) -> Value? {
        for part in reversed() {
            if let said = value(part.content) { return said }
        }
        return nil
    }

    fileprivate var seed: UInt64? { last { if case .seed(let seed) = $0 { seed } else { nil } } }

    /// The phone of a case, with what traits say of it.
    fileprivate func settings(for scenarioCase: ScenarioCase) -> PhoneSettings {
        var settings = PhoneSettings(scenarioCase)
        settings.clock = last { if case .clock(let clock) = $0 { clock } else { nil } } ?? settings.clock
        settings.idle = last { if case .idle(let idle) = $0 { idle } else { nil } } ?? settings.idle
        settings.policy = last { if case .policy(let policy) = $0 { policy } else { nil } } ?? settings.policy
        return settings
    }

    fileprivate var leavesSessionOpen: Bool {
        contains { if case .leavesSessionOpen = $0.content { true } else { false } }
    }

    fileprivate var scenarioSource: TraitSource? {
        for part in self {
            if case .scenario(let path, _) = part.content { return TraitSource(scenario: path, at: part.location) }
        }
        return nil
    }
}
