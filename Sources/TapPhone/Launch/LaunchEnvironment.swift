import TapScenario

/// What the launch environment of an app says about its field.
struct LaunchEnvironment {
    /// The path of a scenario file in JSON.
    static let file = "TAPSIM_SCENARIO"
    /// Cards, each as `--card` takes it.
    static let cards = "TAPSIM_CARD"
    /// Which case of the file.
    static let number = "TAPSIM_CASE"
    /// The seed of everything drawn by chance.
    static let seed = "TAPSIM_SEED"

    /// The case whose cards lie before the phone.
    let scenarioCase: ScenarioCase
    /// The variables that bring it about again, as words before a program.
    let again: [String]

    /// Reads variables, or nothing where neither a file nor cards are named.
    ///
    /// - Parameter variable: Gives the value of a variable.
    /// - Throws: ``AppScenarioError`` that names the variable which is wrong.
    init?(_ variable: (String) -> String?) throws(AppScenarioError) {
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        let (file, cards, number) = (value(Self.file), value(Self.cards), value(Self.number))
        guard let name = file.map({ _ in Self.file }) ?? cards.map({ _ in Self.cards }) else { return nil }
        guard file == nil || cards == nil else {
            throw AppScenarioError("\(Self.file) and \(Self.cards) are both set; unset one of them")
        }
        guard file != nil || number == nil else {
            throw AppScenarioError("\(Self.number) goes with \(Self.file); unset it")
        }
        let seed = try value(Self.seed).map { text throws(AppScenarioError) in
            guard let seed = UInt64(text) else {
                throw AppScenarioError("\(Self.seed): `\(text)` is no whole number from 0 on")
            }
            return seed
        }
        do {
            scenarioCase =
                if let file {
                    try AppScenario.scenarioCase(file: file, case: number, seed: seed)
                } else {
                    try AppScenario.scenarioCase(cards: cards ?? "", seed: seed)
                }
        } catch {
            throw AppScenarioError("\(name): \(error)\(error.asksForCase ? " by \(Self.number)" : "")")
        }
        if let obstacle = scenarioCase.obstacle(to: .app) {
            throw AppScenarioError("\(name): \(obstacle.description); \(obstacle.hint)")
        }
        let words = [
            (Self.file, file), (Self.cards, cards), (Self.number, number), (Self.seed, "\(scenarioCase.seed)"),
        ]
        again = ["env"] + words.compactMap { name, value in value.map { "\(name)=\($0)" } }
    }
}
