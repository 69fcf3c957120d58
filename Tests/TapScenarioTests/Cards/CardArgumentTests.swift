import ScenarioSupport
import TapCards
import TapDocument
import TapScenario
import TapWire
import Testing

@Suite struct `A card on the command line` {
    @Test func `gets a number if its template is already used, not if only the prefix matches`() throws {
        let cards = try CardArgument.cards(["edy-ampm", "edy", "edy", "nanaco"])
        #expect(cards.entries.map(\.key.text) == ["edy-ampm", "edy", "edy-2", "nanaco"])
    }

    @Test func `means the same as in a file`() throws {
        let argument = try CardArgument("suica:balance=3120,trips=20")
        #expect(argument.name == "suica")
        #expect(argument.node == ["template": "suica", "balance": "3120", "trips": "20"])
        let written: Node = ["template": "suica", "balance": 3120, "trips": 20]
        let card = CardDocument.card(argument.node).card
        #expect(card != nil && card == CardDocument.card(written).card)
    }

    @Test func `may name an IC instead of a template`() throws {
        #expect(try CardArgument("ntag216").node == ["ic": "ntag216"])
        #expect(try CardArgument("Mobile FeliCa 4.1").name == "Mobile-FeliCa-4.1")
    }

    @Test func `uses dots for maps and lists`() throws {
        let argument = try CardArgument(
            "NTAG215:config.pwd=DEADBEEF,config.auth0=4,ndef.0.uri=https://example.com/?a=b,pages.4=01020304")
        #expect(
            argument.node == [
                "ic": "NTAG215", "config": ["pwd": "DEADBEEF", "auth0": "4"],
                "ndef": [["uri": "https://example.com/?a=b"]], "pages": ["4": "01020304"],
            ])
        let (card, diagnostics) = CardDocument.card(argument.node)
        #expect(diagnostics.text() == "")
        guard case .ntag(let template)? = card else { return #expect(Bool(false)) }
        #expect(template.definition.password.description == "DEADBEEF")
        #expect(template.definition.configuration.auth0 == 4)
    }

    @Test(arguments: [
        ("siuca", "`siuca` is neither a template nor an IC; did you mean `suica`?"),
        ("suica:balance", "`balance` is not a key with a value; write `key=value`"),
        ("suica:", "`` is not a key with a value"),
        ("suica:config..pwd=1", "`config..pwd=1` is not a key with a value"),
        ("suica：balance=3120", "`：` is a full-width colon; write `suica:balance=3120`"),
        ("suica　", "this is an ideographic space (U+3000); write `suica"),
        ("スイカ:balance=1", "did you mean `suica`?"),
        ("suica:balance＝3120", "`＝` is a full-width character; write `balance=3120`"),
        ("suica:balance=1,balance=2", "`balance` is set twice; set it once"),
        ("suica:config=1,config.pwd=2", "`config.pwd` is set twice"),
    ])
    func `is rejected with a message`(_ text: String, _ sentence: String) {
        #expect {
            _ = try CardArgument(text)
        } throws: { error in
            "\(error)".contains(sentence)
        }
    }

    @Test(arguments: [
        ("siuca", "did you mean `suica`?"), ("スイカ", "did you mean `suica`?"), ("ワオン", "did you mean `waon`?"),
        ("はやかけん", "did you mean `hayakaken`?"), ("ｓｕｉｃａ", "`ｓ` is a full-width letter; write `suica`"),
        ("“suica”", "remove the typographic quotes: `suica`"), ("nfc", "did you mean `ndef`?"),
        ("felica", "name a FeliCa card, such as `suica`, `edy` or `felica-lite`"),
        ("mifare-classic", "TapSim simulates FeliCa and NTAG21x, not MIFARE"),
        ("zzz", "templates are suica, icoca, pasmo,"),
        ("suica:balance=3,120", "`balance=3,120` has a thousands separator; write `balance=3120`"),
        ("suica:balance=3120、trips=20", "`、` does not separate keys; write `balance=3120,trips=20`"),
    ])
    func `gets a suggestion if misspelt`(_ text: String, _ advice: String) {
        #expect { _ = try CardArgument(text) } throws: { "\($0)".contains(advice) }
    }

    @Test func `is underlined at a wrong value`() throws {
        let diagnostics = CardDocument.card(try CardArgument("suica:balance=much").node).diagnostics
        #expect(
            diagnostics.text() == """
                error[S022]: `balance` is not a whole number
                  --card:1:15
                1 | suica:balance=much
                  |               ^^^^ expected decimal digits
                """)
    }
}
