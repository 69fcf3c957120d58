import TapScenario
import TapWire

/// The heading above the cases of a scenario: its name, the seed and who reads the cards.
public enum ScenarioText {
    public static func heading(name: String, seed: UInt64, client: String, style: TerminalStyle = .plain) -> String {
        "\(style.bold(PrintableText.visible(name)))  seed \(seed)  \(PrintableText.visible(client))"
    }

    /// The last line of a run: how many cases passed and failed, and were skipped if any were.
    public static func summary(passed: Int, failed: Int, skipped: Int, style: TerminalStyle = .plain) -> String {
        let failures = failed > 0 ? style.severity("\(failed) failed", .error) : "0 failed"
        return "\(passed) passed, \(failures)" + (skipped > 0 ? ", \(skipped) skipped" : "")
    }
}
