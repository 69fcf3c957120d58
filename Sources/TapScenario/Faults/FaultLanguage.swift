import TapDocument
import TapField
import TapWire

/// The keys of `faults`, generated from the catalogue.
enum FaultLanguage {
    static let maximumFaults = 500

    static let shape = Shape.list(of: .map(table), count: 0...maximumFaults)

    fileprivate static let when = TypedKey(
        "when", .value(TriggerLanguage.shape),
        "The command whose exchange the fault affects, or the event that the fault follows.",
        isRequired: true, synonyms: ["on", "trigger", "at"])
    fileprivate static let times = TypedKey(
        "times", .value(.range(0...1_000_000)),
        "The minimum and maximum number of injections. Default: once, or every time (`1..`) for permanent properties of a card.",
        synonyms: ["count", "repeat"])
    fileprivate static let action = TypedKey(
        "do", .value(.variants([.scalar(FaultNameRule()), .map(kinds)])),
        "The fault, by name or with parameters.", isRequired: true,
        synonyms: ["fault", "action", "then", "inject"])
    static let id = TypedKey(
        "id", .text(.name("the name of a fault")), "The name of the fault in reports.", synonyms: ["name"])
    fileprivate static let fix = TypedKey(
        "fix", .list(of: FieldForm<Fault.Fix>.word, count: 1...Fault.Fix.allCases.count),
        "Parts of the answer to correct afterwards. The CRC is only wrong if a fault in the field damaged it.")

    static let table = KeyTable(
        "a fault", [when.key, times.key, action.key, id.key],
        meant: { node in
            guard let name = node.text, let kind = FaultCatalogue.named(name) else { return nil }
            return "{when: {command: felica.read, nth: 1}, do: \(kind.name)}"
        })

    private static let kinds = KeyTable(
        "a fault with parameters",
        oneOf: FaultCatalogue.all.map { Key($0.name, .map(parameters(of: $0)), $0.summary) })

    private static func parameters(of kind: FaultKind) -> KeyTable {
        let keys = kind.parameters.map { Key($0.name, $0.shape, $0.summary) }
        let fix = kind.effect.changesAnswers ? [fix.key] : []
        return KeyTable("the parameters of \(kind.name)", keys + fix)
    }

    /// The plan for a list of faults.
    static func decode(_ value: ValueReader, _ names: CardNames, into diagnostics: inout Diagnostics) -> FaultPlan {
        FaultPlan(
            value.items.map { item in
                let map = item.map
                let trigger = TriggerLanguage.decode(map.required(when), names, into: &diagnostics)
                let fault = fault(map.required(action), names, into: &diagnostics)
                checkTimes(map[times], into: &diagnostics)
                check(fault, trigger, names, at: map.required(action), into: &diagnostics)
                return FaultPlan.Entry(
                    fault, when: trigger, times: map[times]?.range, id: map[id], source: item.source)
            })
    }

    private static func fault(
        _ value: ValueReader, _ names: CardNames, into diagnostics: inout Diagnostics
    ) -> Fault {
        guard value.kind == .map else { return Fault(value.read(FaultNameRule.self)) }
        guard let (name, parameters) = value.map.entries.first, let kind = FaultCatalogue.named(name) else {
            preconditionFailure("the table of faults is made from the catalogue")
        }
        var arguments: [String: FaultValue] = [:]
        for entry in parameters.map.entries {
            guard let parameter = kind.parameters.first(where: { $0.name == entry.name }) else { continue }
            arguments[entry.name] = parameter.value(of: entry.value, names, into: &diagnostics)
        }
        return Fault(kind, arguments, fix: Set(parameters.map[fix] ?? []))
    }

    /// Reports a fault that is injected zero times.
    private static func checkTimes(_ value: ValueReader?, into diagnostics: inout Diagnostics) {
        guard let value, value.range.upper == 0 else { return }
        diagnostics.report(
            Diagnostic(
                .impossibleFault, "a fault that is injected 0 times tests nothing", at: value.node,
                hint: "remove the fault, or write `0..1` if its injection is optional"))
    }

    /// Reports a fault that can never be injected at its trigger.
    static func check(
        _ fault: Fault, _ trigger: EventTrigger, _ names: CardNames, at value: ValueReader,
        into diagnostics: inout Diagnostics
    ) {
        var commands = CommandName.all.filter(fault.kind.scope.fits)
        if case .command(let pattern) = trigger.event {
            guard fault.kind.scope.fits(pattern.name) else {
                return diagnostics.report(
                    Diagnostic(
                        .impossibleFault,
                        "`\(fault.kind.name)` cannot be injected in the exchange of `\(pattern.name)`",
                        at: value.node, hint: "it is injected \(fault.kind.scope.text)"))
            }
            commands = [pattern.name]
        }
        if case .call(let call) = trigger.event, !fault.kind.canWait(for: .call(call)) {
            return diagnostics.report(
                Diagnostic(
                    .impossibleFault, "`\(fault.kind.name)` cannot be injected in the call `\(call.rawValue)`",
                    at: value.node, hint: "it is injected \(fault.kind.callText)"))
        }
        if case .phone(let event) = trigger.event, !fault.kind.canWait(for: .phone(event)) {
            return diagnostics.report(
                Diagnostic(
                    .impossibleFault, "`\(fault.kind.name)` cannot be injected at `phone: \(event.rawValue)`",
                    at: value.node, hint: "it is injected \(fault.kind.phoneText)"))
        }
        if let need = CardNeed(fault, at: trigger.event, names.cards) {
            diagnostics.report(Diagnostic(.impossibleFault, need.text, at: value.node, hint: need.hint))
        }
        for fix in fault.fix where !commands.contains(where: { fix.fits($0, fault.kind) }) {
            let place =
                commands.count == 1 ? "answers to `\(commands[0])`" : "answers that `\(fault.kind.name)` changes"
            diagnostics.report(
                Diagnostic(
                    .impossibleFault, "`fix: [\(fix.rawValue)]` has no effect: the \(place) have no \(fix.noun)",
                    at: value.node, hint: fix.advice))
        }
    }
}

struct FaultNameRule: ScalarRule {
    var noun: String { "a fault such as `rf.silence`" }

    func parse(_ text: String) throws(ScalarProblem) -> FaultKind {
        if let kind = FaultCatalogue.named(text) { return kind }
        let names = FaultCatalogue.all.map(\.name)
        let guess = names.first { $0.hasSuffix(".\(text)") } ?? Spelling.closest(to: text, among: names)
        let hint = guess.map { "did you mean `\($0)`?" } ?? "`tapsim list faults` lists all faults"
        throw ScalarProblem(.unknownWord, "is not a fault", hint: hint)
    }

    var schema: ScalarSchema { ScalarSchema(.words(FaultCatalogue.all.map(\.name))) }
}

extension FaultParameter {
    var shape: Shape {
        switch kind {
        case .integer(let bounds): .integer(bounds)
        case .bytes(let count): .hex(count)
        case .duration: .duration
        case .timeAmount: .timeAmount
        case .share(let bounds): .scalar(ShareRule(bounds))
        case .keyword(let words): .scalar(KeywordRule(words))
        case .flag: .boolean
        case .card: .cardName
        }
    }

    fileprivate func value(
        of value: ValueReader, _ names: CardNames, into diagnostics: inout Diagnostics
    ) -> FaultValue {
        switch kind {
        case .integer: .integer(value.integer)
        case .bytes: .bytes(value.bytes)
        case .duration: .time(.duration(value.duration))
        case .timeAmount: .time(value.timeAmount)
        case .share: .time(.percent(value.read(ShareRule.self)))
        case .keyword: .keyword(value.text)
        case .flag: .flag(value.boolean)
        case .card: .keyword(names.card(value, into: &diagnostics))
        }
    }
}

extension Fault.Fix {
    /// The field it repairs, for use in a sentence.
    fileprivate var noun: String {
        switch self {
        case .len: "LEN byte"
        case .count: "number of blocks, services or systems"
        case .crc: "CRC"
        case .mac: "MAC"
        }
    }

    /// The hint for a fix that has nothing to repair.
    fileprivate var advice: String {
        let leave = "remove `\(rawValue)` from `fix`"
        return self == .mac
            ? "it is for faults that change data of Reads and Writes in a session or of FeliCa Lite; \(leave)" : leave
    }
}

extension FaultPlan {
    public var node: Node { .list(entries.map(\.node)) }
}

extension FaultPlan.Entry {
    var node: Node {
        .map([
            FaultLanguage.when.name: TriggerLanguage.node(of: trigger),
            FaultLanguage.times.name: times == IntegerRange(1, through: 1) ? nil : .text(times.description),
            FaultLanguage.action.name: fault.node, FaultLanguage.id.name: id.map(Node.text),
        ])
    }
}

extension Fault {
    /// The fault as a file writes it: its name, or a map with its parameters.
    var node: Node {
        guard !arguments.written.isEmpty || !fix.isEmpty else { return .text(kind.name) }
        var entries = arguments.written.map { (key: $0.name, value: $0.value.node) }
        if !fix.isEmpty { entries.append(FaultLanguage.fix.entry(Array(fix))) }
        return .map([(key: kind.name, value: .map(entries))])
    }
}

extension FaultValue {
    fileprivate var node: Node {
        switch self {
        case .integer(let number): .number(number)
        case .flag(let flag): .boolean(flag)
        case .time(.duration(let duration)): .text(DurationRule.text(duration))
        case .time(.percent), .bytes, .keyword: .text(description)
        }
    }
}
