import TapField
import TapScenario

extension ScenarioCase {
    /// The variables that tell a client outside which case it meets.
    var clientVariables: [(name: String, value: String)] {
        let file = source.map { [("TAPSIM_SCENARIO", $0.file)] } ?? []
        return [("TAPSIM_SEED", "\(seed)")] + file
    }
}
