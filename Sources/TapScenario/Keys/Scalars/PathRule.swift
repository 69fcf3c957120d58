/// The path of a file that a scenario names, from the folder of the file in which it is written.
struct PathRule: ScalarRule {
    /// Most bytes of a path, PATH_MAX of Linux without its end.
    static let maximumLength = 4_095

    let noun = "the path of a file"

    func parse(_ text: String) throws(ScalarProblem) -> String {
        guard !text.isEmpty, text.utf8.count <= Self.maximumLength, !text.utf8.contains(0) else {
            throw ScalarProblem(.notName, "cannot be a path", hint: "a path has 1 to \(Self.maximumLength) bytes")
        }
        guard !text.hasPrefix("/") else {
            throw ScalarProblem(
                .fileOutside, "begins at the root of the machine", hint: "paths begin at the folder of this file",
                part: 0..<1)
        }
        return text
    }

    var schema: ScalarSchema { ScalarSchema(.pattern("[^/].*"), numbers: .any) }
}
