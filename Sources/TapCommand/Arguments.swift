import TapDocument
import TapSystem
import TapReaders
import TapScenario
import TapWire

/// The arguments after a verb: options, operands and the client after `--`.
///
/// Options may appear anywhere before `--`. Unknown arguments are errors: an option that is silently ignored makes a test
/// pass for the wrong reason.
struct Arguments: Sendable {
    /// All arguments, as given.
    let words: [String]
    let verb: String
    private(set) var operands: [String] = []
    private(set) var client: [String]?
    private var given: [(name: String, value: String?)] = []

    init(_ words: [String], of verb: Verb) throws(UsageError) {
        self.words = words
        self.verb = verb.name
        let options = verb.allOptions
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                client = Array(rest)
                return
            } else if word.hasPrefix("-") && word != "-" && (!verb.explainsOptions || Self.names(word, options))
                || Self.hasTypographicDash(word)
            {
                try take(word, from: &rest, options)
            } else {
                operands.append(word)
            }
        }
    }

    /// Returns whether an argument begins with a dash that a word processor wrote for `--`.
    private static func hasTypographicDash(_ word: String) -> Bool {
        // Japanese keyboards write a prolonged sound mark.
        word.hasPrefix("ー") || word.unicodeScalars.first.flatMap(LookAlike.meant)?.plain == "-"
    }

    /// Returns whether an argument, with or without `=`, names one of some options.
    private static func names(_ word: String, _ options: [Option]) -> Bool {
        options.contains { $0.isNamed(String(word.prefix { $0 != "=" })) }
    }

    private mutating func take(
        _ word: String, from rest: inout ArraySlice<String>, _ options: [Option]
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = options.first(where: { $0.isNamed(parts[0]) }) else {
            throw Self.unknown(parts[0], options)
        }
        guard option.isRepeatable || !isGiven(option.name) else {
            throw UsageError("`\(option.name)` is given twice")
        }
        guard let placeholder = option.value else {
            guard parts.count == 1 else { throw UsageError("`\(option.name)` takes no value") }
            return given.append((option.name, nil))
        }
        // After `--` comes the client, not a value.
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), parts.count == 2 || value != "--" else {
            throw UsageError("`\(option.name)` needs a value: \(option.name) \(placeholder)")
        }
        given.append((option.name, value))
    }

    /// Returns the error for an option that the verb does not have.
    private static func unknown(_ word: String, _ options: [Option]) -> UsageError {
        let owners = Verb.all.filter { $0.options.contains { $0.name == word } }.map { "`tapsim \($0.name)`" }
        guard owners.isEmpty else {
            return UsageError(
                "there is no option `\(word)`", help: "`\(word)` is an option of \(ListText.choice(owners))")
        }
        let meant = meant(by: LookAlike.plain(word) ?? word, among: options)
        let dash = LookAlike.advice(on: word).map { "\($0.prefix { $0 != ";" }); " } ?? ""
        return UsageError("there is no option `\(word)`", help: meant.map { "\(dash)did you mean `\($0)`?" })
    }

    /// Returns the name of the option that has a name or is similar to it, with any number of dashes.
    static func meant(by word: String, among options: [Option]) -> String? {
        let name = "--" + word.drop { $0 == "-" }
        let names = options.map(\.name)
        return names.contains(name) ? name : Spelling.closest(to: name, among: names)
    }

    func isGiven(_ name: String) -> Bool { given.contains { $0.name == name } }

    func value(_ name: String) -> String? { values(name).first }

    /// The values of a repeatable option.
    func values(_ name: String) -> [String] { given.filter { $0.name == name }.compactMap(\.value) }

    func number<Number: FixedWidthInteger>(_ name: String, as _: Number.Type = Number.self) throws(UsageError)
        -> Number?
    {
        guard let text = value(name) else { return nil }
        guard let number = Number(text) else {
            let isNumber = !text.isEmpty && text.drop { $0 == "-" }.allSatisfy { $0.isASCII && $0.isNumber }
            let bounds = Number.isSigned ? "up to \(Number.max)" : "from 0 to \(Number.max)"
            throw UsageError(
                "`\(name)` cannot be `\(text)`",
                help: LookAlike.advice(on: text) ?? "expected a whole number\(isNumber ? " \(bounds)" : "")")
        }
        return number
    }

    /// A time above zero.
    ///
    /// - Parameter what: The thing that needs the time, for the message.
    func duration(_ name: String, what: String) throws(UsageError) -> Duration? {
        guard let text = value(name) else { return nil }
        do throws(ScalarProblem) {
            let long = try Self.longTime(text)
            let time = if let long { long } else { try DurationRule().parse(text) }
            guard time > .zero else {
                throw ScalarProblem(.outOfRange, "is zero", hint: "\(what) needs a time above zero")
            }
            return time
        } catch {
            let longer = error.code == .notDuration ? "; write whole minutes and hours as `5m` and `2h`" : ""
            throw UsageError(
                "`\(name) \(text)` \(error.message)", help: LookAlike.advice(on: text) ?? error.hint + longer)
        }
    }

    /// Parses minutes and hours, which scenario files do not need: `5m`, `2h`.
    private static func longTime(_ text: String) throws(ScalarProblem) -> Duration? {
        guard let unit = ["m": 60, "h": 3_600][text.suffix(1)], !text.dropLast().isEmpty,
            text.dropLast().allSatisfy({ $0.isASCII && $0.isNumber })
        else { return nil }
        guard let count = Int(text.dropLast()), count <= 24 * 3_600 / unit else {
            throw ScalarProblem(.outOfRange, "is too long", hint: "a duration is at most one day, `24h`")
        }
        return .seconds(count * unit)
    }

    func word<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String, among words: [Word] = Array(Word.allCases)
    ) throws(UsageError) -> Word? {
        guard let text = value(name) else { return nil }
        return try Self.word(text, of: name, among: words)
    }

    static func word<Word: RawRepresentable<String> & CaseIterable>(
        _ text: String, of name: String, among words: [Word] = Array(Word.allCases)
    ) throws(UsageError) -> Word {
        if let word = words.first(where: { $0.rawValue == text }) { return word }
        let others = words.map { ($0.rawValue, ($0 as? any OtherwiseNamed)?.otherNames ?? []) }
        throw UsageError(
            "`\(name)` cannot be `\(text)`", name: text, among: words.map(\.rawValue),
            otherNames: Dictionary(others) { first, _ in first })
    }
}

struct Option: Sendable {
    let name: String
    let short: String?
    /// The placeholder for the option's value in help; `nil` if the option has no value.
    let value: String?
    let isRepeatable: Bool
    let summary: String
    /// The allowed values, if there is a fixed choice.
    var words: [String] = []
    /// The heading in help.
    private(set) var group = Group.other
    /// A Boolean value that indicates whether only `--help-all` shows the option.
    private(set) var isRare = false

    /// The headings of help, in their order.
    enum Group: String, CaseIterable {
        case cards = "cards and readers"
        case client
        case runs = "cases and runs"
        case output
        case ci = "CI"
        case other
    }

    /// Returns the option with its heading in help.
    func `in`(_ group: Group, isRare: Bool = false) -> Option {
        var option = self
        (option.group, option.isRare) = (group, isRare)
        return option
    }

    static func flag(_ name: String, short: String? = nil, _ summary: String) -> Option {
        Option(name: name, short: short, value: nil, isRepeatable: false, summary: summary)
    }

    /// An option whose value is a case of a type.
    static func choice<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ value: String, _: Word.Type, among words: [Word] = Array(Word.allCases), _ summary: String
    ) -> Option {
        Option(
            name: name, short: nil, value: value, isRepeatable: false, summary: summary, words: words.map(\.rawValue))
    }

    /// An option with a value, after a blank or `=`.
    static func value(
        _ name: String, short: String? = nil, _ value: String, isRepeatable: Bool = false, _ summary: String
    ) -> Option {
        Option(name: name, short: short, value: value, isRepeatable: isRepeatable, summary: summary)
    }

    func isNamed(_ word: String) -> Bool { word == name || word == short }

    var usage: String {
        let names = short.map { "\($0), \(name)" } ?? name
        return value.map { "\(names) \($0)" } ?? names
    }
}

/// The changes that `--model` and `--transport` make to the readers of a case.
struct ReaderArguments {
    static let options: [Option] = [
        .value("--model", "MODEL", "Use this reader model instead of the scenario's, such as acr122u").in(.cards),
        .value(
            "--transport", "TRANSPORT",
            "Open pcsc, nfcpy, libnfc, usb, pn532-tcp, felica-rs, proxmark3 or vpcd[:PORT]"
        ).in(.cards),
    ]

    private let model: ReaderModel?
    private let transport: (kind: ReaderSpec.Transport, port: UInt16?)?

    init(_ arguments: Arguments) throws(UsageError) {
        if let text = arguments.value("--model"), let help = Self.advice(on: text) {
            throw UsageError("`--model` cannot be `\(text)`", help: help)
        }
        model = try arguments.word("--model")
        transport = try arguments.value("--transport").map { text throws(UsageError) in try Self.transport(text) }
        guard transport?.kind == .usb, let model else { return }
        if let trouble = ReaderSpec(model, transport: .usb).troubleWithTransport {
            throw UsageError("`--model`: \(trouble.0); \(trouble.hint)")
        }
    }

    /// The advice on the RC-S620/S, a module without a PC/SC driver, which is not a model of its own.
    static func advice(on model: String) -> String? {
        let letters = model.lowercased().filter { $0.isLetter || $0.isNumber }
        guard letters.hasPrefix("rcs620") else { return nil }
        return "an RC-S620/S is `--model rc-s330 --transport libnfc`"
    }

    var isGiven: Bool { model != nil || transport != nil }

    func applied(to scenarioCase: ScenarioCase) -> ScenarioCase {
        guard isGiven else { return scenarioCase }
        return scenarioCase.changingReaders { reader in
            if let model { reader.model = model }
            if let transport { (reader.transport, reader.port) = (transport.kind, transport.port ?? reader.port) }
            // A case that names no model gets one for PC/SC.
            if reader.troubleWithTransport != nil { reader.model = .usbDefault }
        }
    }

    /// Parses a transport, with an optional port after `vpcd`.
    private static func transport(_ text: String) throws(UsageError) -> (kind: ReaderSpec.Transport, port: UInt16?) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let kind: ReaderSpec.Transport = try Arguments.word(parts[0], of: "--transport")
        guard parts.count == 2 else { return (kind, nil) }
        guard kind == .vpcd, let port = UInt16(parts[1]), port > 0 else {
            throw UsageError("`--transport` takes a port from 1 to 65535 after vpcd only, not `\(text)`")
        }
        return (kind, port)
    }
}

/// `--taps`: how often to present the cards to a client that keeps running.
struct TapCount {
    static let option = Option.value(
        "--taps", "N", "Present the cards N times to a client that keeps running, then end it"
    ).in(.client)

    private let count: Int?

    init(_ arguments: Arguments) throws(UsageError) {
        count = try arguments.number("--taps")
        if let count, !(1...VisitPlan.maximumCount).contains(count) {
            throw UsageError("`--taps` needs a number from 1 to \(VisitPlan.maximumCount)")
        }
        if count != nil, arguments.isGiven("--reader") {
            throw UsageError("`--taps` cannot move the card on a real reader; omit `--taps` or `--reader`")
        }
    }

    /// Refuses a count for a case that contradicts it.
    func check(_ scenarioCase: ScenarioCase) throws(UsageError) {
        guard count != nil else { return }
        if scenarioCase.isBuiltin {
            throw UsageError(
                "`--taps` needs a program after `--` that keeps running; a built-in client reads once and ends")
        }
        if scenarioCase.visits != nil {
            throw UsageError("\(scenarioCase.file) sets `taps` itself; omit `--taps`, or change the file")
        }
        if scenarioCase.cards.isEmpty { throw UsageError("`--taps` needs a card; name one with --card or in a file") }
    }

    func applied(to scenarioCase: ScenarioCase) -> ScenarioCase {
        count.map(scenarioCase.staying) ?? scenarioCase
    }
}

struct TimeLimit {
    static let option = option(standard: "60s")

    /// - Parameter standard: The limit if neither the option nor the scenario sets one.
    static func option(standard: String) -> Option {
        .value("--timeout", "TIME", "Limit the client's run time (default: \(standard), or the scenario's limit)")
            .in(.client)
    }

    private let wall: Duration?

    init(_ arguments: Arguments) throws(UsageError) {
        wall = try arguments.duration("--timeout", what: "a client")
    }

    func applied(to scenarioCase: ScenarioCase) -> ScenarioCase {
        wall.map { scenarioCase.limited(to: $0) } ?? scenarioCase
    }
}

/// `--parent`: the process whose end also ends a service.
enum ParentArgument {
    static let option = Option.value(
        "--parent", "PID", "End with this process (default: the process that started the command)")

    /// Returns the process that the option names, or the one that started this process.
    static func process(_ arguments: Arguments) throws(UsageError) -> ProcessWatch {
        guard let number = try arguments.number("--parent", as: Int32.self) else { return .parent }
        guard let watch = ProcessWatch(number) else { throw UsageError("`--parent`: there is no process \(number)") }
        return watch
    }
}

struct UsageError: Error, CustomStringConvertible {
    /// Half a sentence without a full stop.
    let message: String
    /// The advice for the `help:` line; if `nil`, the message or the help of the verb gives it.
    let help: String?
    var description: String { help.map { "\(message); \($0)" } ?? message }

    init(_ message: String, help: String? = nil) {
        self.message = message
        self.help = help
    }

    /// The error for an action that a verb does not have; the advice is a whole command.
    init(action: String, of verb: String, among actions: [String]) {
        let meant = Spelling.meant(by: action, among: actions).map { "`tapsim \(verb) \($0)`" }
        let list = "expected \(ListText.fitting(actions.map { "`\($0)`" }, isChoice: true))"
        let help = meant.isEmpty ? list : "did you mean \(ListText.choice(meant))? \(list)"
        self.init("there is no `\(verb) \(action)`", help: help)
    }

    /// The error for a name that is not one of a few.
    init(_ message: String, name: String, among names: [String], otherNames: [String: [String]] = [:]) {
        self.init(message, help: Spelling.advice(on: name, among: names, otherNames: otherNames))
    }
}
