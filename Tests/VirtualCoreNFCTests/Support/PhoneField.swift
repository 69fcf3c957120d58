import TapDocument
import TapSystem
import TapPhone
import TapScenario
import Testing

/// Inline scenarios, and phones with their cards.
enum PhoneField {
    /// A case of a JSON scenario; its cards are on the phone from the start unless it has a timeline.
    static func scenarioCase(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> ScenarioCase {
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader(reader: JSONReader())
            .load(SourceFile(name: "phone.json", text: text), into: &diagnostics)
        try #require(!diagnostics.hasErrors, "\(diagnostics.sorted.map(\.message))", sourceLocation: location)
        return try #require(scenario?.cases.first, sourceLocation: location)
    }

    /// Runs `body` with a phone and the cards of a scenario.
    static func with<Value>(
        _ text: String, _ settings: PhoneSettings = PhoneSettings(), _ body: (VirtualPhone) async throws -> Value
    ) async throws -> Value {
        let phone = try VirtualPhone(scenarioCase(text), settings)
        defer { phone.close() }
        return try await VirtualPhone.$current.withValue(phone) { try await body(phone) }
    }

    /// The record of the next session, awaited on a separate thread.
    static func end(of phone: VirtualPhone) async throws -> SessionRecord {
        try #require(try await BlockingThread.value { phone.nextEnd(PhoneWait(phone)) })
    }

    /// A Suica with 3120 yen.
    static let suica = """
        {"format": 1, "cards": {"suica": {"template": "suica", "balance": 3120, "trips": 20}}}
        """
}
