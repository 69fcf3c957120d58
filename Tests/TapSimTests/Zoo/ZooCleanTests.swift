import TapDocument
import Testing

/// The clients of the zoo on cards that do nothing wrong.
@Suite struct `The zoo without disturbance` {
    @Test(arguments: ZooProgram.all)
    func `finds what the careful client finds, whatever mistakes it makes`(program: ZooProgram) throws {
        let expected = try Self.result(of: program, ZooProgram.careful)
        for mistake in program.mistakes {
            #expect(try Self.result(of: program, mistake.name) == expected, "\(mistake.name)")
        }
    }

    @Test func `has more than two dozen mistakes, each of them once`() {
        let mistakes = ZooProgram.all.flatMap(\.mistakes).map(\.name)
        #expect(mistakes.count >= 24)
        #expect(Set(mistakes).count == mistakes.count)
    }

    /// What a client prints, as JSON, on a run that passes.
    private static func result(of program: ZooProgram, _ mistake: String) throws -> Node {
        try PCSCClient(command: program.command(mistake)).found(in: program.scenarioPath)
    }
}
