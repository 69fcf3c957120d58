import TapDocument
import TapField
import TapWire

/// The keys of `expect`.
enum ExpectLanguage {
    static let table = KeyTable(
        "an expectation",
        [
            Key("client", .map(client), "How the client ends and what it prints."),
            Key("exchanges", .map(exchanges), "Exchanges that happen.", synonyms: ["exchange", "commands"]),
            Key(
                "result", .map(of: JSONPointerRule(), to: .free), "Values of the client's result by JSON pointer.",
                synonyms: ["output", "json"]),
            Key(
                "counts", .map(of: CommandRule(), to: .range()), "How many commands are sent.",
                synonyms: ["count", "calls"]),
            Key("never", .list(of: PatternLanguage.shape), "Exchanges that do not happen.", synonyms: ["not", "no"]),
            Key(
                "cards", .map(of: NameRule("the name of a card"), to: .variants([.word("unchanged"), .map(card)])),
                "What cards are like afterwards.", synonyms: ["card"]),
            Key(
                "safety", .variants([.word(SafetyLevel.self), .map(safety)]),
                "What the client may not do to cards unless its clean runs or this file ask for it.",
                synonyms: ["safe", "writes"]),
            Key(
                "phone", .map(PhoneExpectLanguage.table),
                "What an app with Core NFC shows and hears; judged where a phone reads the cards.",
                synonyms: ["app", "session"]),
        ])

    static let client = KeyTable(
        "an expectation on the client",
        [
            Key(
                "exit", .range(0...255), "The exit code; 0 without it, any where the case has faults.",
                synonyms: ["exit_code", "status", "code"]),
            Key("within", .duration, "How long it takes at most.", synonyms: ["timeout"]),
            Key("stdout", texts, "What it prints on its standard output.", synonyms: ["output", "out"]),
            Key("stderr", texts, "What it prints on its standard error.", synonyms: ["error", "err"]),
            Key(
                "verdict", .variants([verdict, .list(of: verdict, count: 1...16)]),
                "What may become of the client, measured by three clean runs; `correct_or_error` without it where the "
                    + "case has faults and nothing else is said of the client.",
                synonyms: ["outcome", "verdicts"]),
        ])

    private static let verdict = Shape.scalar(WordRule([correctOrError] + Outcome.allCases.map(\.rawValue)))

    /// The word for both outcomes that are no fault of a client.
    static let correctOrError = "correct_or_error"

    /// What `safety` can be in one word.
    enum SafetyLevel: String, CaseIterable {
        /// Every rule.
        case strict
        /// The rules that hold where nothing is stated.
        case usual
        /// No rule.
        case off

        var policy: SafetyPolicy {
            switch self {
            case .strict: .strict
            case .usual: .default
            case .off: .off
            }
        }
    }

    private static let safety = KeyTable(
        "a map of safety",
        [
            Key("allow", rules, "What the client may do.", synonyms: ["allowed", "permit"]),
            Key("forbid", rules, "What it may not do beyond the usual.", synonyms: ["forbidden", "never", "deny"]),
        ])

    private static let rules = Shape.list(of: .word(SafetyRule.self), count: 1...16)

    private static let texts = Shape.variants([.text, .list(of: .text)])

    static let exchanges = KeyTable(
        "an expectation on exchanges",
        [
            Key(
                "order", .word(ExchangeList.Order.self), "How the list is found in the run; subsequence without it.",
                standard: "subsequence"),
            Key(
                "list", .list(of: PatternLanguage.shape, count: 1...10_000), "The exchanges.", isRequired: true,
                synonyms: ["items", "exchanges"]),
        ])

    static let card = KeyTable(
        "an expectation on a card",
        [
            Key("auth_failures", .range(0...7), "Wrong passwords since the last right one.", synonyms: ["failures"]),
            Key("counter", .range(0...0xFF_FFFF), "The NFC counter.", synonyms: ["nfc_counter"]),
            Key(
                "blocks",
                .map(
                    of: CodeRule("a service code", known: KnownCodes.services),
                    to: .map(of: IntegerRule(0...0xFFFF), to: .hex(16))),
                "Blocks by service and number.", synonyms: ["services"]),
            Key("pages", .map(of: IntegerRule(0...255), to: .hex(4)), "Pages by number.", synonyms: ["page"]),
            Key("state", .text, "The protocol state in the words of the card's manual."),
        ])
}

/// Turns checked `expect` maps into expectations.
struct ExpectDecoder {
    private let names: CardNames
    private var diagnostics: Diagnostics
    private var items: [Expectation] = []

    private init(_ names: CardNames, _ diagnostics: Diagnostics) {
        self.names = names
        self.diagnostics = diagnostics
    }

    static func decode(
        _ map: MapReader, _ names: CardNames, into diagnostics: inout Diagnostics
    ) -> Expectations {
        var decoder = ExpectDecoder(names, diagnostics)
        let expectations = decoder.decode(map)
        diagnostics = decoder.diagnostics
        return expectations
    }

    private mutating func decode(_ map: MapReader) -> Expectations {
        for (name, value) in map.entries {
            switch name {
            case "client": decodeClient(value.map)
            case "result": decodeResult(value)
            case "exchanges": decodeExchanges(value)
            case "counts":
                for (name, count) in value.named {
                    add("counts  \(name.text)", .count(name.command, count.range), at: count)
                }
            case "never":
                for item in value.items {
                    let pattern = PatternLanguage.decode(item, names, into: &diagnostics)
                    add("never  \(pattern.command)", .never(pattern), at: item)
                }
            case "cards": for (name, state) in value.named { decodeCard(name, state) }
            case "phone":
                for stated in PhoneExpectLanguage.decode(value.map, names, into: &diagnostics) {
                    add("phone.\(stated.key)", .phone(stated.demand), at: stated.value)
                }
            case "safety": add("safety", .safety(Self.policy(value)), at: value)
            default: break
            }
        }
        return Expectations(items: items, node: .map(map.node))
    }

    private mutating func add(_ path: String, _ demand: Expectation.Demand, at value: ValueReader) {
        items.append(Expectation(path: "expect.\(path)", source: value.source, demand: demand))
    }

    private mutating func decodeClient(_ map: MapReader) {
        for (name, value) in map.entries {
            switch name {
            case "exit": add("client.exit", .exit(value.range), at: value)
            case "within": add("client.within", .within(value.duration), at: value)
            case "verdict": add("client.verdict", .verdict(Self.outcomes(value)), at: value)
            default:
                guard let stream = Expectation.OutputStream(rawValue: name) else { continue }
                for text in value.kind == .list ? value.items : [value] {
                    add("client.\(name)", .output(stream, contains: text.text), at: text)
                }
            }
        }
    }

    /// The outcomes that words name, each once.
    private static func outcomes(_ value: ValueReader) -> [Outcome] {
        let words = (value.kind == .list ? value.items : [value]).map(\.text)
        let isNamed = { (outcome: Outcome) in
            words.contains(outcome.rawValue) || outcome.isOK && words.contains(ExpectLanguage.correctOrError)
        }
        return Outcome.allCases.filter(isNamed)
    }

    private static func policy(_ value: ValueReader) -> SafetyPolicy {
        guard value.kind == .map else { return value.word(as: ExpectLanguage.SafetyLevel.self).policy }
        let rules = { (name: String) in value.map[name]?.items.map { $0.word(as: SafetyRule.self) } ?? [] }
        return SafetyPolicy(
            forbidding: SafetyPolicy.default.forbidden.union(rules("forbid")).subtracting(rules("allow")))
    }

    private mutating func decodeResult(_ value: ValueReader) {
        for (name, expected) in value.named {
            let pointer = name.read(JSONPointerRule.self)
            add("result  \(pointer)", .result(pointer, expected.node), at: expected)
        }
    }

    private mutating func decodeExchanges(_ value: ValueReader) {
        var patterns: [ExchangeList.Located] = []
        for item in value.map.required("list").items {
            let pattern = PatternLanguage.decode(item, names, into: &diagnostics)
            patterns.append(ExchangeList.Located(pattern: pattern, source: item.source))
        }
        let order = value.map["order"]?.word(as: ExchangeList.Order.self) ?? .subsequence
        add("exchanges", .exchanges(ExchangeList(order: order, patterns: patterns)), at: value)
    }

    private mutating func decodeCard(_ name: ValueReader, _ value: ValueReader) {
        let card = names.card(name, into: &diagnostics)
        guard value.kind == .map else { return add("cards.\(card)  unchanged", .card(card, .unchanged), at: value) }
        for (key, value) in value.map.entries {
            check(key, value, of: card)
            switch key {
            case "auth_failures": add(card, key, .authenticationFailures(value.range), value)
            case "counter": add(card, key, .counter(value.range), value)
            case "state": add(card, key, .state(value.text), value)
            case "pages":
                for (page, data) in value.named {
                    add(card, "page \(page.text)", .page(page.integer, PageData(data.bytes)), data)
                }
            default:
                for (service, blocks) in value.named {
                    for (number, data) in blocks.named {
                        let code = NodeCode(service.code)
                        let demand = CardDemand.block(service: code, number: number.integer, BlockData(data.bytes))
                        add(card, "service \(code) block \(number.text)", demand, data)
                    }
                }
            }
        }
    }

    private mutating func add(_ card: String, _ field: String, _ demand: CardDemand, _ value: ValueReader) {
        add("cards.\(card)  \(field)", .card(card, demand), at: value)
    }

    /// Refuses what a card of this kind does not have.
    private mutating func check(_ key: String, _ value: ValueReader, of card: String) {
        guard let technology = names.technology(of: card), key != "state" else { return }
        let isFeliCa = technology == "FeliCa"
        guard isFeliCa != (key == "blocks") else { return }
        let known = isFeliCa ? "blocks, state" : "auth_failures, counter, pages, state"
        diagnostics.report(
            Diagnostic(
                .misplacedKey, "`\(card)` has no `\(key)`: it is \(isFeliCa ? "a FeliCa card" : "an NTAG")",
                at: value.node, hint: "it has \(known)"))
    }
}
