import TapScenario
import TapWire

/// What the command line sets in scenario files: the seed, and values of their parameters.
struct ScenarioArguments {
    /// The option for a parameter.
    static let parameter = Option.value(
        "--param", "NAME=VALUE", isRepeatable: true,
        "The value of a parameter, in place of that of the file and its cases.")

    /// The seed in place of that of the file.
    let seed: UInt64?
    /// Parameters in place of those of the file and its cases.
    let parameters: NodeMap?

    /// Sets nothing but, perhaps, the seed.
    init(seed: UInt64? = nil) {
        self.seed = seed
        parameters = nil
    }

    /// Reads the options.
    ///
    /// - Throws: ``UsageError`` for a seed that is no number, and for a parameter without a value or given twice.
    init(_ arguments: Arguments) throws(UsageError) {
        seed = try arguments.number("--seed", as: UInt64.self)
        var entries: [NodeMap.Entry] = []
        for text in arguments.values("--param") {
            let entry = try Self.entry(text)
            guard !entries.contains(where: { $0.key.text == entry.key.text }) else {
                throw UsageError("`--param` sets `\(entry.key.text)` twice")
            }
            entries.append(entry)
        }
        parameters = entries.isEmpty ? nil : NodeMap(entries)
    }

    /// A parameter whose places lie in the option, so that errors show it.
    private static func entry(_ text: String) throws(UsageError) -> NodeMap.Entry {
        guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
            throw UsageError("`--param \(text)` has no value; write --param NAME=VALUE")
        }
        let file = SourceFile(name: "--param", text: text)
        let name = String(text[..<sign])
        let start = name.unicodeScalars.count
        let key = Scalar(name, range: SourceRange(file, offset: 0, length: start))
        let value = String(text[text.index(after: sign)...])
        let range = SourceRange(file, offset: start + 1, length: value.unicodeScalars.count)
        return NodeMap.Entry(key, .scalar(Scalar(value, range: range)))
    }

    /// Refuses parameters that none of the scenarios has.
    ///
    /// - Throws: ``VerbError`` with the names that there are.
    func checkNames(in scenarios: [Scenario]) throws(VerbError) {
        var names: [String] = []
        for name in scenarios.flatMap(\.parameterNames) where !names.contains(name) { names.append(name) }
        for entry in parameters?.entries ?? [] where !names.contains(entry.key.text) {
            let known = names.isEmpty ? "there are none" : "there are \(names.joined(separator: ", "))"
            let guess = Spelling.question(for: entry.key.text, among: names)
            throw VerbError(.usage, "--param: no scenario has a parameter `\(entry.key.text)`; \(known)\(guess)")
        }
    }
}
