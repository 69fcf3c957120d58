import Foundation
import Testing

/// A complete run, including the client, as an unprivileged user.
///
/// Some tests start `tapsim`, because it runs as another user.
@Suite struct `A run without privileges` {
    @Test func `needs no root, no pcscd and only the temporary folder`() throws {
        let scenario = try TapSimProgram.file(
            "card.yaml", "format: 1\ncards: {tag: {ic: NTAG215, uid: \"04 A1 B2 C3 D4 E5 80\"}}\n")
        let folder = URL(fileURLWithPath: scenario).deletingLastPathComponent()
        let program = folder.appendingPathComponent("tapsim").path
        // Written by another process: a program that any process still has open for writing cannot be started, and other
        // tests pass this process's open files on to their programs.
        #expect(try TapSimProgram.run([TapSimProgram.path, program], program: "/bin/cp").exitCode == 0)
        let client = try PCSCClient.compiled()
        // The test itself may run as root, as in CI.
        let nobody = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--no-new-privs"]
        let environment = ["env", "-i", "-C", "/", "PATH=/usr/bin:/bin"]
        let run = [program, "run", scenario, "--json", "--", "sh", "-c", "id -u; exec \"$0\""] + client.command
        let words = (getuid() == 0 ? nobody : []) + environment + run
        let outcome = try TapSimProgram.run(Array(words.dropFirst()), program: words[0])
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
        #expect(outcome.output.contains("UID 04A1B2C3D4E580"))
        #expect(!outcome.output.contains("\"stdout\": \"0\\n"))
    }
}
