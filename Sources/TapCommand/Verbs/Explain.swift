import TapCards
import TapDescribe
import TapDocument
import TapField
import TapReaders
import TapReport
import TapScenario
import TapWire

extension Verb {
    static let explain = Verb(
        name: "explain",
        usages: ["NAME…", "WORD…", ""],
        summary: "Explain a command, code, fault, card, key or option, or find it by words.",
        examples: [
            Example("Explain a status code", "tapsim explain FF A2"),
            Example("Find a fault by what happened", "tapsim explain pulled too early"),
            Example("Explain a key of a scenario", "tapsim explain taps"),
        ],
        details: """
            Explains commands, status codes, services, reader models, faults and their families
            (rf), ICs, quirks, card templates, keys of scenario files (taps), options
            (--timeout), verdicts and error codes. Without a NAME it lists all names. Several
            arguments form one name: tapsim explain FF A2. APDUs, status words and PC/SC return
            codes go by name or number: FF CA, 6A82, SCARD_W_REMOVED_CARD, 8010000C. If nothing
            has the name, it searches for the words, also in Japanese: 残高.
            """,
        options: [.flag("--json", "Print a JSON document instead of text")],
        explainsOptions: true,
        run: { arguments, context in
            let console = context.console
            guard !arguments.operands.isEmpty else {
                printNames(isJSON: arguments.isGiven("--json"), console)
                return .passed
            }
            let name = arguments.operands.joined(separator: " ")
            var pages = ExplainTopic.pages(name)
            let hits = pages.isEmpty ? ExplainSearch.hits(name) : []
            if pages.isEmpty { pages = hits.map(\.page) }
            guard !pages.isEmpty else { throw unknownName(name) }
            if arguments.isGiven("--json") {
                console.print(json: pages.node)
            } else if hits.count > 1 {
                printHits(hits, console)
            } else {
                console.print(pages.map { $0.text(console.style) }.joined(separator: "\n\n"))
            }
            return .passed
        })

    private static func printNames(isJSON: Bool, _ console: Console) {
        guard !isJSON else { return console.print(json: ExplainTopic.all.node) }
        console.print(ExplainTopic.all.map(\.text).joined(separator: "\n\n"))
    }

    private static func printHits(_ hits: [ExplainSearch.Hit], _ console: Console) {
        let width = hits.map(\.name.count).max() ?? 0
        for hit in hits {
            let summary = TextTable.wrapped(hit.page.summary, indent: width + 2).drop { $0 == " " }
            console.print("\(hit.name.rightPadded(to: width))  \(summary)")
        }
        console.print("\ntapsim explain NAME explains one of them.")
    }

    private static func unknownName(_ name: String) -> VerbError {
        let models = ReaderModel.allCases.filter { $0.otherNames.contains(name.lowercased()) }.map(\.rawValue)
        let names = ExplainTopic.all.flatMap(\.names) + Explanation.all.map(\.title)
        let near = (models.isEmpty ? Spelling.near(to: name, among: names, upTo: 3) : models).map { "`\($0)`" }
        let guess = near.isEmpty ? "" : "did you mean \(ListText.choice(near))? "
        return VerbError(
            .usage, "there is no page about `\(name)`", help: "\(guess)`tapsim explain` lists the names")
    }
}

struct ExplainTopic: OutputModel, Sendable {
    let title: String
    let names: [String]
    /// Returns the names with their pages, if that is faster than one by one.
    var listed: (@Sendable () -> [(name: String, page: ExplainPage)])?
    /// Returns the pages for a name, likeliest first.
    let pages: @Sendable (String) -> [ExplainPage]

    /// The names, with line breaks only between names.
    var text: String {
        let words = names.map { String($0.map { $0 == " " ? "\u{A0}" : $0 }) }.joined(separator: ", ")
        return "\(title)\n\(String(TextTable.wrapped(words, indent: 2).map { $0 == "\u{A0}" ? " " : $0 }))"
    }

    static let output = OutputTable<Self>(
        "topic", "A topic",
        .always("title", "Its title", \.title), .always("names", "The names it explains", \.names))

    static let all = [
        wire, host, readers, faults, families, phoneEvents, ics, switches, templates, clients, keys, options, outcomes,
        safety, errors,
    ]

    /// Returns the pages for a name.
    ///
    /// Topics that list the name come first: `suica` is a template and also the name of a system.
    static func pages(_ name: String) -> [ExplainPage] {
        let wanted = name.lowercased()
        let lists = { (topic: ExplainTopic) in topic.names.contains { $0.lowercased() == wanted } }
        return (all.filter(lists) + all.filter { !lists($0) }).flatMap { $0.pages(name) }
    }

    private static let wire = ExplainTopic(
        title: "Commands, codes and services", names: Explanation.all.filter { !$0.kind.isOfReaders }.map(\.name),
        listed: { Explanation.all.filter { !$0.kind.isOfReaders }.map { ($0.name, ExplainPage($0)) } }
    ) { name in
        Explanation.matches(name).filter { !$0.kind.isOfReaders }.map(ExplainPage.init)
    }

    private static let host = ExplainTopic(
        title: "APDUs, status words and PC/SC return codes",
        names: Explanation.all.filter(\.kind.isOfReaders).map(\.name),
        listed: { Explanation.all.filter(\.kind.isOfReaders).map { ($0.name, ExplainPage($0)) } }
    ) { name in
        Explanation.matches(name).filter(\.kind.isOfReaders).map(ExplainPage.init)
    }

    private static let readers = ExplainTopic(title: "Reader models", names: ReaderModel.allCases.map(\.rawValue)) {
        name in
        let letters = letters(name)
        return ReaderModel.allCases.filter { Self.letters($0.rawValue) == letters || $0.name == name }.map(
            ExplainPage.init)
    }

    /// Returns a name in lower case without hyphens, so that RCS380 matches RC-S380.
    private static func letters(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    private static let faults = ExplainTopic(title: "Faults", names: FaultCatalogue.all.map(\.name)) { name in
        FaultCatalogue.all.filter { $0.name == name.lowercased() }.map(ExplainPage.init)
    }

    private static let phoneEvents = ExplainTopic(
        title: "Phone events", names: PhoneEvent.allCases.map(\.rawValue)
    ) { name in
        PhoneEvent(rawValue: name.lowercased()).map { [ExplainPage($0)] } ?? []
    }

    private static let ics = ExplainTopic(title: "ICs", names: ICCatalogue.all.map(\.name)) { name in
        ICCatalogue.named(name).map { [ExplainPage($0)] } ?? []
    }

    private static let switches = ExplainTopic(title: "Quirks", names: SwitchCatalogue.all.map(\.name)) { name in
        SwitchCatalogue.named(name).map { [ExplainPage($0)] } ?? []
    }

    private static let templates = ExplainTopic(
        title: "Card templates", names: CardLanguage.templates.map(\.name)
    ) { name in
        CardLanguage.templates.filter { $0.name == name.lowercased() }.map(ExplainPage.init)
    }

    private static let clients = ExplainTopic(
        title: "Built-in clients", names: BuiltinClient.Name.allCases.map(\.rawValue)
    ) { name in
        BuiltinClient.Name.allCases.filter { $0.rawValue == name.lowercased() }.map {
            ExplainPage(title: "\($0.rawValue), a built-in client", summary: $0.summary, lines: [])
        }
    }

    private static let outcomes = ExplainTopic(
        title: "Verdicts on a client", names: Outcome.allCases.map(\.rawValue)
    ) { name in
        Outcome(rawValue: name.lowercased()).map { [ExplainPage($0)] } ?? []
    }

    private static let safety = ExplainTopic(
        title: "Safety rules", names: SafetyRule.allCases.map(\.rawValue)
    ) { name in
        SafetyRule(rawValue: name.lowercased()).map { [ExplainPage($0)] } ?? []
    }

    private static let errors = ExplainTopic(
        title: "Errors of scenario files", names: DiagnosticCode.allCases.map(\.rawValue)
    ) { name in
        DiagnosticCode(rawValue: name.uppercased()).map { [ExplainPage($0)] } ?? []
    }
}

extension ExplainPage {
    fileprivate init(_ explanation: Explanation) {
        var lines: [(heading: String, text: String)] = []
        for layout in explanation.layouts {
            if !layout.line.isEmpty || layout.parts.isEmpty { lines.append((layout.title, layout.line)) }
            for (index, part) in layout.parts.enumerated() {
                let heading = index == 0 && layout.line.isEmpty ? layout.title : ""
                lines.append((heading, "\(part.name)  \(part.meaning)"))
            }
        }
        lines += explanation.notes.map { ("note", $0) }
        lines.append(("source", explanation.source))
        self.init(
            title: "\(explanation.title), \(explanation.code)", summary: explanation.summary,
            lines: [("name", explanation.name)] + lines)
    }

    fileprivate init(_ ic: CatalogueIC) {
        let also = ic.aliases.isEmpty ? "" : " Also called \(ic.aliases.joined(separator: ", "))."
        let (lines, assumptions) = (ic.lines, ic.assumptions)
        let others = assumptions.filter { assumption in !lines.contains { $0.title == assumption.name } }
        self.init(
            title: ic.name, summary: "\(ic.generation).\(also)",
            lines: lines.map { line in
                let assumption = assumptions.first { $0.name == line.title }
                let value = line.fact.value ?? assumption.map(Self.assumed) ?? "unknown"
                return (line.title, "\(value)  (\(line.fact.confidence.rawValue): \(line.fact.source))")
            }
                + others.map { other in
                    let known = other.evidence.isEmpty ? other.meaning : other.evidence
                    return (other.name, "\(Self.assumed(other))  (\(other.confidence.rawValue): \(known.dropLast()))")
                })
    }

    private static func assumed(_ assumption: CardAssumption) -> String {
        "\(assumption.value) assumed, can be \(assumption.allowedValues)"
    }

    fileprivate init(_ row: CatalogueSwitch) {
        var lines = [("values", row.allowedValues), ("default", row.defaultValue)]
        if !row.evidence.isEmpty { lines.append(("evidence", row.evidence)) }
        self.init(title: "\(row.name), a quirk of \(row.family.rawValue) cards", summary: row.meaning, lines: lines)
    }

    fileprivate init(_ model: ReaderModel) {
        self.init(
            title: "\(model.rawValue), a reader model", summary: "\(model.summary).",
            lines: [
                ("name", "\(model.name), as clients see it"),
                ("written as", "reader: \(model.rawValue), or --model \(model.rawValue)"),
            ])
    }

    fileprivate init(_ template: CardTemplateInfo) {
        self.init(
            title: "\(template.name), a card template", summary: template.summary,
            lines: template.icLines
                + [
                    ("works with", template.families.map(\.rawValue).joined(separator: ", ")),
                    ("keys", template.keys.joined(separator: ", ")),
                    ("written as", "template: \(template.name), or --card \(template.name)"),
                ].filter { !$0.1.isEmpty } + template.provenance)
    }

    fileprivate init(_ fault: FaultKind) {
        self.init(
            title: "\(fault.name), a fault", summary: fault.summary,
            lines: [("models", fault.models)] + (fault.japaneseSummary.map { [(Self.japanese, $0)] } ?? [])
                + [("injected", fault.placeText)] + fault.parameters.map { ($0.name, $0.text) } + [
                    ("written as", fault.example)
                ])
    }

    fileprivate init(_ event: PhoneEvent) {
        let faults = FaultCatalogue.all.filter { $0.fits(.phone(event)) }.map(\.name)
        self.init(
            title: "\(event.rawValue), a phone event", summary: "Happens when \(event.summary).",
            lines: (faults.isEmpty ? [] : [("faults", faults.joined(separator: ", "))])
                + [("written as", "when: {phone: \(event.rawValue)}")])
    }

    fileprivate init(_ outcome: Outcome) {
        let holder = outcome.isOK ? "a case with faults, unless it states otherwise" : "only a case that states it"
        self.init(
            title: "\(outcome.rawValue), a verdict", summary: outcome.summary, lines: [("accepted by", holder)])
    }

    fileprivate init(_ rule: SafetyRule) {
        let isDefault = SafetyPolicy.default.forbidden.contains(rule)
        let holds =
            isDefault ? "unless `safety.allow` names it" : "with `safety: strict`, or if `safety.forbid` names it"
        self.init(
            title: "\(rule.rawValue), a safety rule", summary: "Forbids \(rule.summary).",
            lines: [("applies", holds)])
    }

    fileprivate init(_ code: DiagnosticCode) {
        self.init(title: "\(code.rawValue): \(code.title)", summary: code.explanation, lines: [])
    }
}

struct ExplainPage: OutputModel {
    /// The title, such as `RC-S962` or `Read Without Encryption, 06`.
    let title: String
    /// The summary, in whole sentences.
    let summary: String
    let lines: [(heading: String, text: String)]

    fileprivate static let japanese = "in Japanese"
    /// The headings of lines that describe the subject as its summary does.
    static let described: Set<String> = ["models", japanese]

    func text(_ style: TerminalStyle) -> String {
        let head =
            summary.isEmpty ? style.bold(title) : "\(style.bold(title))\n\(TextTable.wrapped(summary, indent: 2))"
        let width = lines.map(\.heading.count).max() ?? 0
        let rows = lines.map { line in
            let heading = line.heading.rightPadded(to: width)
            let text = TextTable.wrapped(line.text, indent: width + 4)
            return "  \(style.muted(heading))  \(text.drop { $0 == " " })"
        }
        return ([head] + rows).joined(separator: "\n")
    }

    static let output = OutputTable<Self>(
        "page", "A page about a name",
        .always("title", "Its title", \.title), .always("summary", "Sentences", \.summary),
        .always("lines", "Facts", as: .list(line.shape)) { $0.lines.map(line.node) })

    private static let line = OutputTable<(heading: String, text: String)>(
        "page-line", "A fact",
        .always("heading", "The subject") { $0.heading }, .always("text", "The fact") { $0.text })
}
