import Foundation
import Meters
import TapWire

/// Says what is wrong and ends the program: 1 for an answer that differs, 2 for usage, 3 for what the machine lacks.
func fail(_ message: String, code: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    exit(code)
}

let words = Array(CommandLine.arguments.dropFirst())
if let role = words.first.flatMap(ChildRole.init(rawValue:)) {
    try role.run(Array(words.dropFirst()))
} else {
    let options = Options(words)
    let report = Report(output: options.isJSON ? .standardError : .standardOutput)
    // Where it runs must not change in the middle, and what waking another processor costs says nothing of ours.
    if !stay_on_one_processor() { report.addVoid("processor", "the system does not bind this process to one") }
    for section in options.sections {
        do {
            try section.measure(report)
        } catch {
            report.addVoid(section.name, "\(error)")
        }
    }
    report.end()
    if options.isJSON { FileHandle.standardOutput.write(try report.json + Data("\n".utf8)) }
    if let path = options.plotPath { try Plot(report).svg.write(toFile: path, atomically: true, encoding: .utf8) }
    exit(options.exitCode(of: report))
}
