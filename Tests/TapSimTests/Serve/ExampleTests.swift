import Foundation
import TestSupport
import Testing

/// Test suites in other languages that use `tapsim serve`, run as their authors would.
///
/// Some tests start `tapsim`, because suites start it.
@Suite struct `Test suites in other languages` {
    /// The folder with the pytest plugin, installed as a user would.
    private static let plugin = Result<String, any Error> {
        let folder = try TestFolder.make().path
        let script = """
            cp -r Tools/pytest "$1/source" &&
            exec "$0" -m pip install --quiet --no-index --no-build-isolation --no-deps --target "$1/site" "$1/source"
            """
        let outcome = try TapSimProgram.run(["-c", script, TapSimProgram.python, folder], program: "/bin/sh")
        try #require(outcome.exitCode == 0, "\(outcome.error)")
        return "\(folder)/site"
    }

    private func pytest(_ suite: String, _ options: [String]) throws -> CommandOutcome {
        try TapSimProgram.run(
            ["-m", "pytest", "-p", "no:cacheprovider"] + options + ["Tests/Clients/pytest/\(suite)"],
            environment: ["TAPSIM": TapSimProgram.path, "PYTHONPATH": Self.plugin.get()],
            program: TapSimProgram.python)
    }

    @Test func `pytest tests each read their own card with pyscard in one process`() throws {
        let outcome = try pytest("test_card.py", ["-q"])
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
        #expect(outcome.output.contains("6 passed, 1 xfailed"))
    }

    @Test func `pytest reads cards in several processes at once`() throws {
        let outcome = try pytest("test_card.py", ["-q", "-n", "3"])
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
        #expect(outcome.output.contains("6 passed, 1 xfailed"))
    }

    @Test func `pytest reports errors, saves failures, and survives open connections`() throws {
        let outcome = try pytest("test_plugin.py", ["-q", "-n", "2"])
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
        #expect(outcome.output.contains(" passed"))
    }

    @Test func `a C program serves a card to itself and reads it through libpcsclite`() throws {
        let program = try TapSimProgram.file("card_test", "")
        let compiled = try TapSimProgram.run(
            [
                "-c",
                "cc -Wall -Wextra -Werror Tools/examples/card_test.c $(pkg-config --cflags --libs libpcsclite) -o \"$0\"",
                program,
            ], program: "/bin/sh")
        #expect(compiled.exitCode == 0, "\(compiled.error)")
        let outcome = try TapSimProgram.run([TapSimProgram.path], program: program)
        #expect(outcome.exitCode == 0, "\(outcome.error)")
        #expect(outcome.output == "01010A10203040509000\n")
    }

    @Test func `a shell script serves cards to a client and judges it`() throws {
        let outcome = try TapSimProgram.run(
            [TapSimProgram.python, "Tests/Clients/transparent_transit.py"], environment: ["TAPSIM": TapSimProgram.path],
            program: "Tools/examples/card_test.sh")
        #expect(outcome.exitCode == 0, "\(outcome.error)")
        #expect(outcome.output.contains("suica leaves the reader, then ndef arrives"))
        #expect(outcome.output.hasSuffix("the service ends\n"))
    }
}
