import TapDocument
import TapDoors
import Testing

/// Clients whose mistakes no fault brings out, but other sound cards.
@Suite struct `The zoo on sound cards` {
    private static let uid = "04A1B2C3D4E580"
    private static let felica = Subject(
        program: ZooProgram(name: "felica_zoo", scenario: "felica", mistakes: []),
        card: "suica:idm=0112010101010101,balance=3120,trips=20", model: "acr122u",
        mistakes: [
            "big-endian": ("wrong result", ""), "drops-last": ("wrong result", "card.trips-1"),
            "drops-first": ("silent loss", ""), "counts-empty": ("wrong result", "card.trips-0"),
            "asks-for-15": ("silent loss", ""), "asks-for-12": ("silent loss", "card.blocks-8"),
        ])
    private static let message = Subject(
        program: ZooProgram(name: "message_zoo", scenario: "tag", arguments: [uid], mistakes: []),
        card: "ndef:uid=\(uid)", model: "storage-card",
        mistakes: [
            "one-byte-length": ("wrong result", "card.uri-long"), "first-block": ("wrong result", "card.tlv-before"),
            "skips-one-byte": ("wrong result", "card.tlv-long-before"),
            "loops-on-empty": ("hang", "card.tlv-empty-before"),
            "needs-terminator": ("protocol misuse", "card.at-end"), "reads-remains": ("wrong result", "card.remains"),
            "past-end": ("wrong result", ""), "short-records": ("wrong result", "card.text-long"),
            "two-letters": ("wrong result", "card.text-region"), "trusts-text": ("crash", "card.text-invalid"),
        ])

    /// A program with a card that shows none of its mistakes, and for each the verdict and the sound card it needs.
    struct Subject: Sendable, CustomTestStringConvertible {
        let program: ZooProgram
        let card: String
        let model: String
        let mistakes: [String: (verdict: String, card: String)]

        var testDescription: String { program.name }

        func outcome(_ mistake: String, _ options: [String] = ["--only", "card.*"]) throws -> ClientOutcome {
            let words = ["fuzz", "--card", card, "--model", model, "--json"] + options + ["--"]
            return try TapSimProgram.run(words + program.command(mistake))
        }
    }

    @Test(arguments: [felica, message])
    func `shows each mistake`(subject: Subject) throws {
        for (mistake, expected) in subject.mistakes.sorted(by: { $0.key < $1.key }) {
            let outcome = try subject.outcome(mistake)
            let found = outcome.json?["cases"]?[0]?["clean_findings"]?.items ?? []
            let texts = found.map {
                "\($0["outcome"]?.text ?? "") \($0["card"]?.text ?? ""): \($0["reason"]?.text ?? "")"
            }
            #expect(texts.contains { $0.hasPrefix("\(expected.verdict) \(expected.card):") }, "\(mistake): \(texts)")
            #expect(outcome.exitCode == 5, "\(mistake): \(outcome.error)")
            print("found   \(mistake)   \(texts.first ?? "nothing")")
        }
    }

    @Test(arguments: [felica, message], ["1", "2", "3"])
    func `lets the careful client pass, whatever the seed`(subject: Subject, seed: String) throws {
        let outcome = try subject.outcome(ZooProgram.careful, ["--only", "card.*", "--seed", seed])
        #expect(outcome.exitCode == 0, "\(outcome.output)")
        #expect(outcome.json?["cases"]?[0]?["sound_cards"]?.items.count ?? 0 > 10)
        #expect(outcome.json?["cases"]?[0]?["warnings"]?.items.isEmpty == true, "\(outcome.output)")
    }

    @Test func `lets a client pass that prints a part, and says that it does`() throws {
        let transit = Subject(
            program: ZooProgram.transit, card: "suica:idm=0112010101010101,trips=20", model: "storage-card",
            mistakes: [:])
        let outcome = try transit.outcome(ZooProgram.careful)
        #expect(outcome.exitCode == 0, "\(outcome.output)")
        let warnings = outcome.json?["cases"]?[0]?["warnings"]?.items ?? []
        #expect(warnings.compactMap { $0["warning"]?.text } == ["prints 8 of 20 values of balance"])
    }

    @Test func `makes the run with one card again by its name, and only where a card is named`() throws {
        let again = try Self.message.outcome("two-letters", ["--only", "card.text", "--only", "card.text-region"])
        #expect(
            again.json?["cases"]?[0]?["sound_cards"]?.items.compactMap(\.text) == ["card.text", "card.text-region"])
        let file = try TapSimProgram.run(["fuzz", ZooProgram.tag.scenarioPath, "--only", "card.*"])
        #expect(file.exitCode == 2 && file.error.contains("nothing is left to run"), "\(file.error)")
    }
}
