import Foundation
import TapSystem
import TapField
@testable import TapScenario
import TapServe
import TestSupport
import Testing

@testable import TapPhone

/// Valid and invalid variables that configure the field of an app.
@Suite struct `The launch environment of an app` {
    /// A file for one test.
    private static func file(_ name: String, _ text: String) throws -> String {
        let file = try TestFolder.make().appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    private static let one = #"{"format": 1, "scenario": "one", "cards": {"suica": {"template": "suica"}}}"#
    private static let many = """
        {"format": 1, "cards": {"tag": {"ic": "NTAG215"}}, "cases": [{"name": "first"}, {"name": "second"}]}
        """

    private func launch(_ variables: [String: String]) throws(AppScenarioError) -> LaunchEnvironment? {
        try LaunchEnvironment { variables[$0] }
    }

    @Test func `gives no field without cards`() throws {
        #expect(try launch([:]) == nil)
        #expect(try launch(["TAPSIM_CARD": "", "TAPSIM_SCENARIO": "", "TAPSIM_SEED": "x"]) == nil)
    }

    @Test func `uses the card names of the command line`() throws {
        let launch = try #require(
            try launch(["TAPSIM_CARD": " suica:balance=3120,trips=20\n suica ndef\n", "TAPSIM_SEED": "7"]))
        #expect(launch.scenarioCase.cards.map(\.name) == ["suica", "suica-2", "ndef"])
        #expect(launch.scenarioCase.seed == 7)
        #expect(launch.reproduceCommand.first == "env" && launch.reproduceCommand.last == "TAPSIM_SEED=7")
        #expect(launch.scenarioCase.displayName == "suica-suica-2-ndef")
    }

    @Test func `applies the lie of an audit to cards`() throws {
        let lying = try launch(["TAPSIM_CARD": "suica ndef", "TAPSIM_LIE": "felica.idm"])
        #expect(lying?.scenarioCase.plan.entries.isEmpty == false && lying?.order?.lie?.name == "felica.idm")
        let unfitting = try launch(["TAPSIM_CARD": "ndef", "TAPSIM_LIE": "felica.idm"])
        #expect(unfitting?.scenarioCase.plan.isEmpty == true)
        #expect(try launch(["TAPSIM_CARD": "suica"])?.order == nil)
    }

    @Test func `selects a case from a file with one scenario or a list`() throws {
        let one = try Self.file("one.json", Self.one)
        #expect(try launch(["TAPSIM_SCENARIO": one])?.scenarioCase.displayName == "one")
        let many = try Self.file("many.json", Self.many)
        #expect(try launch(["TAPSIM_SCENARIO": many, "TAPSIM_CASE": "2"])?.scenarioCase.displayName == "second")
        #expect(try launch(["TAPSIM_SCENARIO": many, "TAPSIM_CASE": "first"])?.scenarioCase.number == 1)
        let list = try Self.file("list.json", "[\(Self.one), \(Self.one.replacing("\"one\"", with: "\"two\""))]")
        #expect(try launch(["TAPSIM_SCENARIO": list, "TAPSIM_CASE": "2"])?.scenarioCase.displayName == "two")
    }

    @Test(arguments: [
        (["TAPSIM_CARD": "suiica"], "TAPSIM_CARD: suiica: `suiica` is neither a template nor an IC"),
        (["TAPSIM_CARD": "suica:balanse=1"], "did you mean `balance`?"),
        (["TAPSIM_CARD": "  "], "TAPSIM_CARD: name 1 to 64 cards"),
        (["TAPSIM_CARD": String(repeating: "suica ", count: 65)], "name 1 to 64 cards"),
        (["TAPSIM_CARD": "suica", "TAPSIM_SEED": "-1"], "TAPSIM_SEED: `-1` is not a whole number"),
        (["TAPSIM_CARD": "suica", "TAPSIM_LIE": "felica.i"], "TAPSIM_LIE: there is no lie `felica.i`; "),
        (["TAPSIM_CARD": "suica", "TAPSIM_CASE": "1"], "TAPSIM_CASE needs TAPSIM_SCENARIO"),
        (["TAPSIM_CARD": "suica", "TAPSIM_SCENARIO": "a.json"], "TAPSIM_SCENARIO and TAPSIM_CARD are both set"),
        (["TAPSIM_SCENARIO": "/no/such.json"], "TAPSIM_SCENARIO: there is no file /no/such.json"),
        (["TAPSIM_SCENARIO": "/tmp"], "there is no file /tmp"),
    ])
    func `is rejected with a message that names the variable`(variables: [String: String], sentence: String) throws {
        let error = #expect(throws: AppScenarioError.self) { try LaunchEnvironment { variables[$0] } }
        #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("\n") == false)
    }

    @Test(arguments: [
        ("a.yaml", "format: 1", "`tapsim check --resolved --json "), ("a.json", "format: 1\n", "is not JSON"),
        ("b.json", "", "is not JSON"), ("c.json", "{\"format\": 1", "c.json:1:"),
        ("d.json", "[]", "d.json:1:1: "),
        ("e.json", "{\"format\": 1, \"cards\": {\"a\": {\"template\": \"suiica\"}}}", "did you mean `suica`?"),
        ("f.json", many, "several cases: 1 first; 2 second; choose one by TAPSIM_CASE"), ("g.json", "[3]", "a map"),
        (
            "h.json",
            #"{"format": 1, "cards": {"a": {"template": "suica"}}, "timeline": [{"when": {"event": "client.ready"}, "tap": "a"}]}"#,
            "TapSim cannot observe a client"
        ),
    ])
    func `is rejected with the error in its file`(name: String, text: String, sentence: String) throws {
        let path = try Self.file(name, text)
        let error = #expect(throws: AppScenarioError.self) {
            try LaunchEnvironment { $0 == "TAPSIM_SCENARIO" ? path : nil }
        }
        #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("\n") == false)
    }

    @Test func `is rejected if the case does not exist`() throws {
        let path = try Self.file("many.json", Self.many)
        for name in ["0", "3", "third", "-1", "99999999999999999999"] {
            let error = #expect(throws: AppScenarioError.self) {
                try LaunchEnvironment { $0 == "TAPSIM_SCENARIO" ? path : $0 == "TAPSIM_CASE" ? name : nil }
            }
            #expect(error?.description.contains("has no case `\(name)`; there are: 1 first; 2 second") == true)
        }
    }
}
