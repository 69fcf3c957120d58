import TapCards
import TapWire

/// The name of an IC, as the catalogue has it.
struct ICRule: ScalarRule {
    let noun = "the name of an IC"

    func parse(_ text: String) throws(ScalarProblem) -> CatalogueIC {
        if let ic = ICCatalogue.named(text) { return ic }
        let names = ICCatalogue.all.flatMap { [$0.name] + $0.aliases }
        let guess = Spelling.question(for: text, among: names)
        throw ScalarProblem(
            .unknownWord, "cannot be `\(text)`", hint: "ICs are RC-S962, NTAG215 and others of the catalogue\(guess)")
    }

    var schema: ScalarSchema { ScalarSchema(.any) }
}

/// The name of a quirk switch of either family.
struct SwitchNameRule: ScalarRule {
    let noun = "the name of a switch"

    func parse(_ text: String) throws(ScalarProblem) -> String {
        let names = SwitchCatalogue.all.map(\.name)
        if names.contains(text) { return text }
        let guess = Spelling.question(for: text, among: names)
        throw ScalarProblem(.unknownWord, "is no switch", hint: "no card has a switch of this name\(guess)")
    }

    var schema: ScalarSchema { ScalarSchema(.words(SwitchCatalogue.all.map(\.name))) }
}

/// A key version: four hexadecimal digits, or `none` for a node without such a key.
struct KeyVersionRule: ScalarRule {
    private let code = CodeRule("a key version")
    let noun = "a key version, or `none`"

    func parse(_ text: String) throws(ScalarProblem) -> UInt16? {
        if text == "none" { return nil }
        return try code.parse(text)
    }

    var schema: ScalarSchema { ScalarSchema(.pattern("none|\\s*([0-9A-Fa-f]\\s*){4}"), numbers: .any) }
    var needsQuotes: Bool { true }
}

/// A station: line and station in decimal, such as `001-204`.
struct StationRule: ScalarRule {
    let noun = "a station such as `001-204`"

    func parse(_ text: String) throws(ScalarProblem) -> StationCode {
        if let code = StationCode(text) { return code }
        throw ScalarProblem(
            .notCode, "is not a station", hint: "line and station needed, three decimal digits each: `001-204`")
    }

    var schema: ScalarSchema { ScalarSchema(.pattern("[0-9]{3}-[0-9]{3}")) }
}

/// A time of day: `07:44` or `07:44:30`.
struct ClockTimeRule: ScalarRule {
    let noun = "a time of day such as `07:44`"

    func parse(_ text: String) throws(ScalarProblem) -> ClockTime {
        if let time = ClockTime(text) { return time }
        throw ScalarProblem(.notDate, "is not a time of day", hint: "hours and minutes needed: \"07:44\"")
    }

    var schema: ScalarSchema { ScalarSchema(.pattern("[0-9]{2}:[0-9]{2}(:[0-9]{2})?"), numbers: .any) }
    var needsQuotes: Bool { true }
}

/// A card number: sixteen decimal digits.
struct CardNumberRule: ScalarRule {
    let noun = "a card number of 16 digits"

    func parse(_ text: String) throws(ScalarProblem) -> CardNumber {
        if let number = CardNumber(text) { return number }
        throw ScalarProblem(.wrongLength, "is not a card number", hint: "16 decimal digits needed, blanks allowed")
    }

    var schema: ScalarSchema { ScalarSchema(.pattern("([0-9] ?){16}"), numbers: .any) }
    var needsQuotes: Bool { true }
}
