import TapScenario
import TapWire
import TapYAML

/// The words of `tapsim ctl` as a request to a service.
struct CtlRequest {
    let node: Node

    /// Options and the word with which they go.
    private static let ownOptions = [
        "--gap": "swap", "--last": "journal", "--count": "verify", "--never": "verify", "--file": "verify",
    ]

    /// Reads the words.
    ///
    /// - Throws: ``UsageError`` for words that make no request; ``VerbError`` for a file that cannot be read.
    init(_ arguments: Arguments, _ console: Console) throws {
        let word = arguments.operands.first ?? ""
        for (option, owner) in Self.ownOptions.sorted(by: { $0.key < $1.key })
        where arguments.isGiven(option) && word != owner {
            throw UsageError("`\(option)` goes with `\(owner)`")
        }
        let rest = Array(arguments.operands.dropFirst())
        switch (word, rest.count) {
        case ("tap", 1), ("remove", 1), ("plug", 1), ("unplug", 1):
            node = .map([(key: word, value: .text(rest[0]))])
        case ("tap", 2): node = ["tap": ["card": .text(rest[0]), "reader": .text(rest[1])]]
        case ("swap", 2): node = ["swap": Self.swap(rest, gap: arguments.value("--gap"))]
        case ("set", 2...): node = ["set": try Self.set(rest[0], rest.dropFirst())]
        case ("journal", 0): node = ["journal": try Self.journal(arguments)]
        case ("verify", 0):
            let asker = arguments.value("--file") ?? "--"
            node = ["verify": try Self.verify(arguments, console), "asked_by": .text(asker)]
        case ("phone", 1): node = ["phone": .text(rest[0])]
        case ("phone", 2): node = ["phone": .map([(key: rest[0], value: .text(rest[1]))])]
        case ("remove", 0), ("reset", 0), ("status", 0), ("plug", 0), ("unplug", 0), ("stop", 0):
            node = .map([(key: word, value: .map([]))])
        default:
            throw Self.misunderstood(word)
        }
    }

    /// What to write instead of words that make no request.
    private static func misunderstood(_ word: String) -> UsageError {
        let usages = Verb.ctl.usages
        let verbs = usages.map { String($0.prefix { $0 != " " }) }
        if let index = verbs.firstIndex(of: word) { return UsageError("write `tapsim ctl \(usages[index])`") }
        guard !word.isEmpty else { return UsageError("say what to do: \(ListText.choice(verbs))") }
        let guess = Spelling.question(for: word, among: verbs)
        return UsageError("there is no `ctl \(word)`, only \(verbs.joined(separator: ", "))\(guess)")
    }

    private static func swap(_ cards: [String], gap: String?) -> Node {
        .map(["out": .text(cards[0]), "in": .text(cards[1]), "gap": gap.map(Node.text)])
    }

    private static func set(_ card: String, _ values: ArraySlice<String>) throws -> Node {
        do {
            return ["card": .text(card), "values": try CardArgument.values(values.joined(separator: ","))]
        } catch {
            throw UsageError("\(error)")
        }
    }

    private static func journal(_ arguments: Arguments) throws -> Node {
        .map(["last": try arguments.number("--last", as: Int.self).map { .number($0) }])
    }

    private static func verify(_ arguments: Arguments, _ console: Console) throws -> Node {
        let counts = try arguments.values("--count").map { text throws(UsageError) -> (key: String, value: Node) in
            guard let sign = text.firstIndex(of: "=") else {
                throw UsageError("`--count \(text)` has no number; write --count felica.read=2")
            }
            return (String(text[..<sign]), .text(String(text[text.index(after: sign)...])))
        }
        let never = arguments.values("--never").map(Node.text)
        guard let path = arguments.value("--file") else {
            return .map([
                "counts": counts.isEmpty ? nil : .map(counts), "never": never.isEmpty ? nil : .list(never),
            ])
        }
        guard counts.isEmpty, never.isEmpty else { throw UsageError("`--file` goes without `--count` and `--never`") }
        return try expectations(in: path, console)
    }

    /// What a file expects: what stands under `expect`, or all of it.
    private static func expectations(in path: String, _ console: Console) throws(VerbError) -> Node {
        var diagnostics = Diagnostics()
        let file = try InputFile.load(path)
        let node = DocumentReaders.reader(for: path).read(file, into: &diagnostics)
        try ScenarioFiles.tell(diagnostics, console)
        guard let node, node.kind == .map else {
            throw VerbError(.usage, "\(path) holds no expectations; write the keys of `expect`")
        }
        return node["expect"] ?? node
    }
}
