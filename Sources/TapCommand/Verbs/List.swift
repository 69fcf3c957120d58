import TapCards
import TapDocument
import TapSystem
import TapField
import TapPCSC
import TapReaders
import TapReport
import TapScenario
import TapWire

extension Verb {
    static let list = Verb(
        name: "list",
        usages: [
            "cards", "ics", "models", "readers", "faults [PATTERN]", "lies", "control-cards", "scenarios [FOLDER]",
        ],
        summary:
            "List card templates, ICs, reader models, real readers, faults, lies, control cards or scenario files.",
        examples: [
            Example("List the cards that --card accepts", "tapsim list cards"),
            Example("List the faults of the RF link", "tapsim list faults rf"),
        ],
        details: """
            Real readers are those of the system's PC/SC service. Faults are grouped by who
            causes them. A PATTERN such as 'ntag.*' or ntag selects faults; tapsim explain
            NAME describes one, and tapsim explain WORDS finds one. Without a FOLDER, scenarios
            are searched in Scenarios or, if that does not exist, below the working directory.
            """,
        options: [.flag("--json", "Print a JSON document instead of text")],
        run: { arguments, context in
            let console = context.console
            let rows = try ListVerb.rows(arguments, in: context.folder)
            if arguments.isGiven("--json") {
                console.print(json: .list(rows.map(\.node)))
            } else {
                for line in ListVerb.lines(rows) { console.print(line) }
                if rows.isEmpty { console.printError("there are none") }
            }
            return .passed
        })
}

enum ListVerb {
    /// A row of the list, as text columns and as JSON.
    fileprivate struct Row {
        let columns: [String]
        let node: Node
        /// The origin of a fault.
        var origin: FaultKind.Origin?

        init(_ node: Node) {
            self.node = node
            columns = node.entries.map { PrintableText.visible($0.value.text ?? "") }
        }

        init(_ fault: FaultKind) {
            columns = [fault.name, fault.summary]
            node = fault.node
            origin = fault.origin
        }
    }

    /// Returns the rows as columns; faults are grouped by their origin.
    fileprivate static func lines(_ rows: [Row]) -> [String] {
        let lines = TextTable.lines(rows.map(\.columns))
        let groups = FaultKind.Origin.allCases.map { origin in
            (heading(of: origin), zip(rows, lines).filter { $0.0.origin == origin }.map { "  \($0.1)" })
        }.filter { !$0.1.isEmpty }
        guard !groups.isEmpty else { return lines }
        return groups.enumerated().flatMap { ($0.offset == 0 ? [] : [""]) + [$0.element.0] + $0.element.1 }
    }

    private static func heading(of origin: FaultKind.Origin) -> String {
        switch origin {
        case .person: "Person"
        case .card: "Card"
        case .rf: "RF"
        case .reader: "Reader"
        case .service: "PC/SC service"
        case .phone: "Phone"
        }
    }

    fileprivate static func rows(_ arguments: Arguments, in folder: WorkingFolder) throws -> [Row] {
        let rest = arguments.operands.dropFirst()
        switch arguments.operands.first {
        case "scenarios" where rest.count < 2: return try scenarios(below: rest.first, in: folder)
        case "cards" where rest.isEmpty: return CardLanguage.templates.map { Row(template.node($0)) }
        case "ics" where rest.isEmpty: return ICCatalogue.all.map { Row(ic.node($0)) }
        case "models" where rest.isEmpty: return ReaderModel.allCases.map { Row(model.node($0)) }
        case "readers" where rest.isEmpty: return try readers()
        case "faults" where rest.count < 2: return try faults(rest.first)
        case "lies" where rest.isEmpty: return FaultCatalogue.lies.map { Row(lie.node($0)) }
        case "control-cards" where rest.isEmpty: return ControlProperty.all.map { Row(controlCards.node($0)) }
        default: throw refusal(of: arguments.operands)
        }
    }

    /// The error for a list that does not exist, or that takes no argument.
    private static func refusal(of operands: [String]) -> UsageError {
        let names = ["cards", "ics", "models", "readers", "faults", "lies", "control-cards", "scenarios"]
        guard let first = operands.first else {
            return UsageError("say what to list: \(ListText.choice(names))")
        }
        guard names.contains(first), let name = operands.dropFirst().first else {
            return UsageError(action: first, of: "list", among: names)
        }
        if let argument = ["faults": "PATTERN", "scenarios": "FOLDER"][first] {
            return UsageError("`list \(first)` takes one \(argument)")
        }
        let page = ExplainTopic.pages(name).isEmpty ? nil : "`tapsim explain \(ShellText.text([name]))` describes it"
        return UsageError("`list \(first)` takes no `\(name)`", help: page)
    }

    static let template = OutputTable<CardTemplateInfo>(
        "template", "A card template",
        .always("template", "Its name", \.name), .always("ic", "Its IC", \.icName),
        .always("summary", "Its description", \.summary))

    static let ic = OutputTable<CatalogueIC>(
        "ic", "An IC",
        .always("ic", "Its name", \.name), .always("family", "Its family", \.generation),
        .always("aliases", "Other names, as text") {
            $0.aliases.isEmpty ? "" : "also \($0.aliases.joined(separator: ", "))"
        })

    static let model = OutputTable<ReaderModel>(
        "model", "A reader model",
        .always("model", "Its name in scenarios", \.rawValue),
        .always("name", "Its name as clients see it", \.name), .always("summary", "Its description", \.summary))

    private static func faults(_ pattern: String?) throws(VerbError) -> [Row] {
        guard let pattern else { return FaultCatalogue.all.map(Row.init) }
        let beginning = pattern.hasSuffix("*") ? pattern.dropLast() : "\(pattern)."
        let found = FaultCatalogue.all.filter { $0.name == pattern || $0.name.hasPrefix(beginning) }
        guard found.isEmpty else { return found.map(Row.init) }
        throw VerbError(
            .usage, "there is no fault `\(pattern)`",
            help: Spelling.suggestion(
                for: pattern, among: FaultCatalogue.all.map(\.name), before: "`tapsim list faults` lists them"))
    }

    static let lie = OutputTable<Lie>(
        "lie", "A lie",
        .always("lie", "Its name", \.name), .always("summary", "The behaviour of the card", \.summary),
        .always("unseen", "The mistake in the field of a client whose tests do not notice", \.unseen))

    static let controlCards = OutputTable<ControlProperty>(
        "control-cards", "A property of control cards",
        .always("cards", "Their names", \.pattern),
        .always("variation", "The variation, with its bounds", \.variation),
        .always("fits", "The cards for which they are tried", \.subject.rawValue),
        .always("tried", "How many of them a campaign without a budget tries", \.tried),
        .always("may_be_refused", "Whether a client may refuse them", \.refusal),
        .always("shows", "The mistakes that they show", \.shows))

    static let reader = OutputTable<PCSCReaders.Reader>(
        "real-reader", "A real reader",
        .always("reader", "Its name", \.name),
        .always("family", "Its family, which determines how TapSim addresses it", \.family.rawValue),
        .always("card", "The ATR of its card, or `no card`") {
            $0.atr.map { Hex.text($0, separator: " ") } ?? "no card"
        })

    private static func readers() throws(VerbError) -> [Row] {
        do {
            return try PCSCReaders.list(PCSCLibrary()).map { Row(reader.node($0)) }
        } catch {
            throw VerbError(.environment, "\(error)")
        }
    }

    static let scenario = OutputTable<(file: String, count: String, title: String)>(
        "scenario-file", "A scenario file",
        .always("file", "Its path") { $0.file },
        .always("cases", "The number of cases or errors, as text") { $0.count },
        .always("title", "Its title") { $0.title })

    private static func scenarios(below top: String?, in folder: WorkingFolder) throws(VerbError) -> [Row] {
        try ScenarioFolder(in: folder).files(below: top).map { path throws(VerbError) in
            var diagnostics = Diagnostics()
            let scenario = try ScenarioFiles.load(path, in: folder, into: &diagnostics)
            let count = scenario.map { CountText.of($0.cases.count, "case") }
            let errors = CountText.of(diagnostics.errorCount, "error")
            return Row(self.scenario.node((path, count ?? errors, scenario.map { $0.title ?? $0.name } ?? "")))
        }
    }
}
