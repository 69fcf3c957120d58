import TapCards
import TapDocument
import TapField
import TapReaders
import TapScenario

/// The candidates for the last argument of a command line, as `tapsim complete` prints them for a shell.
///
/// They follow from the verbs and options as help describes them: each placeholder stands for certain arguments.
struct Completion {
    /// The line that tells a shell to add matching files.
    private static let files = ":files"

    /// A line for each candidate: the text and, after a tab, its summary.
    let lines: [String]

    /// Completes the last of the arguments after `tapsim`.
    init(_ words: [String]) {
        let word = words.last ?? ""
        let candidates = Self.candidates(for: word, after: Array(words.dropLast()))
        lines = candidates.filter { $0.word.hasPrefix(word) || $0.word == Self.files }.map {
            $0.summary.isEmpty ? $0.word : "\($0.word)\t\($0.summary)"
        }
    }

    private typealias Candidate = (word: String, summary: String)

    private static func plain(_ words: [String]) -> [Candidate] { words.map { ($0, "") } }

    private static func candidates(for word: String, after words: [String]) -> [Candidate] {
        let verbs = Verb.all.map { ($0.name, $0.summary) }
        guard let first = words.first else {
            return verbs + [
                ("help", "Explain a verb."), ("--help", "List all verbs."), ("--version", "Print the version."),
            ]
        }
        if first == "help" { return words.count == 1 ? verbs : [] }
        guard let verb = Verb.all.first(where: { $0.name == first }) else { return [] }
        if words.contains("--") { return plain([files]) }
        if let option = verb.allOptions.first(where: { $0.isNamed(words[words.count - 1]) }), option.value != nil {
            return values(of: option, word)
        }
        guard word.hasPrefix("-") else { return operands(of: verb, after: Array(words.dropFirst()), word) }
        guard let end = word.firstIndex(of: "=") else {
            let own = verb.allOptions.flatMap { option in
                [option.name, option.short].compactMap { $0 }.map { ($0, option.summary) }
            }
            guard verb.explainsOptions else { return own }
            return own + plain(ExplainTopic.options.names.filter { name in !own.contains { $0.0 == name } })
        }
        guard let option = verb.allOptions.first(where: { $0.isNamed(String(word[..<end])) }) else { return [] }
        return values(of: option, String(word[end...].dropFirst())).map {
            $0.word == files ? $0 : ("\(option.name)=\($0.word)", $0.summary)
        }
    }

    private static func values(of option: Option, _ word: String) -> [Candidate] {
        option.words.isEmpty ? option.value.map { values(of: $0, word) } ?? [] : plain(option.words)
    }

    /// Returns the candidates for the position after some other arguments: the literals and placeholders of the usages that
    /// match.
    private static func operands(of verb: Verb, after words: [String], _ word: String) -> [Candidate] {
        var before: [String] = []
        var rest = words[...]
        while let next = rest.popFirst() {
            guard next.hasPrefix("-"), next != "-" else {
                before.append(next)
                continue
            }
            if verb.allOptions.contains(where: { $0.isNamed(next) && $0.value != nil }) { rest = rest.dropFirst() }
        }
        var found: [Candidate] = []
        for usage in verb.usages {
            let places = usage.split(separator: " ").filter { !($0.hasPrefix("[--") && $0.hasSuffix("]")) }
                .prefix { !$0.hasPrefix("-") && !$0.hasPrefix("[-") }.map(String.init)
            guard zip(before, places).allSatisfy({ $0 == $1 || !isLiteral($1) }), let last = places.last else {
                continue
            }
            guard before.count < places.count || last.contains("…") else { continue }
            for candidate in values(of: before.count < places.count ? places[before.count] : last, word)
            where !found.contains(where: { $0 == candidate }) { found.append(candidate) }
        }
        return found
    }

    private static func isLiteral(_ place: String) -> Bool {
        place.allSatisfy { $0.isASCII && ($0.isLowercase || $0 == "|") }
    }

    /// Returns the candidates for a placeholder in help.
    private static func values(of placeholder: String, _ word: String) -> [Candidate] {
        if isLiteral(placeholder) { return plain(placeholder.split(separator: "|").map(String.init)) }
        let name = placeholder.filter { !"[]…".contains($0) }
        switch name {
        case "CARD": return cards(word)
        case "MODEL": return ReaderModel.allCases.map { ($0.rawValue, $0.name) }
        case "TRANSPORT": return plain(ReaderSpec.Transport.allCases.map(\.rawValue))
        case "PATTERN": return FaultCatalogue.all.map { ($0.name, $0.summary) }
        case "KEY=VALUE": return keys(CardLanguage.table.keys.map(\.name))
        // A repeatable NAME is a page of `explain`; other NAMEs are readers and new files.
        case "NAME" where placeholder.contains("…"): return plain(ExplainTopic.all.flatMap(\.names))
        case _ where ["FILE", "FOLDER", "PATH", "RUN", "TRACE", "DUMP", "LOG", "LIST"].contains(where: name.contains):
            return plain([files])
        default: return []
        }
    }

    /// Completes a template or an IC and, after the colon, its keys: `suica:balance=3120,trips=20`.
    private static func cards(_ word: String) -> [Candidate] {
        guard let colon = word.firstIndex(of: ":") else {
            // A shell does not quote candidates.
            let ics = ICCatalogue.all.map(\.name).filter { !$0.contains(" ") }
            return CardLanguage.templates.map { ($0.name, $0.summary) } + plain(ics + [files])
        }
        let name = word[..<colon]
        let parts = word[colon...].dropFirst().split(separator: ",", omittingEmptySubsequences: false)
        let start = word.dropLast(parts.last?.count ?? 0)
        let given = parts.dropLast().map { $0.prefix { $0 != "=" } }
        let template = CardLanguage.templates.first { $0.name == name }
        let names =
            parts.last?.hasPrefix("ic=") == true
            ? ICCatalogue.all.map { "ic=\($0.name)" }.filter { !$0.contains(" ") }
            : keys(template.map { ["ic"] + $0.keys } ?? CardLanguage.table.keys.map(\.name)).map(\.word)
        return plain(names.filter { name in !given.contains { name.hasPrefix("\($0)=") } }.map { "\(start)\($0)" })
    }

    private static func keys(_ names: [String]) -> [Candidate] { plain(names.map { "\($0)=" }) }
}
