import TapDocument
import TapField
import TapReport
import TapScenario

/// Pages about fault families, keys of scenario files and options of the command.
extension ExplainTopic {
    static let families = ExplainTopic(title: "Families of faults", names: familyNames) { name in
        let faults = FaultCatalogue.all.filter { $0.family == name.lowercased() }
        return faults.first.map { [ExplainPage(family: $0.family, faults)] } ?? []
    }

    private static let familyNames: [String] = {
        var names: [String] = []
        for fault in FaultCatalogue.all where names.last != fault.family { names.append(fault.family) }
        return names
    }()

    static let keys = ExplainTopic(title: "Keys of scenario files", names: keyNames) { name in
        scenarioKeys.filter { $0.key.name == name }.map { ExplainPage($0.key, of: $0.noun) }
    }

    private static let keyNames: [String] = {
        var seen: Set<String> = []
        return scenarioKeys.map(\.key.name).filter { seen.insert($0).inserted }
    }()

    /// The keys of all maps of a scenario file, with the noun of their map, from the file down.
    private static let scenarioKeys: [(key: Key, noun: String)] = {
        var keys: [(key: Key, noun: String)] = []
        var waiting = [ScenarioLoader.table]
        var seen: Set<String> = [ScenarioLoader.table.noun]
        while !waiting.isEmpty {
            let table = waiting.removeFirst()
            for key in table.keys where key.notYet == nil && FaultCatalogue.named(key.name) == nil {
                keys.append((key, table.noun))
                waiting += key.shape.tables.filter { seen.insert($0.noun).inserted }
            }
        }
        return keys
    }()

    static let options = ExplainTopic(title: "Options", names: optionNames) { name in
        let pages = meanings.filter { $0.option.isNamed(name) }
        return pages.sorted { $0.verbs.count > $1.verbs.count }.map { ExplainPage($0.option, of: $0.verbs) }
    }

    private static let optionNames: [String] = {
        var seen: Set<String> = []
        return meanings.map(\.option.name).filter { seen.insert($0).inserted }
    }()

    /// The options of all verbs, each with the verbs for which it means the same.
    private static let meanings: [(option: Option, verbs: [String])] = {
        var meanings: [(option: Option, verbs: [String])] = []
        for verb in Verb.all {
            for option in verb.allOptions {
                if let index = meanings.firstIndex(where: {
                    $0.option.usage == option.usage && $0.option.summary == option.summary
                }) {
                    meanings[index].verbs.append(verb.name)
                } else {
                    meanings.append((option, [verb.name]))
                }
            }
        }
        return meanings
    }()
}

extension Shape {
    /// The tables of the maps below a value.
    fileprivate var tables: [KeyTable] {
        switch self {
        case .table(let table): [table()]
        case .items(let shape, _), .named(_, let shape): shape.tables
        case .variants(let shapes): shapes.flatMap(\.tables)
        case .scalar, .free: []
        }
    }
}

extension ExplainPage {
    fileprivate init(family: String, _ faults: [FaultKind]) {
        let title = FaultDocument.titles[family].map { "\($0.prefix(1).uppercased())\($0.dropFirst())." } ?? ""
        self.init(
            title: "\(family), a family of faults", summary: title, lines: faults.map { ($0.name, $0.summary) })
    }

    fileprivate init(_ key: Key, of noun: String) {
        var lines = [("value", key.shape.noun)]
        if let standard = key.standard { lines.append(("default", standard)) }
        if key.isRequired { lines.append(("required", "yes")) }
        self.init(title: "\(key.name), a key of \(noun)", summary: key.summary, lines: lines)
    }

    fileprivate init(_ option: Option, of verbs: [String]) {
        let names = verbs.count == Verb.all.count ? "every verb" : "tapsim \(verbs.joined(separator: ", "))"
        let choices = option.words.isEmpty ? [] : [("values", option.words.joined(separator: ", "))]
        self.init(
            title: "\(option.name), an option of \(names)", summary: "\(option.summary).",
            lines: [("written as", option.usage)] + choices)
    }
}
