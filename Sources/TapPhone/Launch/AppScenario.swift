import TapDoors
import TapScenario
import TapWire

/// Scenarios as apps take them: files of JSON, since no app reads YAML, and cards by their words.
public enum AppScenario {
    /// Most cards that stand beside each other in words.
    public static let maximumCards = 64

    /// A case of a file: one scenario, or several in a list as `tapsim check --resolved --json` writes them.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The case, by its number in the file from 1 or by its name; a file with one case needs none.
    ///   - seed: The seed in place of that of the file.
    /// - Throws: ``AppScenarioError`` if there is no such file or case, or the file is wrong.
    public static func scenarioCase(
        file path: String, case name: String? = nil, seed: UInt64? = nil
    ) throws(AppScenarioError) -> ScenarioCase {
        let file = try load(path)
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader(reader: JSONReader(), .init(seed: seed)).load(file, into: &diagnostics)
        guard let scenario, !diagnostics.hasErrors else { throw AppScenarioError(diagnostics) }
        return try chosen(name, among: scenario.cases, of: path)
    }

    /// A case of cards alone, each as `--card` takes it: `suica:balance=3120,trips=20`.
    ///
    /// - Parameters:
    ///   - words: The cards, blanks or line breaks between them.
    ///   - seed: The seed of everything drawn by chance.
    /// - Throws: ``AppScenarioError`` for what is no card.
    public static func scenarioCase(cards words: String, seed: UInt64? = nil) throws(AppScenarioError) -> ScenarioCase {
        let cards = words.split(whereSeparator: \.isWhitespace).map(String.init)
        guard !cards.isEmpty, cards.count <= maximumCards else {
            throw AppScenarioError("name 1 to \(maximumCards) cards, such as suica:balance=3120")
        }
        let document: Node
        do { document = try CardArgument.scenario(cards) } catch { throw AppScenarioError(error.description) }
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.scenario(from: document, file: "cards", .init(seed: seed), into: &diagnostics)
        guard let scenario, !diagnostics.hasErrors else { throw AppScenarioError(diagnostics) }
        return scenario.cases[0]
    }

    private static func load(_ path: String) throws(AppScenarioError) -> SourceFile {
        guard FileContent.isRegular(path) else {
            let start = path.hasPrefix("/") ? "" : "; paths begin at the working directory of the app"
            throw AppScenarioError("there is no file \(path)\(start)")
        }
        let file: SourceFile
        do {
            let bytes = try FileContent.bytes(of: path, upTo: DocumentLimits.scenario.maximumBytes)
            file = SourceFile(name: path, bytes: bytes)
        } catch {
            throw AppScenarioError("\(error)")
        }
        let first = file.scalars.first { !$0.properties.isWhitespace }
        guard [".yaml", ".yml"].contains(where: path.hasSuffix) || first != "{" && first != "[" else { return file }
        throw AppScenarioError(
            "\(path) is no JSON, which is all that apps read; write it with "
                + "`tapsim check --resolved --json \(path) > scenario.json` and name that file")
    }

    private static func chosen(
        _ name: String?, among cases: [ScenarioCase], of path: String
    ) throws(AppScenarioError) -> ScenarioCase {
        let names = cases.map { "\($0.number) \($0.displayName)" }.joined(separator: "; ")
        guard let name else {
            if cases.count == 1 { return cases[0] }
            throw AppScenarioError("\(path) has several cases: \(names); choose one", asksForCase: true)
        }
        let chosen = cases.first { Int(name) == $0.number } ?? cases.first { $0.displayName == name }
        guard let chosen else { throw AppScenarioError("\(path) has no case `\(name)`; there are: \(names)") }
        return chosen
    }
}

/// Why an app is given no case.
public struct AppScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do, a sentence without a full stop.
    public let description: String

    /// Whether it was not said which of several cases is meant.
    let asksForCase: Bool

    init(_ description: String, asksForCase: Bool = false) {
        self.description = description
        self.asksForCase = asksForCase
    }

    /// The first error that was found, with its place in a file.
    init(_ diagnostics: Diagnostics) {
        guard let error = diagnostics.sorted.first(where: { $0.severity == .error }) else {
            self.init("it holds no case")
            return
        }
        let place = error.place.range.map { "\($0.file.name):\($0.line):\($0.column): " } ?? ""
        self.init(place + error.message + (error.hint.isEmpty ? "" : "; \(error.hint)"))
    }
}
