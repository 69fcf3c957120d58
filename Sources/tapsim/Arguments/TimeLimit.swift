import TapScenario

/// What `--timeout` makes of the time limit of a case.
struct TimeLimit {
    /// The option, for verbs that start clients.
    static let option = Option.value(
        "--timeout", "TIME", "How long a client may run, such as 90s, in place of the scenario's limit (60s).")

    private let wall: Duration?

    /// Reads the option.
    ///
    /// - Throws: ``UsageError`` for what is no time.
    init(_ arguments: Arguments) throws(UsageError) {
        guard let text = arguments.value("--timeout") else {
            wall = nil
            return
        }
        do throws(ScalarProblem) {
            let wall = try DurationRule().parse(text)
            guard wall > .zero else { throw ScalarProblem(.outOfRange, "is no time", hint: "a client needs some time") }
            self.wall = wall
        } catch {
            throw UsageError("`--timeout \(text)` \(error.message); \(error.hint)")
        }
    }

    /// The case with the time limit asked for.
    func applied(to scenarioCase: ScenarioCase) -> ScenarioCase {
        wall.map { scenarioCase.limited(to: $0) } ?? scenarioCase
    }

    /// The words that ask for the same again.
    static func words(_ arguments: Arguments) -> [String] {
        arguments.value("--timeout").map { ["--timeout", $0] } ?? []
    }
}
