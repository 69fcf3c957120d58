import TapDocument
import TapField
import TapScenario
import TapWire
import TestSupport
import Testing

@Suite struct `Scalar rules` {
    static let rules: [String: any ScalarRule] = [
        "text": TextRule(), "name": NameRule(), "hex4": HexRule([4...4]), "hex4or7": HexRule([4...4, 7...7]),
        "hex0to2": HexRule([0...2]), "code": CodeRule("a code"), "integer": IntegerRule(Int.min...Int.max),
        "byte": IntegerRule(0...255), "boolean": BooleanRule(), "word": KeywordRule(["write", "read_write"]),
        "duration": DurationRule(), "amount": TimeAmountRule(), "share": ShareRule(0...100),
        "range": RangeRule(0...99), "date": DateRule(),
    ]

    @Test(arguments: VectorFile.lines("scalars.txt"))
    func `read a text or report the wrong part`(_ line: String) throws {
        let (rule, text, expected) = try Self.parts(of: line)
        #expect(Self.outcome(of: rule, text) == expected)
    }

    /// Rule, text and outcome of a line such as `hex4 "00" => S021 all`.
    static func parts(of line: String) throws -> (any ScalarRule, String, String) {
        let halves = line.split(separator: " => ", maxSplits: 1)
        let name = try #require(halves.first?.prefix { $0 != " " })
        let quoted = try #require(halves.first?.dropFirst(name.count))
        var diagnostics = Diagnostics()
        let node = JSONReader().read(SourceFile(name: "scalars.txt", text: String(quoted)), into: &diagnostics)
        return (try #require(rules[String(name)]), try #require(node?.text), String(try #require(halves.last)))
    }

    static func outcome(of rule: some ScalarRule, _ text: String) -> String {
        do {
            let value = try rule.parse(text)
            return (value as? String)?.debugDescription ?? "\(value)".replacing("TapScenario.", with: "")
        } catch {
            return "\(error.code.rawValue) \(error.part.map { "\($0)".replacing("Range", with: "") } ?? "all")"
        }
    }

    @Test(arguments: [
        (IntegerRule(0...7) as any ScalarRule, "a whole number (0 to 7)"), (IntegerRule(1...1), "the number 1"),
        (IntegerRule(1...Int.max), "a whole number (1 or more)"),
        (IntegerRule(Int.min...0), "a whole number (0 or less)"),
        (IntegerRule(Int.min...Int.max), "a whole number"), (HexRule([1...1]), "1 byte in hexadecimal"),
        (HexRule([4...4, 7...7, 10...10]), "4, 7 or 10 bytes in hexadecimal"),
        (HexRule([1...Int.max]), "1 or more bytes in hexadecimal"), (KeywordRule(["a"]), "`a`"), (KeywordRule([]), ""),
    ])
    func `describe what they expect`(_ rule: any ScalarRule, _ noun: String) {
        #expect(rule.noun == noun)
    }

    @Test(arguments: [
        ("1_000", "write only digits: 1000"), ("0x1F", "write decimal digits: 31"), ("1e3", "write only digits: 1000"),
        ("3.0", "write only digits: 3"), ("+5", "write only digits: 5"), ("3.5", "expected decimal digits"),
        ("1e999", "expected decimal digits"), ("nan", "expected decimal digits"), ("0x", "expected decimal digits"),
    ])
    func `explain how to write a number`(_ text: String, _ hint: String) {
        #expect(throws: ScalarProblem.self) { try IntegerRule(0...9_999).parse(text) }
        do {
            _ = try IntegerRule(0...9_999).parse(text)
        } catch {
            #expect(error.hint == hint)
        }
    }

    @Test func `recognize codes with swapped bytes`() {
        let rule = CodeRule("a service code", known: [0x090F, 0x0F09 &+ 1, 0x1010])
        #expect(rule.doubt(about: "0F09")?.code == .swappedBytes)
        #expect(["090F", "1010", "1234", "0F0A", "x"].allSatisfy { rule.doubt(about: $0) == nil })
    }

    @Test(arguments: [
        ("nmae", "name"), ("Name", "name"), ("kill-after", "kill_after"), ("killafter", "kill_after"),
        ("timline", "timeline"),
        ("expct", "expect"), ("nam", "name"), ("names", "name"), ("at", "at"), ("ta", "at"),
    ])
    func `suggest the intended name`(_ text: String, _ meant: String) {
        #expect(suggestion(for: text) == meant)
    }

    @Test(arguments: ["", "x", "qwertz", "of", "éé", "namenamename", String(repeating: "name", count: 30)])
    func `suggest nothing if no name is similar`(_ text: String) {
        #expect(suggestion(for: text) == nil)
    }

    private func suggestion(for text: String) -> String? {
        let rule = KeywordRule(["name", "timeline", "expect", "kill_after", "at"])
        do {
            return try rule.parse(text)
        } catch {
            return error.hint.split(separator: "did you mean `", omittingEmptySubsequences: false).dropFirst().first
                .map { String($0.prefix { $0 != "`" }) }
        }
    }

    @Test func `print ranges and dates in file syntax`() throws {
        let ranges = [IntegerRange(0, through: 11), IntegerRange(1, through: nil), IntegerRange(5, through: 5)]
        #expect(ranges.map(\.description) == ["0..11", "1..", "5"])
        #expect(try ranges.map { try RangeRule(0...99).parse($0.description) } == ranges)
        #expect(
            ranges.map { range in [0, 1, 5, 11, 12].filter(range.contains) } == [[0, 1, 5, 11], [1, 5, 11, 12], [5]])
        #expect(CalendarDate(year: 7, month: 1, day: 2)?.description == "0007-01-02")
        #expect(CalendarDate(year: 10_000, month: 1, day: 1) == nil && CalendarDate(year: 1, month: 1, day: 32) == nil)
    }
}
