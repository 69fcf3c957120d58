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
        usages: ["cards", "ics", "models", "readers", "faults [PATTERN]", "lies", "scenarios [FOLDER]"],
        summary:
            "List card templates, ICs, reader models, real readers, faults, lies, or the scenario files below a folder.",
        details: """
            Real readers are those of the system's PC/SC service. A PATTERN such as 'ntag.*' or ntag chooses faults; tapsim
            explain NAME says more about one. Without a FOLDER scenarios are looked for in Scenarios, or else below the working
            directory.
            """,
        options: [.flag("--json", "Print one JSON document instead of text.")],
        run: { arguments, context in
            let console = context.console
            let rows = try ListVerb.rows(arguments, in: context.folder)
            if arguments.isGiven("--json") {
                console.print(json: .list(rows.map(\.node)))
            } else {
                for line in TextTable.lines(rows.map(\.columns)) { console.print(line) }
                if rows.isEmpty { console.printError("there is none") }
            }
            return .passed
        })
}

private enum ListVerb {
    struct Row {
        let columns: [String]
        let node: Node

        init(entries: [(key: String, value: String)]) {
            columns = entries.map { PrintableText.visible($0.value) }
            node = .map(entries.map { (key: $0.key, value: .text($0.value)) })
        }

        init(_ fault: FaultKind) {
            columns = [fault.name, fault.summary]
            node = fault.node
        }
    }

    static func rows(_ arguments: Arguments, in folder: WorkingFolder) throws -> [Row] {
        let rest = arguments.operands.dropFirst()
        switch arguments.operands.first {
        case "scenarios" where rest.count < 2: return try scenarios(below: rest.first, in: folder)
        case "cards" where rest.isEmpty: return cards
        case "ics" where rest.isEmpty: return ics
        case "models" where rest.isEmpty: return models
        case "readers" where rest.isEmpty: return try readers()
        case "faults" where rest.count < 2: return try faults(rest.first)
        case "lies" where rest.isEmpty: return lies
        default: throw UsageError("say what to list: cards, ics, models, readers, faults, lies or scenarios")
        }
    }

    private static var cards: [Row] {
        CardLanguage.templates.map { template in
            Row(entries: [("template", template.name), ("ic", template.icName), ("summary", template.summary)])
        }
    }

    private static var ics: [Row] {
        ICCatalogue.all.map { ic in
            let also = ic.aliases.isEmpty ? "" : "also \(ic.aliases.joined(separator: ", "))"
            return Row(entries: [("ic", ic.name), ("family", ic.generation), ("aliases", also)])
        }
    }

    private static var models: [Row] {
        ReaderModel.allCases.map { model in
            Row(entries: [("model", model.rawValue), ("name", model.name), ("summary", model.summary)])
        }
    }

    private static func faults(_ pattern: String?) throws(VerbError) -> [Row] {
        guard let pattern else { return FaultCatalogue.all.map(Row.init) }
        let beginning = pattern.hasSuffix("*") ? pattern.dropLast() : "\(pattern)."
        let found = FaultCatalogue.all.filter { $0.name == pattern || $0.name.hasPrefix(beginning) }
        guard found.isEmpty else { return found.map(Row.init) }
        let guess = Spelling.question(for: pattern, among: FaultCatalogue.all.map(\.name))
        throw VerbError(.usage, "no fault is called `\(pattern)`; tapsim list faults names them all\(guess)")
    }

    private static var lies: [Row] {
        FaultCatalogue.lies.map { lie in
            Row(entries: [("lie", lie.name), ("summary", lie.summary), ("unseen", lie.unseen)])
        }
    }

    private static func readers() throws(VerbError) -> [Row] {
        let readers: [PCSCReaders.Reader]
        do {
            readers = try PCSCReaders.list(PCSCLibrary())
        } catch {
            throw VerbError(.environment, "\(error)")
        }
        return readers.map { reader in
            Row(entries: [
                ("reader", reader.name), ("family", reader.family.rawValue),
                ("card", reader.atr.map { Hex.text($0, separator: " ") } ?? "no card"),
            ])
        }
    }

    private static func scenarios(below top: String?, in folder: WorkingFolder) throws(VerbError) -> [Row] {
        try ScenarioFolder(in: folder).files(below: top).map { path throws(VerbError) in
            var diagnostics = Diagnostics()
            let scenario = try ScenarioFiles.load(path, in: folder, into: &diagnostics)
            let count = scenario.map { CountText.of($0.cases.count, "case") }
            let errors = CountText.of(diagnostics.errorCount, "error")
            return Row(entries: [
                ("file", path), ("cases", count ?? errors), ("title", scenario.map { $0.title ?? $0.name } ?? ""),
            ])
        }
    }
}
