import TapReport
import TapScenario
import TapWire

/// What `tapsim explain` tells of one name.
struct ExplainPage {
    /// What is explained, such as `RC-S962` or `Read Without Encryption, 06`.
    let title: String
    /// What it is, whole sentences.
    let summary: String
    /// Further lines: a heading and what stands beside it.
    let lines: [(heading: String, text: String)]

    /// The page as a person reads it.
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

    /// The page as a program reads it.
    var node: Node {
        [
            "title": .text(title), "summary": .text(summary),
            "lines": .list(lines.map { ["heading": .text($0.heading), "text": .text($0.text)] }),
        ]
    }
}
