import Testing

/// The command with streams that are closed, full or not files.
///
/// Some tests start `tapsim`, because streams belong to a process.
@Suite struct `Standard streams` {
    private static let card = "Scenarios/cards/suica.yaml"

    @Test(arguments: ["> /dev/full", ">&-"])
    func `lost output is a separate error`(redirection: String) throws {
        let outcome = try TapSimProgram.run(["decode", "0600FFFF0100"], redirection: redirection)
        #expect(outcome.exitCode == 3)
        #expect(outcome.error.contains("cannot write standard output"))
        #expect(outcome.error.contains("incomplete"))
    }

    @Test(arguments: ["< Sources", "<&-"])
    func `unreadable input is distinguished from empty input`(redirection: String) throws {
        let outcome = try TapSimProgram.run(["exchange", Self.card], redirection: redirection)
        #expect(outcome.exitCode == 2)
        #expect(outcome.error.contains("cannot read standard input"))
        #expect(try TapSim.run(["exchange", Self.card]).exitCode == 0)
    }

    @Test func `output never goes to a transport that reuses the descriptor of a closed stream`() throws {
        // The run must fail because no reader is opened; output sent into the transport would count as a reader's frame.
        let outcome = try TapSimProgram.run(
            ["run", "--card", "suica", "--", "true"], redirection: "<&- 2>&- | cat; exit 0")
        #expect(outcome.output.contains("1 failed"))
        let closed = try TapSimProgram.run(["run", "--card", "suica", "--", "true"], redirection: "<&- >&-")
        #expect(closed.exitCode == 3)
    }

    @Test func `a reader that closes early ends only the output`() throws {
        let outcome = try TapSimProgram.run(["list", "ics"], redirection: "| head -n 1")
        #expect(outcome.output.hasPrefix("RC-S914"))
        #expect(outcome.error.isEmpty)
    }
}
