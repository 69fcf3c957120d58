import TapDocument
import TestSupport
import Testing

/// A client of `Tests/Clients/zoo/mistakes.json`, either correct or with one of its bugs.
struct ZooProgram: Sendable, CustomTestStringConvertible {
    let name: String
    /// The name of a scenario in `Tests/Clients/zoo`; nil if the card is set by `card`.
    let scenario: String?
    /// The card in the syntax of `--card`, with the options of its reader; empty if it has no such form.
    let card: [String]
    /// The options that exclude faults and cards for which the library of the correct client fails.
    let except: [String]
    /// The number of parts into which its runs under faults are split; a test performs one part.
    let share: Int
    let mistakes: [ZooMistake]
    private let isPage: Bool
    private let words: [String]

    var testDescription: String { name }

    static let correct = "correct"

    static let everyone: [ZooProgram] = {
        guard let text = try? TapSimProgram.text(of: "Tests/Clients/zoo/mistakes.json") else { return [] }
        var diagnostics = Diagnostics()
        let table = JSONReader().read(SourceFile(name: "mistakes.json", bytes: Array(text.utf8)), into: &diagnostics)
        return table?["clients"]?.items.map(ZooProgram.init) ?? []
    }()

    /// The names of the bugs in an ordinary test run: the first bug of each client with and without faults, and of each pair of a
    /// verdict and a family of faults.
    private static let sample: Set<String> = {
        var names: Set<String> = []
        var pairs: Set<String> = []
        for program in all {
            var kinds: Set<Bool> = []
            for mistake in program.mistakes {
                let isFirst = kinds.insert(mistake.needsNoFault).inserted
                let isNew = pairs.insert("\(mistake.verdict) \(mistake.family)").inserted
                if isFirst || isNew { names.insert(mistake.name) }
            }
        }
        return names
    }()

    /// The bugs to test: all with `Tools/test --long`, otherwise a fixed sample.
    var tested: [ZooMistake] { TestScale.isLong ? mistakes : mistakes.filter { Self.sample.contains($0.name) } }

    /// All clients except pages, which have tests in their folder.
    static let all = everyone.filter { !$0.isPage }

    static let felica = named("felica_zoo")
    static let transit = named("transit_zoo")
    static let tag = named("tag_zoo")
    static let writer = named("ntag_write_zoo")
    static let swift = named("ZooClient")

    /// Returns the client with a name; a client that cannot start if the table has none.
    static func named(_ name: String) -> ZooProgram { all.first { $0.name == name } ?? ZooProgram(.null) }

    private init(_ row: Node) {
        name = row["client"]?.text ?? ""
        scenario = row["scenario"]?.text
        let options = ["model", "transport"].flatMap { key in row[key].map { ["--\(key)", $0.text ?? ""] } ?? [] }
        card = row["card"].map { ["--card", $0.text ?? ""] + options } ?? []
        except = row["except"]?.items.flatMap { ["--except", $0.text ?? ""] } ?? []
        share = Int(row["share"]?.text ?? "") ?? 1
        mistakes = row["mistakes"]?.items.map(ZooMistake.init) ?? []
        isPage = row["tests"] != nil
        words = row["run"]?.text?.split(separator: " ").map(String.init) ?? []
    }

    /// The path of the scenario, relative to the checkout.
    var scenarioPath: String { "Tests/Clients/zoo/\(scenario ?? "none").yaml" }

    /// The arguments before the client: its scenario, or else its card.
    var subject: [String] { scenario == nil ? card : [scenarioPath] }

    /// Returns the command line for a bug.
    func command(_ mistake: String) throws -> [String] {
        let places = [
            "{mistake}": mistake, "{python}": TapSimProgram.python, "{c}": try Self.folder.get(),
            "{swift}": String(TapSimProgram.alongside("ZooClient").dropLast("/ZooClient".count)),
        ]
        return words.map { word in
            places.reduce(word) { $0.replacing($1.key, with: $1.value) }
        }
    }

    /// The folder of the C programs, compiled once.
    private static let folder = Result<String, any Error> {
        let folder = String(try TapSimProgram.file("zoo", "").dropLast("/zoo".count))
        let outcome = try TapSimProgram.run(["Tests/Clients/zoo/build.sh", folder], program: "/bin/sh")
        try #require(outcome.exitCode == 0, "\(outcome.error)")
        return folder
    }
}
