import TapField
import TapWire

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
        return SafetyPolicy(forbidding: SafetyPolicy.usual.forbidden.union(rules("forbid")).subtracting(rules("allow")))
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
