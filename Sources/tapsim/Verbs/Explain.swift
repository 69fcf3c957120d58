import TapCards
import TapDescribe
import TapScenario
import TapWire

extension Verb {
    /// `tapsim explain`: what a name means.
    static let explain = Verb(
        name: "explain",
        usages: ["NAME…", ""],
        summary: "Explain a command, status code, service, reader model, fault, IC, quirk, template or error code.",
        details: """
            Without a NAME it lists the names. Several words are one name: tapsim explain FF A2. APDUs, status words and
            return codes of PC/SC go by name or number: FF CA, 6A82, SCARD_W_REMOVED_CARD, 8010000C.
            """,
        options: [.flag("--json", "Print one JSON document instead of text.")],
        run: { arguments, console in
            guard !arguments.operands.isEmpty else {
                printNames(isJSON: arguments.isGiven("--json"), console)
                return .passed
            }
            let name = arguments.operands.joined(separator: " ")
            let pages = ExplainTopic.pages(name)
            guard !pages.isEmpty else { throw unknownName(name) }
            if arguments.isGiven("--json") {
                console.print(JSONWriter.text(.list(pages.map(\.node)), .pretty))
            } else {
                console.print(pages.map { $0.text(console.style) }.joined(separator: "\n\n"))
            }
            return .passed
        })

    private static func printNames(isJSON: Bool, _ console: Console) {
        guard !isJSON else { return console.print(JSONWriter.text(.list(ExplainTopic.all.map(\.node)), .pretty)) }
        console.print(ExplainTopic.all.map(\.text).joined(separator: "\n\n"))
    }

    private static func unknownName(_ name: String) -> VerbError {
        let names = ExplainTopic.all.flatMap(\.names) + Explanation.all.map(\.title)
        let near = Spelling.near(to: name, among: names, upTo: 3).map { "`\($0)`" }
        let guess = near.isEmpty ? "" : "; did you mean \(ListText.choice(near))?"
        return VerbError(.usage, "nothing is called `\(name)`; tapsim explain lists the names\(guess)")
    }
}
