import Foundation

/// Reports an error and ends the program: 1 for a wrong answer, 2 for usage, 3 for something that the machine lacks.
func fail(_ message: String, code: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    exit(code)
}

/// Prints a line at once, for a program that waits for it.
func tell(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// The parts of the report, in order.
let sections: KeyValuePairs<String, (Report) throws -> Void> = [
    "engines": EngineBenchmark.measureTime, "counts": EngineBenchmark.count, "transports": TransportBenchmark.measure,
]

signal(SIGPIPE, SIG_IGN)
let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "--count": try Callgrind.runCounted()
case "--client": try ClientProgram.run(Array(words.dropFirst()))
default:
    let isGate = words == ["--gates"]
    let names = isGate ? ["counts"] : words
    if let unknown = names.first(where: { name in !sections.contains { $0.key == name } }) {
        fail("`\(unknown)` is not a section; the sections are \(sections.map(\.key).joined(separator: ", "))", code: 2)
    }
    let report = Report()
    for (name, measure) in sections where names.isEmpty || names.contains(name) { try measure(report) }
    report.end()
    // Only counts can fail a build.
    let states = report.rows.map(\.state)
    exit(states.contains("void") ? 3 : isGate && states.contains("missed") ? 1 : 0)
}
