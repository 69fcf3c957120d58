import TapDocument
import Testing

/// The clients of the zoo on cards without faults.
@Suite struct `The zoo without disturbance` {
    @Test(arguments: ZooProgram.all)
    func `gives the result of the correct client, whatever its bugs`(program: ZooProgram) throws {
        let expected = try Self.output(of: program, ZooProgram.correct)
        for mistake in program.tested where !mistake.needsNoFault {
            #expect(try Self.output(of: program, mistake.name) == expected, "\(mistake.name)")
        }
    }

    @Test func `has a hundred mistakes, each of them once`() {
        let mistakes = ZooProgram.everyone.flatMap(\.mistakes).map(\.name)
        #expect(mistakes.count >= 100)
        #expect(Set(mistakes).count == mistakes.count)
    }

    /// The output of a client in a run that passes.
    private static func output(of program: ZooProgram, _ mistake: String) throws -> String {
        let words = ["run"] + program.subject + ["--json", "--trace", "off", "--"]
        let outcome = try TapSim.run(words + program.command(mistake))
        try #require(outcome.exitCode == 0, "\(mistake): \(outcome.output)\(outcome.error)")
        return try #require(outcome.json?["scenarios"]?[0]?["cases"]?[0]?["client"]?["stdout"]?.text)
    }
}
