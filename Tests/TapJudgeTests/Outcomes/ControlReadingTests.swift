import ScenarioSupport
import TapDocument
import TapJudge
import TapScenario
import TapYAML
import Testing

/// Clients that print a history of 20 trips in their own form, and the expected findings on other cards.
@Suite(.enabled(if: YAMLReader.isAvailable)) struct `Readings of control cards` {
    struct Client: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// A part of the finding; `nil` for none.
        let finding: String?
        /// The client's output for the given balances, newest first.
        let result: @Sendable ([Int]) -> Node
    }

    private static let clients = [
        lines("a comma behind the number", nil) { $0.enumerated().map { "\($0 + 1),\($1)" } },
        lines("a comma, without the last", "it does not print") {
            $0.dropLast().enumerated().map { "\($0 + 1),\($1)" }
        },
        lines("a comma, the other byte order", "with its bytes in the other order") {
            $0.enumerated().map { "\($0 + 1),\(swapped($1))" }
        },
        lines("thousands", nil) { $0.map { $0 < 1_000 ? "\($0)" : "\($0 / 1_000),\(padded($0 % 1_000))" } },
        lines("what each trip has cost", nil) { fares(of: $0).map { "\($0) yen" } },
        lines("what each trip has cost, with its balance", nil) { balances in
            zip(balances, fares(of: balances)).map { "\($0) after \($1)" }
        },
        lines("what each trip has cost, without the newest", "not the first") {
            fares(of: $0).dropFirst().map { "\($0) yen" }
        },
        lines("a minus sign", nil) { $0.map { "-\($0)" } },
        lines("the newest 19, the oldest first", nil) { $0.prefix(19).reversed().map(String.init) },
        lines("the oldest first, without the newest", "counted from the beginning") {
            $0.dropFirst().reversed().map(String.init)
        },
        Client(testDescription: "a sum in the other byte order above right trips", finding: "as `/balance`") {
            balances in
            ["balance": .number(swapped(balances[0])), "trips": .list(balances.map { .number($0) })]
        },
        lines("the balance of its own card", "the balance of its own card, where the balance is") { _ in
            ["balance 1327 yen"]
        },
        Client(testDescription: "the same sum of every card", finding: "it prints 1327 as `/sum`") { balances in
            ["sum": 1327, "trips": .list(balances.map { .number($0) })]
        },
        Client(testDescription: "a constant that no card has", finding: nil) {
            ["version": 4711, "sum": .number($0[0])]
        },
        lines("all but the tenth", "but not balance 10 of 20, 2587") { balances in
            balances.indices.filter { $0 != 9 }.map { "\(balances[$0])" }
        },
        lines("all but the tenth, the oldest first", "but not balance 10 of 20") { balances in
            balances.indices.filter { $0 != 9 }.reversed().map { "\(balances[$0])" }
        },
        lines("the newest twelve, and by chance on one card the fifteenth", nil) { balances in
            balances.prefix(12).map { "\($0)" } + (balances.count == 18 ? ["\(balances[14])"] : [])
        },
        lines("the lower byte", "without its upper byte") { ["\($0[0] & 0xFF)"] },
    ]

    private static func lines(
        _ name: String, _ finding: String?, _ lines: @escaping @Sendable ([Int]) -> [String]
    ) -> Client {
        Client(testDescription: name, finding: finding) { .list(lines($0).map(Node.text)) }
    }

    private static func fares(of balances: [Int]) -> [Int] { zip(balances, balances.dropFirst()).map { $1 - $0 } }

    private static func swapped(_ number: Int) -> Int { Int(UInt16(number).byteSwapped) }

    private static func padded(_ number: Int) -> String { String("00\(number)".suffix(3)) }

    /// Returns the findings for a client whose own card has a number of trips.
    private func judge(_ client: Client, trips: Int, named: Set<String> = []) throws -> ReferenceJudge {
        let source = "format: 1\ncards: {suica: {template: suica, trips: \(trips)}}\n"
        let test = try #require(LoadedScenario(source).first)
        let cards = VariedCard.all(for: test).filter { $0.name.hasPrefix("card.trips-") && $0.demand == .reading }
        let readings = [VariedCard?.none] + cards
        let all = readings.enumerated().map { index, card in
            let count = card.flatMap { Int($0.name.split(separator: "-").last ?? "") } ?? trips
            // No value is a palindrome, nor are its bytes.
            let balances = (0..<count).map { 300 + 1_027 * (index + 1) + 131 * $0 + $0 * $0 }
            let reference: Node = [
                "balance": .number(balances[0]), "trips": .list(balances.map { ["balance": .number($0)] }),
            ]
            return ControlReading(card, reference: reference, result: client.result(balances))
        }
        return ReferenceJudge(all[0], Array(all.dropFirst()), named: named)
    }

    @Test(arguments: clients)
    func `are right in any form, and wrong if one differs from the card`(client: Client) throws {
        let found = try judge(client, trips: 20).misreadings.map(\.finding.reason)
        if let finding = client.finding {
            #expect(found.contains { $0.contains(finding) }, "\(found)")
        } else {
            #expect(found.isEmpty, "\(found)")
        }
    }

    @Test func `cause a warning for a small number that never changes, and are wrong if it has a name`() throws {
        let client = Client(testDescription: "", finding: nil) { balances in
            ["trips": 20, "balances": .list(balances.map { .number($0) })]
        }
        let judge = try judge(client, trips: 20)
        #expect(judge.misreadings.isEmpty && judge.warnings.map(\.text) == ["prints 20 as `/trips` for every card"])
        let named = try self.judge(client, trips: 20, named: ["/trips"])
        let reasons = named.misreadings.map(\.finding.reason)
        #expect(named.warnings.isEmpty && reasons.count > 5, "\(reasons)")
        #expect(reasons.allSatisfy { $0.contains("the number of trips of its own card, where the number of trips is") })
    }

    /// Returns the findings for a client on a control card, in addition to its readings of four other cards.
    private func judge(
        _ name: String, of source: String, _ reference: (Int) -> Node, prints result: (Int) -> Node
    ) throws -> [String] {
        let test = try #require(LoadedScenario("format: 1\ncards: {card: \(source)}\n").first)
        let cards = VariedCard.all(for: test)
        let disputed = try #require(cards.first { $0.name == name })
        let sound = cards.filter { $0.demand == .reading && $0.family == disputed.family && $0 != disputed }
        let others = sound.prefix(4) + [disputed]
        let readings = others.enumerated().map { ControlReading($1, reference: reference($0), result: result($0)) }
        return ReferenceJudge(readings[0], Array(readings.dropFirst())).misreadings.map(\.finding.reason)
    }

    @Test(
        arguments: [
            (["uid": "04AB", "records": [["uri": "FIRST"]]], true), (["uid": "04AB", "link": "FIRST"], false),
            (["tags": [["uid": "04AB", "uri": "FIRST"]]], false), (["links": ["FIRST"]], false),
            (["uid": "04AB", "records": [["uri": "FIRST"], ["uri": "SECOND"]]], false), (["FIRST"], false),
        ] as [(Node, Bool)])
    func `are wrong where a list beside the UID has the first record alone`(result: Node, isWrong: Bool) throws {
        let uris = ["a.io/1", "b.io/22", "c.io/333", "d.io/4444", "e.io/55555"]
        let found = try judge("card.uri-several", of: "{ic: NTAG215, ndef: [{uri: 'https://a.io'}]}") { index in
            let second: [Node] = index == 4 ? [["uri": "f.io/666"]] : []
            return ["uid": "04AB", "records": .list(NodeList([["uri": .text(uris[index])]] + second))]
        } prints: {
            Self.filled(result, uris[$0], $0 == 4 ? "f.io/666" : nil)
        }
        #expect(
            found == (isWrong ? found.filter { $0.contains("`/records` has 1 item, but the card has 2 records") } : []))
        #expect(found.isEmpty != isWrong, "\(found)")
    }

    @Test(arguments: [("https://example.com/menu", nil), ("https://example.com/menu", 3), (nil, nil)])
    func `are right if the client prints what it writes, not what it reads`(written: String?, read: Int?) throws {
        let uris = (0..<5).map { $0 < 3 ? "https://example.com" : "https://b.io/\($0)" }
        let found = try judge("card.uri-several", of: "{ic: NTAG215, ndef: [{uri: 'https://a.io'}]}") {
            ["records": [["uri": .text(uris[$0])]]]
        } prints: {
            [.text($0 == read ? uris[$0] : written ?? uris[$0])]
        }
        // A client that reads one of the other values has to read all.
        #expect(found.isEmpty == (read == nil), "\(found)")
    }

    /// A result with its first and second text; without a second one, what would contain it is left out.
    private static func filled(_ node: Node, _ first: String, _ second: String?) -> Node {
        switch node {
        case .scalar(let scalar):
            return .text(scalar.text == "FIRST" ? first : scalar.text == "SECOND" ? second ?? "" : scalar.text)
        case .list(let list):
            let items = list.items.filter { second != nil || !"\($0)".contains("SECOND") }
            return .list(NodeList(items.map { filled($0, first, second) }))
        case .map(let map): return .map(map.entries.map { ($0.key.text, filled($0.value, first, second)) })
        }
    }

    private static let texts = ["one", "two", "three", "four", "Voie trois – départ"]

    @Test(arguments: [
        ("Voie trois – départ", false), ("UTF-16 cannot be read", false), ("", false), ("Voie trois  dpart", true),
        ("\0V\0o\0i\0e", true), ("V\u{FFFD}", true),
    ])
    func `are wrong if a text is garbled, and right if the client reports an error`(printed: String, isWrong: Bool)
        throws
    {
        let text = { (index: Int) in index < 4 ? Self.texts[index] : printed }
        let found = try judge("card.text-utf16", of: "{ic: NTAG215, ndef: [{text: a}]}") {
            ["records": [["text": .text(Self.texts[$0])]]]
        } prints: {
            ["records": [["text": .text(text($0))]]]
        }
        #expect(found.isEmpty != isWrong, "\(found)")
    }

    /// A program that writes the message as it is, for another program to decode.
    @Test func `are right if every output contains bytes that are not text`() throws {
        let found = try judge("card.text-utf16", of: "{ic: NTAG215, ndef: [{text: a}]}") {
            ["records": [["text": .text(Self.texts[$0])]]]
        } prints: {
            ["records": [["text": .text("\u{FFFD}\u{FFFD}T\u{FFFD}\(Self.texts[$0])")]]]
        }
        #expect(found.isEmpty, "\(found)")
    }

    /// A charge may be shown as a fare below zero.
    @Test(arguments: [(-1_500, false), (-1_501, true), (1_500, false), (1_501, true)], [true, false])
    func `are right if a charge is shown as a fare below zero`(charge: (shown: Int, isWrong: Bool), isFare: Bool) throws
    {
        let balances = { (index: Int) in
            // The newest record of the last card is a charge.
            let (newest, older) = (4_000 + 101 * index, 5_000 + 211 * index)
            return [index < 4 ? newest : older + 1_500, older, older + 330, older + 780]
        }
        let found = try judge("card.trips-7", of: "{template: suica}") { index in
            ["trips": .list(balances(index).map { ["balance": .number($0)] })]
        } prints: { index in
            var fares = Self.fares(of: balances(index))
            if index == 4 { fares[0] = charge.shown }
            return ["trips": .list(fares.map { ["amount": .number(isFare ? $0 : -$0)] })]
        }
        // Without a sign, or with the same sign for fares and charges, an amount of fares is right, and one of changes wrong.
        #expect(found.isEmpty != (charge.isWrong || !isFare && charge.shown > 0), "\(found)")
    }

    @Test(arguments: [("40000", false), ("-25536", true), ("none", false), ("7232", true)], [true, false])
    func `are wrong if a balance differs, and right if the client reports an error`(
        printed: (text: String, isWrong: Bool), isJSON: Bool
    ) throws {
        let balances = ["310", "1420", "2530", "3640", "40000"]
        let found = try judge("card.balance-65535", of: "{template: suica}") {
            ["balance": .text(balances[$0])]
        } prints: { index in
            let text = index < 4 ? balances[index] : printed.text
            return isJSON ? ["balance": .text(text)] : .list([.text("balance: \(text) yen")])
        }
        #expect(found.isEmpty != printed.isWrong, "\(found)")
    }

    @Test(arguments: [("-49.9", false), ("-HK$49.90", false), ("HK$ -49.90", false), ("429496679.7", true)])
    func `are right if an amount has two decimals, or a currency after its sign`(printed: String, isWrong: Bool)
        throws
    {
        let balances = ["1.2", "13.4", "1234.5", "67.8", "-49.9"]
        let texts = ["1.20", "13.40", "1,234.50", "67.80", printed]
        let found = try judge("card.balance--499", of: "{template: octopus}") {
            ["balance": .text(balances[$0])]
        } prints: {
            .list([.text("balance: \(texts[$0])")])
        }
        #expect(found.isEmpty != isWrong, "\(found)")
    }

    @Test(arguments: [
        (16, 20, "prints 16 of 20 values of balance"),
        (16, 12, "prints 16 of 20 values of balance on a card with 20 records in its history"),
        (20, 12, nil),
    ])
    func `cause a warning if no list exceeds a certain length`(longest: Int, trips: Int, warning: String?) throws {
        let client = Self.lines("the newest \(longest)", nil) { $0.prefix(longest).map(String.init) }
        let judge = try judge(client, trips: trips)
        #expect(judge.warnings.map(\.text) == [warning].compactMap(\.self))
        #expect(judge.misreadings.isEmpty)
    }
}
