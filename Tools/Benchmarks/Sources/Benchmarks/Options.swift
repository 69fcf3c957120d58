import Foundation

/// What was asked for on the command line.
struct Options {
    private(set) var isJSON = false
    private(set) var plotPath: String?
    private(set) var sections: [Section] = []
    private var isGate = false

    /// Reads the words behind the name of the program; wrong ones end it.
    init(_ words: [String]) {
        var words = words[...]
        while let word = words.popFirst() {
            switch word {
            case "--json": isJSON = true
            case "--gates": isGate = true
            case "--plot":
                guard let path = words.popFirst() else { fail("--plot needs the path of a file", code: 2) }
                // The drawing of an earlier run stays until there is another one.
                let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
                guard FileManager.default.isWritableFile(atPath: folder) else {
                    fail("cannot write \(path); name a file in a folder that is there", code: 2)
                }
                plotPath = path
            default:
                guard let section = Section.all.first(where: { $0.name == word }) else {
                    let sections = Section.all.map(\.name).joined(separator: ", ")
                    fail("there is no option or section `\(word)`; sections are \(sections)", code: 2)
                }
                sections.append(section)
            }
        }
        if isGate {
            guard sections.isEmpty else { fail("--gates goes without sections", code: 2) }
            sections = [.counts]
        } else if sections.isEmpty {
            sections = Section.all
        }
    }

    /// Wall-clock ratios are told; only counts can fail a build.
    func exitCode(of report: Report) -> Int32 {
        if !report.voids.isEmpty { return 3 }
        return isGate && report.rows.contains { $0.state == .missed } ? 1 : 0
    }
}
