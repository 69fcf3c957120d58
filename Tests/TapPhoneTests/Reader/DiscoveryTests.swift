import TapCards
import TapField
import TapPhone
import TapWire
import TestSupport
import Testing

@Suite struct `A phone that looks for tags` {
    @Test func `finds a FeliCa card by the systems of the present cards if nothing is declared`() throws {
        var bench = PhoneBench([("S", try CardS.card())])
        let tags = bench.look()
        #expect(
            tags.map(\.kind) == [
                .feliCa(idm: IDm(0x0101_0A10_2030_4050), pmm: PMm(0x100B_4B42_8485_D0FF), systemCode: .transit)
            ])
        #expect(bench.systemCode == "0003")
        #expect(bench.reader.notes.count == 2)
        #expect(bench.reader.notes.first?.contains("0003, FE00") == true)
        #expect(bench.reader.notes.last == "S was found at 0003; does your Info.plist list 0003?")
        bench.look()
        #expect(bench.reader.notes.count == 2)
    }

    @Test func `finds a transit card by its own system, even after a card of the common area`() throws {
        var bench = PhoneBench([("money", try PhoneCards.money())])
        bench.look()
        #expect(bench.systemCode == "FE00")
        bench.world.remove("money")
        bench.world.add(try CardS.card(), named: "S")
        bench.world.tap("S")
        bench.look()
        #expect(bench.systemCode == "0003")
    }

    @Test(arguments: [
        (["FE00", "0003"], "FE00", "11010A1020304050"),
        (["0003", "FE00"], "0003", "01010A1020304050"),
        (["88B4", "fe00"], "FE00", "11010A1020304050"),
    ])
    func `reports a card once, at the first declared code it answers`(
        codes: [String], code: String, idm: String
    ) throws {
        var bench = PhoneBench([("S", try CardS.card())], codes: codes)
        #expect(bench.look().count == 1)
        #expect(bench.systemCode == code)
        #expect(bench.idm == idm)
    }

    @Test func `never reports a card without a declared system, and notes it`() throws {
        var bench = PhoneBench([("S", try CardS.card())], codes: ["88B4"])
        #expect(bench.look().isEmpty)
        #expect(
            bench.reader.notes == [
                "S has systems 0003, FE00, but the session polls for 88B4, so the card is never found."
            ])
    }

    @Test func `finds all cards: three of type A, two of one FeliCa system, one of another`() throws {
        var bench = PhoneBench(
            [
                ("tag", NTAGCard(SampleTags.t0())), ("S", try CardS.card()), ("other tag", try PhoneCards.otherTag()),
                ("other S", try PhoneCards.otherCardS()), ("money", try PhoneCards.money()),
                ("small", NTAGCard(try NTAGDefinition(.ntag213, uid: try #require(UID([4, 1, 2, 3, 4, 5, 6]))))),
            ], codes: ["0003", "FE00"])
        let kinds = bench.look().map(\.kind)
        #expect(kinds.prefix(3).allSatisfy { if case .miFare(_, .ultralight, nil) = $0 { true } else { false } })
        let idms = kinds.dropFirst(3).compactMap { kind -> IDm? in
            if case .feliCa(let idm, _, _) = kind { idm } else { nil }
        }
        #expect(Set(idms) == [IDm(0x0101_0A10_2030_4050), IDm(0x0101_0A10_2030_40AF), IDm(0x0101_0A10_2030_4099)])
        #expect(idms.count == 3)
        // Each of them can be connected to, in any order and repeatedly.
        for number in [5, 2, 0, 4, 1, 3, 0, 5] {
            try bench.connect(number)
            #expect(bench.reader.connectedTag == bench.tags[number])
            switch bench.tag.kind {
            case .miFare(let uid, _, _): #expect(try bench.miFare("3000").hasPrefix(Hex.text(uid.bytes.prefix(3))))
            case .feliCa: #expect(try bench.reader.requestResponse(of: bench.tag, in: &bench.world) == 0)
            }
        }
    }

    @Test(
        arguments: [
            (.iso14443, ["miFare"]), (.iso18092, ["feliCa"]), (.iso15693, []), (.pace, []),
            ([.iso14443, .iso15693, .iso18092], ["miFare", "feliCa"]),
        ] as [(PhoneTechnologies, [String])])
    func `looks for the technologies that the session requests`(technologies: PhoneTechnologies, names: [String]) throws
    {
        var bench = PhoneBench([("S", try CardS.card()), ("tag", NTAGCard(SampleTags.t0()))])
        let found = bench.look(technologies).map { tag in if case .feliCa = tag.kind { "feliCa" } else { "miFare" } }
        #expect(found == names)
    }

    @Test func `sends nothing for vicinity cards`() throws {
        var bench = PhoneBench([("S", try CardS.card())])
        bench.look(.iso15693)
        #expect(bench.frames.isEmpty)
    }

    @Test func `finds only the card that the phone picks`() throws {
        var bench = PhoneBench([])
        bench.world = World(seed: 1)
        bench.world.place([ReaderField(pick: "S")])
        bench.world.add(NTAGCard(SampleTags.t0()), named: "tag")
        bench.world.add(try CardS.card(), named: "S")
        bench.world.tap("tag")
        bench.world.tap("S")
        #expect(bench.look().count == 1)
        #expect(bench.idm == "01010A1020304050")
    }

    @Test func `finds the same tag again after it was left selected, halted or rejected`() throws {
        var bench = PhoneBench([("card", NTAGCard(SampleTags.t0()))])
        for _ in 0..<3 {
            #expect(bench.look().count == 1)
            try bench.connect()
            #expect(try bench.miFare("3004").hasPrefix("0314D101"))
            #expect(bench.code { try $0.miFare("30FF") } == 100)
        }
    }

    @Test func `does not report cards of other families`() throws {
        let plan = try PhoneBench.plan("a3.sak", ["sak": .bytes([0x08])], at: "a3.select", nth: 2)
        var bench = PhoneBench([("classic", NTAGCard(SampleTags.t0()))], plan: plan)
        #expect(bench.look().isEmpty)
        #expect(bench.reader.notes.first?.contains("SAK 08") == true)
    }

    @Test func `spends only its own waiting time in a look that finds nothing`() throws {
        var bench = PhoneBench([], codes: ["0003"])
        bench.look(.iso18092)
        #expect(bench.world.now < .milliseconds(30))
        #expect(bench.frames == ["060000030000"])
    }
}
