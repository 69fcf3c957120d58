import TapDocument
import TapWire

/// The keys of `expect`, each with the expectation it adds.
enum ExpectLanguage {
    typealias Table = ActionTable<ExpectDecoder>

    static let table = Table(
        "an expectation",
        [
            KeyAction("client", .map(client.keys), "The end and the output of the client.") {
                $0.read(client, $1, $2)
            },
            KeyAction("exchanges", .map(exchanges), "Exchanges that must happen.", synonyms: ["exchange", "commands"]) {
                $0.add($2, .exchanges($0.exchanges($1.map)), at: $1)
            },
            KeyAction(
                "result", .map(of: JSONPointerRule(), to: .free), "Values of the client's result by JSON pointer.",
                synonyms: ["output", "json"]
            ) { decoder, value, key in
                for (name, expected) in value.named {
                    let pointer = name.read(JSONPointerRule.self)
                    decoder.add(key, about: "\(pointer)", .result(pointer, expected.node), at: expected)
                }
            },
            KeyAction(
                "counts", .map(of: CommandRule(), to: .range()), "The number of commands sent, by name.",
                synonyms: ["count", "calls"]
            ) { decoder, value, key in
                for (name, count) in value.named {
                    decoder.add(key, about: name.text, .count(name.command, count.range), at: count)
                }
            },
            KeyAction(
                "never", .list(of: PatternLanguage.shape), "Exchanges that must not happen.", synonyms: ["not", "no"]
            ) { decoder, value, key in
                for item in value.items {
                    let pattern = decoder.pattern(item)
                    decoder.add(key, about: "\(pattern.command)", .never(pattern), at: item)
                }
            },
            KeyAction(
                "cards",
                .map(of: NameRule("the name of a card"), to: .variants([.word("unchanged"), .map(card.keys)])),
                "The state of cards after the run.", synonyms: ["card"]
            ) { decoder, value, key in
                for (name, state) in value.named { decoder.read(card: name, state, key) }
            },
            KeyAction(
                "safety", .variants([policy.shape, .map(safety)]),
                "Actions on cards that are forbidden unless the baseline runs or this file include them.",
                synonyms: ["safe", "writes"]
            ) { $0.add($2, .safety(safetyPolicy($1)), at: $1) },
            KeyAction(
                "phone", .map(PhoneExpectLanguage.table.keys),
                "What an app with Core NFC shows and receives; judged if a phone reads the cards.",
                synonyms: ["app", "session"]
            ) { $0.read(PhoneExpectLanguage.table, $1, $2) },
        ])

    private static let client = Table(
        "an expectation on the client",
        [
            KeyAction(
                "exit", .range(0...255), "The exit code. Default: 0, or any if the case has faults.",
                synonyms: ["exit_code", "status", "code"]
            ) { $0.add($2, .exit($1.range), at: $1) },
            KeyAction("within", .duration, "The maximum run time.", synonyms: ["timeout"]) {
                $0.add($2, .within($1.duration), at: $1)
            },
            KeyAction(
                "prints", .variants([.text, .list(of: .text, count: 1...1_000)]),
                "The values of a card that it prints, in order: whole words and numbers, as lines or JSON, with or "
                    + "without commas "
                    + "between thousands, in upper or lower case.",
                synonyms: ["shows", "tells"]
            ) { $0.add($2, .prints($1.itemsOrSelf.map(\.text)), at: $1) },
            KeyAction(
                "stdout", texts,
                "Text in its standard output, or several texts in any order; text that ends with a line break "
                    + "matches whole lines.",
                synonyms: ["output", "out"]
            ) { $0.add($2, .stdout, $1) },
            KeyAction("stderr", texts, "The same for its standard error.", synonyms: ["error", "err"]) {
                $0.add($2, .stderr, $1)
            },
            KeyAction(
                "verdict", .variants([verdict, .list(of: verdict, count: 1...16)]),
                "The allowed outcomes of the client, compared with three baseline runs. Default: `correct_or_error` "
                    + "if the case has "
                    + "faults and no other expectation of the client.",
                synonyms: ["outcome", "verdicts"]
            ) { $0.add($2, .verdict(outcomes($1)), at: $1) },
        ])

    /// The name for both outcomes that are not the client's fault.
    private static let correctOrError = "correct_or_error"
    private static let verdict = Shape.scalar(KeywordRule([correctOrError] + Outcome.allCases.map(\.rawValue)))
    private static let texts = Shape.variants([.text, .list(of: .text)])

    /// The outcomes that the names stand for, each listed once.
    private static func outcomes(_ value: ValueReader) -> [Outcome] {
        let words = value.itemsOrSelf.map(\.text)
        return Outcome.allCases.filter { outcome in
            words.contains(outcome.rawValue) || outcome.isOK && words.contains(correctOrError)
        }
    }

    /// The single-word values of `safety`.
    private static let policy = FieldForm<SafetyPolicy>.words(
        ["strict": .strict, "default": .default, "off": .off], former: ["usual": "default"])
    private static let rules = FieldForm<[SafetyRule]>.list(of: .word, count: 1...16)
    private static let allow = TypedKey(
        "allow", rules, "Actions that the client may perform.", synonyms: ["allowed", "permit"])
    private static let forbid = TypedKey(
        "forbid", rules, "Actions that are forbidden in addition to the default.",
        synonyms: ["forbidden", "never", "deny"])
    private static let safety = KeyTable("a map of safety", [allow.key, forbid.key])

    private static func safetyPolicy(_ value: ValueReader) -> SafetyPolicy {
        guard value.kind == .map else { return policy.read(value) }
        return SafetyPolicy(
            forbidding: SafetyPolicy.default.forbidden.union(value.map[forbid] ?? []).subtracting(
                value.map[allow] ?? []))
    }

    static let order = TypedKey(
        "order", FieldForm<ExchangeList.Order>.word, "How the list must match the run.", standard: .default)
    static let list = TypedKey(
        "list", .value(.list(of: PatternLanguage.shape, count: 1...10_000)), "The exchanges.", isRequired: true,
        synonyms: ["items", "exchanges"])
    private static let exchanges = KeyTable("an expectation on exchanges", [order.key, list.key])

    static let card = ActionTable<CardExpectations>(
        "an expectation on a card",
        [
            KeyAction(
                "auth_failures", .range(0...7), "The number of wrong passwords since the last right one.",
                synonyms: ["failures"]
            ) { $0.add($2, .authenticationFailures($1.range), $1) },
            KeyAction("counter", .range(0...0xFF_FFFF), "The NFC counter.", synonyms: ["nfc_counter"]) {
                $0.add($2, .counter($1.range), $1)
            },
            KeyAction(blocks) { card, value, _ in
                for (service, blocks) in value.named {
                    for (number, data) in blocks.named {
                        let code = NodeCode(service.code)
                        card.add(
                            "service \(code) block \(number.text)",
                            .block(service: code, number: number.integer, BlockData(data.bytes)), data)
                    }
                }
            },
            KeyAction("pages", .map(of: IntegerRule(0...255), to: .hex(4)), "Pages by number.", synonyms: ["page"]) {
                card, value, _ in
                for (page, data) in value.named {
                    card.add("page \(page.text)", .page(page.integer, PageData(data.bytes)), data)
                }
            },
            KeyAction(state) { $0.add($2, .state($1.text), $1) },
        ])

    /// Keys that only FeliCa cards have, and the key that every card has.
    static let (blocks, state) = (
        Key(
            "blocks",
            .map(
                of: KnownCodes.serviceRule,
                to: .map(of: IntegerRule(0...0xFFFF), to: .hex(16))),
            "Blocks by service and number.", synonyms: ["services"]),
        Key("state", .text, "The protocol state, as named in the card's manual.")
    )
}

/// Converts checked `expect` maps to expectations.
struct ExpectDecoder {
    private let names: CardNames
    private var diagnostics: Diagnostics
    private var items: [Expectation] = []
    /// The path of keys to the map that is being read.
    private var outer: [String] = []

    private init(_ names: CardNames, _ diagnostics: Diagnostics) {
        self.names = names
        self.diagnostics = diagnostics
    }

    static func decode(
        _ map: MapReader, _ names: CardNames, into diagnostics: inout Diagnostics
    ) -> Expectations {
        var decoder = ExpectDecoder(names, diagnostics)
        ExpectLanguage.table.read(map, into: &decoder)
        diagnostics = decoder.diagnostics
        return Expectations(items: decoder.items, node: .map(map.node))
    }

    mutating func read(_ table: ExpectLanguage.Table, _ value: ValueReader, _ key: String) {
        outer.append(key)
        table.read(value.map, into: &self)
        outer.removeLast()
    }

    /// - Parameter subject: The part of the key's value that the expectation is about.
    mutating func add(_ key: String, about subject: String? = nil, _ demand: Expectation.Demand, at value: ValueReader)
    {
        let keys = outer + [key]
        let path = (["expect"] + keys).joined(separator: ".") + (subject.map { "  \($0)" } ?? "")
        items.append(Expectation(path: path, source: value.source, demand: demand, keys: keys))
    }

    mutating func add(_ key: String, _ stream: Expectation.OutputStream, _ value: ValueReader) {
        for text in value.itemsOrSelf { add(key, .output(stream, contains: text.text), at: text) }
    }

    mutating func pattern(_ value: ValueReader) -> ExchangePattern {
        PatternLanguage.decode(value, names, into: &diagnostics)
    }

    mutating func card(_ name: ValueReader) -> String { names.card(name, into: &diagnostics) }

    mutating func exchanges(_ map: MapReader) -> ExchangeList {
        var patterns: [ExchangeList.Located] = []
        for item in map.required(ExpectLanguage.list).items {
            patterns.append(ExchangeList.Located(pattern: pattern(item), source: item.source))
        }
        return ExchangeList(order: map[ExpectLanguage.order] ?? .default, patterns: patterns)
    }

    mutating func read(card name: ValueReader, _ value: ValueReader, _ key: String) {
        let card = card(name)
        outer.append(key)
        defer { outer.removeLast() }
        guard value.kind == .map else { return add(card, about: "unchanged", .card(card, .unchanged), at: value) }
        for (key, value) in value.map.entries { check(key, value, of: card) }
        var stated = CardExpectations()
        ExpectLanguage.card.read(value.map, into: &stated)
        for (subject, demand, value) in stated.items { add(card, about: subject, .card(card, demand), at: value) }
    }

    /// Reports a key that a card of this kind does not have.
    private mutating func check(_ key: String, _ value: ValueReader, of card: String) {
        guard let technology = names.technology(of: card) else { return }
        let isFeliCa = technology == "FeliCa"
        let known = ExpectLanguage.card.keys.keys.map(\.name).filter { (name: String) -> Bool in
            name == ExpectLanguage.state.name || isFeliCa == (name == ExpectLanguage.blocks.name)
        }
        guard !known.contains(key) else { return }
        diagnostics.report(
            Diagnostic(
                .misplacedKey, "`\(card)` has no `\(key)`: it is \(isFeliCa ? "a FeliCa card" : "an NTAG")",
                at: value.node, hint: "it has \(known.joined(separator: ", "))"))
    }
}

struct CardExpectations {
    fileprivate var items: [(subject: String, demand: CardDemand, value: ValueReader)] = []

    mutating func add(_ subject: String, _ demand: CardDemand, _ value: ValueReader) {
        items.append((subject, demand, value))
    }
}
