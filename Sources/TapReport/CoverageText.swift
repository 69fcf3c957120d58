import TapDocument
import TapJudge
import TapWire

/// The coverage for people: a row for each part, followed by the items that were never met.
public struct CoverageText {
    private let coverage: Coverage
    private let parts: [Coverage.Part]

    public init(_ coverage: Coverage, _ parts: [Coverage.Part]) {
        self.coverage = coverage
        self.parts = parts
    }

    public var lines: [String] {
        let cards = coverage.chips.isEmpty ? "" : ", cards \(coverage.chips.joined(separator: ", "))"
        return ["\(CountText.of(coverage.traceCount, "trace"))\(cards)"] + parts.flatMap(section)
    }

    private func section(_ part: Coverage.Part) -> [String] {
        let (met, unmet) = (coverage.met(part), coverage.unmet(part))
        let count = "\(met.count) of \(met.count + unmet.count)"
        let head = "  \(part.rawValue.rightPadded(to: 10))\(count.rightPadded(to: 12))\(share(of: part))"
        switch part {
        case .commands, .states:
            return [head] + listed("met", met.map(Self.counted)) + listed("never", unmet.map(\.name))
        case .answers: return [head] + answers
        case .faults:
            return [head] + listed("met", met.map(Self.counted)) + listed("never", Self.families(unmet, alongside: met))
        }
    }

    private func share(of part: Coverage.Part) -> String {
        coverage.percentage(of: part).map { "\($0)%" } ?? "nothing to meet"
    }

    private var answers: [String] {
        let all = coverage.items(.answers).map { (command: $0.name.prefix { $0 != " " }, item: $0) }
        let groups = Dictionary(grouping: all) { $0.command }
        var commands: [Substring] = []
        for (command, _) in all where !commands.contains(command) { commands.append(command) }
        return commands.flatMap { command in
            let answers = (groups[command] ?? []).map { entry in
                Coverage.Item(name: String(entry.item.name.dropFirst(command.count + 1)), count: entry.item.count)
            }
            let met = answers.filter { $0.count > 0 }.map(Self.counted).joined(separator: ", ")
            let never = answers.filter { $0.count == 0 }.map(\.name).joined(separator: ", ")
            return listed(String(command), [never.isEmpty ? met : "\(met); never \(never)"])
        }
    }

    private static func counted(_ item: Coverage.Item) -> String { "\(item.name) (\(item.count))" }

    /// Returns the names of faults; a family without any fault that was met is named as a whole.
    private static func families(_ unmet: [Coverage.Item], alongside met: [Coverage.Item]) -> [String] {
        func family(_ item: Coverage.Item) -> String { String(item.name.prefix { $0 != "." }) }
        let begun = Set(met.map(family))
        var names: [String] = []
        for item in unmet {
            let name = begun.contains(family(item)) ? item.name : "\(family(item)).*"
            if names.last != name { names.append(name) }
        }
        return names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private func listed(_ title: String, _ names: [String]) -> [String] {
        names.isEmpty
            ? [] : [TextTable.wrapped("\(title): \(PrintableText.visible(names.joined(separator: ", ")))", indent: 6)]
    }
}
