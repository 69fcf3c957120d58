import TapDocument
import TapScenario
import Testing

/// Requests to a served field, and their effect on its cards and expectations.
@Suite struct `A request to a field served by TapSim` {
    private static let document = """
        {"format": 1, "cards": {"suica": {"template": "suica", "balance": 3120},
        "tag": {"ic": "NTAG215", "config": {"pwd": "01020304"}}},
        "expect": {"client": {"exit": 0}, "counts": {"felica.read": 1}}}
        """

    private func served() throws -> ScenarioCase {
        var diagnostics = Diagnostics()
        let node = JSONReader().read(SourceFile(name: "a.json", text: Self.document), into: &diagnostics)
        let scenario = ScenarioLoader.scenario(from: try #require(node), file: "a.json", into: &diagnostics)
        return try #require(scenario?.cases.first, "\(diagnostics.text())")
    }

    private func request(_ text: String) throws -> (request: ControlRequest?, error: String?) {
        var diagnostics = Diagnostics()
        let node = try #require(JSONReader().read(SourceFile(name: "control", text: text), into: &diagnostics))
        let request = ControlLanguage.decode(node, for: try served(), into: &diagnostics)
        return (request, diagnostics.found.first.map { "\($0.message); \($0.hint)" })
    }

    @Test func `uses the syntax of scenarios`() throws {
        #expect(try request(#"{"tap": "tag"}"#).request == .tap("tag"))
        #expect(try request(#"{"remove": "tag"}"#).request == .remove("tag"))
        #expect(try request(#"{"remove": {}}"#).request == .remove(nil))
        let swap = try request(#"{"swap": {"out": "suica", "in": "tag", "gap": "30ms"}}"#).request
        #expect(swap == .swap(out: "suica", in: "tag", gap: .milliseconds(30)))
        #expect(try request(#"{"journal": {}}"#).request == .journal(last: nil))
        #expect(try request(#"{"journal": {"last": 5}}"#).request == .journal(last: 5))
        #expect(try request(#"{"verify": {}}"#).request == .verify(nil))
        #expect(try request(#"{"reset": {}}"#).request == .reset)
        #expect(try request(#"{"status": {}}"#).request == .status)
        #expect(try request(#"{"plug": {}}"#).request == .plug(nil))
        #expect(try request(#"{"unplug": {}}"#).request == .unplug(nil))
        #expect(try request(#"{"phone": "cancel"}"#).request == .phone(.cancel))
        #expect(try request(#"{"phone": "background"}"#).request == .phone(.background))
        #expect(try request(#"{"phone": {"radio": "off"}}"#).request == .phone(.radio(isOn: false)))
        #expect(try request(#"{"phone": {"radio": "on"}}"#).request == .phone(.radio(isOn: true)))
        #expect(try request(#"{"stop": {}}"#).request == .stop(lingers: false))
        #expect(try request(#"{"stop": {"linger": true}}"#).request == .stop(lingers: true))
        #expect(try request(#"{"keep": {"because": "a", "of": "b"}}"#).request == .keep(because: "a", of: "b"))
    }

    @Test(arguments: [
        (#"{"tap": "nobody"}"#, "there is no card `nobody`"), (#"{"tap": ["tag"]}"#, "a list"),
        (#"{"verify": {"never": ["felica.nonsense"]}}"#, "is not a command"),
        (#"{"journal": {"last": 10001}}"#, "out of range"), (#"{"status": {"all": true}}"#, "unknown key `all`"),
        (#"{"set": {"card": "tag"}}"#, "`values` is missing"),
        (#"{"phone": "cancle"}"#, "did you mean `cancel`?"), (#"{"phone": {}}"#, "`radio` is missing"),
        (#"{"phone": {"radio": "none"}}"#, "expected `on` or `off`"),
    ])
    func `is rejected with a message`(text: String, sentence: String) throws {
        let (request, error) = try request(text)
        #expect(request == nil)
        #expect(error?.contains(sentence) == true, "\(error ?? "")")
    }

    private func changed(_ name: String, _ values: Node) throws -> (ScenarioCase, CardDefinition?, Diagnostics) {
        var scenarioCase = try served()
        var diagnostics = Diagnostics()
        let card = scenarioCase.changeCard(name, values, into: &diagnostics)
        return (scenarioCase, card, diagnostics)
    }

    @Test func `to set values creates the card as if written that way, with the same seed and other values`() throws {
        let (scenarioCase, card, _) = try changed("suica", ["balance": 5000])
        #expect(card == scenarioCase.cards[0].definition)
        #expect(card != (try served()).cards[0].definition)
        #expect(card?.identifier == (try served()).cards[0].definition.identifier)
        let (_, back, _) = try changed("suica", ["balance": 3120])
        #expect(back == (try served()).cards[0].definition)
    }

    @Test func `to set one value of a map keeps the other values`() throws {
        let (_, card, _) = try changed("tag", ["config": ["auth0": 4]])
        let (_, whole, _) = try changed("tag", ["config": ["pwd": "01020304", "auth0": 4]])
        #expect(card == whole)
        #expect(card != (try served()).cards[1].definition)
    }

    @Test func `to set values that no card can have changes nothing`() throws {
        for values in [["balance": -1], ["systems": 3], 7, ["ic": "no IC"]] as [Node] {
            let (scenarioCase, card, diagnostics) = try changed("suica", values)
            #expect(card == nil && diagnostics.hasErrors)
            #expect(scenarioCase.cards == (try served()).cards)
        }
    }

    @Test func `to verify ignores expectations on a client that TapSim did not start`() throws {
        let field = try served().judgingFieldAlone()
        #expect(field.expectations.items.map(\.path) == ["expect.counts  felica.read"])
        #expect(field.droppedExpectations.map(\.key) == ["expect.client.exit"])
    }

    @Test func `uses the value syntax of card arguments`() throws {
        let whole = try CardArgument("ndef:ndef.0.uri=https://example.com,config.auth0=4").node
        let values = try CardArgument.values("ndef.0.uri=https://example.com,config.auth0=4")
        #expect(whole["ndef"] == values["ndef"] && whole["config"] == values["config"])
        #expect(throws: CardArgument.Problem.self) { try CardArgument.values("balance") }
    }
}
