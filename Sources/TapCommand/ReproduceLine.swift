import TapSystem
import TapReport
import TapScenario

/// The command line that repeats one case, ready to be pasted into a shell.
enum ReproduceLine {
    private static let options = ["--model", "--transport", "--taps", "--timeout", "--reader", "--stations"]

    /// The arguments of the line, for `ShellText` to join.
    static func words(
        _ verb: String, _ arguments: Arguments, _ scenario: SelectedScenario, _ scenarioCase: ScenarioCase,
        only run: String? = nil
    ) -> [String] {
        let given = { (option: String) in arguments.values(option).flatMap { [option, $0] } }
        let cards = given("--card")
        var words = ["tapsim", verb]
        let file = arguments.operands.isEmpty ? [] : [operand(scenario.file), "--case", "\(scenarioCase.number)"]
        words += cards.isEmpty ? file : cards
        for text in arguments.values("--param") where scenario.takes(parameter: text) { words += ["--param", text] }
        words += ["--seed", "\(scenarioCase.seed)"] + options.flatMap(given)
        if let run { words += ["--only", run] }
        // The exceptions are part of what the pattern selects.
        if run == VariedCard.pattern { words += given("--except") }
        words += ["--allow-client", "--allow-no-read"].filter(arguments.isGiven)
        return words + (arguments.client.map { ["--"] + $0 } ?? [])
    }

    /// The arguments of the line that runs a scenario file.
    ///
    /// - Parameter client: The program to run instead of the file's own; `nil` if the file names one.
    static func words(running file: String, allowingClient: Bool = false, client: [String]? = nil) -> [String] {
        ["tapsim", "run"] + (allowingClient ? ["--allow-client"] : []) + [operand(file)]
            + (client.map { ["--"] + $0 } ?? [])
    }

    /// The arguments of the line that repeats the pytest test that started this process, if there is one.
    static func ofTest(in surroundings: Surroundings) -> [String]? {
        // The phase follows the test: `tests/test_gate.py::test_opens (setup)`.
        guard let text = surroundings["PYTEST_CURRENT_TEST"], text.contains("::"),
            let end = text.lastIndex(of: " ")
        else { return nil }
        return ["pytest", String(text[..<end])]
    }

    /// The arguments of the line that resumes a campaign.
    ///
    /// - Parameters:
    ///   - arguments: The arguments that started the campaign.
    ///   - file: The document that the campaign left.
    static func words(resuming arguments: Arguments, from file: String) -> [String] {
        var options = Array(arguments.words.prefix { $0 != "--" })
        if let index = options.firstIndex(of: "--resume") {
            options.removeSubrange(index...min(index + 1, options.count - 1))
        }
        options.removeAll { $0.hasPrefix("--resume=") }
        return ["tapsim", "fuzz"] + options + ["--resume", file] + (arguments.client.map { ["--"] + $0 } ?? [])
    }

    /// The arguments of the line that turns a log into a scenario.
    static func words(importing log: String) -> [String] { ["tapsim", "record", "--import", operand(log)] }

    /// The parts of the line before and after one of its arguments.
    static func around(_ word: String, _ words: [String]) -> (before: String, after: String) {
        guard let index = words.lastIndex(of: word) else { return (ShellText.text(words), "") }
        let rest = words[(index + 1)...]
        return (ShellText.text(Array(words[..<index])) + " ", rest.isEmpty ? "" : " " + ShellText.text(Array(rest)))
    }

    /// A path that cannot be mistaken for an option.
    private static func operand(_ path: String) -> String { path.hasPrefix("-") ? "./\(path)" : path }
}

extension SelectedScenario {
    /// A Boolean value that indicates whether the scenario has the parameter of `NAME=VALUE`, which may belong to another
    /// file.
    fileprivate func takes(parameter text: String) -> Bool {
        parameterNames.contains { text.hasPrefix("\($0)=") }
    }
}
