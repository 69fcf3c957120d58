import Testing

/// The command with streams that are closed, full or no files.
///
/// Some tests start `tapsim`: streams belong to a process.
@Suite struct `Standard streams` {
    private static let card = "Scenarios/cards/suica.yaml"

    @Test(arguments: ["> /dev/full", ">&-"])
    func `lost output is an error of its own`(redirection: String) throws {
        let outcome = try TapSimProgram.run(["decode", "0600FFFF0100"], redirection: redirection)
        #expect(outcome.exitCode == 3)
        #expect(outcome.error.contains("cannot write standard output"))
        #expect(outcome.error.contains("incomplete"))
    }

    @Test(arguments: ["< Sources", "<&-"])
    func `input that cannot be read is told from input that is empty`(redirection: String) throws {
        let outcome = try TapSimProgram.run(["exchange", Self.card], redirection: redirection)
        #expect(outcome.exitCode == 2)
        #expect(outcome.error.contains("cannot read standard input"))
        let empty = try TapSimProgram.run(["exchange", Self.card], redirection: "< /dev/null")
        #expect(empty.exitCode == 0)
    }

    @Test func `what is printed never lands in a transport that took the number of a closed stream`() throws {
        // Without a reader opened the verdict is a failure; output sent into the transport would count as a reader's
        // frame.
        let outcome = try TapSimProgram.run(
            ["run", "--card", "suica", "--", "true"], redirection: "<&- 2>&- | cat; exit 0")
        #expect(outcome.output.contains("1 failed"))
        let closed = try TapSimProgram.run(["run", "--card", "suica", "--", "true"], redirection: "<&- >&-")
        #expect(closed.exitCode == 3)
    }

    @Test func `a reader that leaves early ends nothing but the output`() throws {
        let outcome = try TapSimProgram.run(["list", "ics"], redirection: "| head -n 1")
        #expect(outcome.output.hasPrefix("RC-S914"))
        #expect(outcome.error.isEmpty)
    }
}
