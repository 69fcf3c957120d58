import TapDocument
import Testing

/// Programs with pyscard that read virtual cards through the readers they were written for.
@Suite struct `Python programs on PC/SC` {
    static let transitClients = [
        ("acr122u", "acr122u_transit.py"), ("storage-card", "transparent_transit.py"),
        ("rc-s300", "transparent_transit.py"),
    ]

    @Test(arguments: transitClients)
    func `read the history of a transit card in 12 and 8 blocks with the reader's own commands`(
        reader: String, program: String
    ) throws {
        let scenario = try TapSimProgram.scenario("Scenarios/felica/suica-history.yaml", before: reader)
        let found = try PCSCClient.python(program).found(in: scenario, case: "12 + 8 on RC-S962")
        expectHistory(found)
    }

    @Test(arguments: ["rc-s380", "rc-s300"])
    func `read the history block by block with the commands of Sony's driver`(reader: String) throws {
        let card = try TapSimProgram.text(of: "Scenarios/cards/suica.yaml")
        let expectation = "expect: {counts: {felica.read: 20}, cards: {card: unchanged}}\n"
        let scenario = try TapSimProgram.file("sony.yaml", "\(card)reader: \(reader)\n\(expectation)")
        expectHistory(try PCSCClient.python("sony_transit.py").found(in: scenario))
    }

    @Test func `read the attributes of an RC-S300, and a card with its escape commands`() throws {
        let card = try TapSimProgram.text(of: "Scenarios/cards/suica.yaml")
        let scenario = try TapSimProgram.file("escape.yaml", "\(card)reader: rc-s300\n")
        let found = try PCSCClient.python("sony_escape.py").found(in: scenario)
        #expect(found["vendor"]?.text == "SONY")
        #expect(found["numbers"]?.items.map(\.text) == ["01000000", "00000200", "00200101"])
        #expect(found["idm"]?.text?.count == 16)
    }

    private func expectHistory(_ found: Node) {
        let trips = found["trips"]?.items ?? []
        #expect(trips.count == 20)
        #expect(trips.first?["date"]?.text == "2026-11-18")
        #expect(trips.first?["balance"]?.text == "3120")
        #expect(trips.dropFirst().first?["balance"]?.text == "3330")
    }

    @Test(arguments: ["a link and a text", "the tag comes late"])
    func `read the NDEF message of a tag over an ACR122U`(caseName: String) throws {
        let scenario = try TapSimProgram.scenario("Scenarios/ntag215/ndef.yaml", before: "acr122u")
        let found = try PCSCClient.python("acr122u_ntag.py").found(in: scenario, case: caseName)
        #expect(found["uid"]?.text == "04A1B2C3D4E580")
        #expect(found["links"]?.items.map(\.text) == ["https://example.com/t/42"])
    }

    @Test func `cannot read a protected tag without its password, and read it with the password over an ACR122U`()
        throws
    {
        let scenario = try TapSimProgram.scenario("Scenarios/ntag215/password-locked.yaml", before: "acr122u")
        let client = PCSCClient.python("acr122u_ntag.py", "DEADBEEF")
        let found = try client.found(in: scenario, case: "right password")
        #expect(found["links"]?.text == "null")
        #expect(found["pack"]?.text == "C0DE")
        #expect(found["links with password"]?.items.map(\.text) == ["https://example.com/t/42"])
    }
}
