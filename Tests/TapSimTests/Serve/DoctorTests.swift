import Foundation
import TapDocument
import TapSystem
import TestSupport
import Testing

@testable import TapRun

/// `tapsim doctor` on a machine with everything that PC/SC needs, and with something missing.
///
/// Some tests start `tapsim`: the loader uses variables of the process to find the library, and the doctor sets one.
@Suite struct `The doctor` {
    /// - Parameter environment: Additional environment variables; without any, the report is that of the test machine.
    private func doctor(
        _ client: [String] = [], environment: [String: String] = [:]
    ) throws -> (outcome: CommandOutcome, findings: [Node]) {
        let words = ["doctor", "--json"] + (client.isEmpty ? [] : ["--"] + client)
        let outcome =
            client.isEmpty && environment.isEmpty
            ? try Self.report.get() : try TapSimProgram.run(words, environment: environment)
        let report = try #require(outcome.json, "\(outcome.end) \(outcome.error)")
        #expect(report["works"]?.text == (outcome.exitCode == 0 ? "true" : "false"))
        return (outcome, report["findings"]?.items ?? [])
    }

    /// The report on the test machine.
    static let report = Result { try TapSimProgram.run(["doctor", "--json"]) }

    private static let library = LibraryFacts()

    private func findings(on words: [String]) -> [DoctorFinding] {
        ClientFindings(words, in: Surroundings(folder: WorkingFolder(TapSimProgram.root)), Self.library).all
    }

    /// Returns the exit code and the findings for a client.
    private func client(_ words: [String]) -> (Int32, String) {
        let findings = findings(on: words)
        return (
            findings.contains { $0.weight == .trouble } ? 3 : 0, findings.map(\.found).joined(separator: "\n")
        )
    }

    @Test func `finds no problem on the test machine`() throws {
        let (outcome, findings) = try doctor()
        #expect(outcome.exitCode == 0, "\(outcome.output)")
        #expect(!findings.contains { $0["weight"]?.text == "trouble" })
        #expect(findings.contains { $0["found"]?.text?.contains("a virtual USB") == true })
        #expect(findings.contains { $0["found"]?.text?.contains("finds its reader") == true })
        let text = try TapSimProgram.run(["doctor", "--color", "always"])
        #expect(text.output.contains("\u{1B}["))
        #expect(text.output.hasSuffix("PC/SC clients reach virtual cards here\n"))
    }

    @Test func `reports a temporary directory that cannot contain sockets`() throws {
        let missing = try TapSimProgram.run(["doctor"], environment: ["TMPDIR": "/no/such/folder"])
        #expect(missing.exitCode == 3)
        #expect(missing.output.contains("set TMPDIR to a folder that this user may write to"))
    }

    @Test func `puts sockets into /tmp if the path of the temporary directory is too long`() throws {
        let file = try TapSimProgram.file(String(repeating: "long", count: 30), "")
        let folder = "\(file).d"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let long = try TapSimProgram.run(["doctor"], environment: ["TMPDIR": folder])
        #expect(long.exitCode == 0, "\(long.output)")
        let found = "sockets go to /tmp, because their paths in \(folder) would be longer than the 107 bytes"
        #expect(long.output.contains(found))
        let client = ["--", TapSimProgram.python, "Tests/Clients/transparent_transit.py"]
        let run = try TapSimProgram.run(
            ["run", "--card", "suica:trips=20", "--env"] + client, environment: ["TMPDIR": folder])
        #expect(run.exitCode == 0, "\(run.output)\(run.error)")
        #expect(run.error.contains("PCSCLITE_CSOCK_NAME=/tmp/tapsim-"))
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(left.isEmpty, "\(left)")
    }

    @Test func `reports a broken library`() throws {
        let library = try TapSimProgram.file("libpcsclite.so.1", "no library")
        let folder = URL(fileURLWithPath: library).deletingLastPathComponent().path
        let (outcome, findings) = try doctor(environment: ["LD_LIBRARY_PATH": folder])
        #expect(outcome.exitCode == 3)
        #expect(findings.first?["found"]?.text?.contains("cannot be opened") == true)
    }

    @Test func `reports a sandbox that removes the variable`() throws {
        let folder = "\(try TapSimProgram.file("root", "")).d"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let outcome = try TapSimProgram.run(
            ["-r", "-m", "Tests/Clients/inside_flatpak.sh", folder, TapSimProgram.path, "doctor"], program: "unshare")
        #expect(outcome.exitCode == 3, "\(outcome.error)")
        #expect(outcome.output.contains("tapsim runs inside a Flatpak"))
    }

    @Test func `inspects a client without running it`() throws {
        #expect(client(["pcsc_scan"]) == (0, "pcsc_scan is linked to libpcsclite"))
        #expect(client(["/no/such/client"]) == (3, "there is no program /no/such/client"))
        let script = try TapSimProgram.file("client", "#!/usr/bin/env -S pcsc_scan -n\nexit 1\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
        #expect(client([script]).1 == "\(script) is a script for pcsc_scan\npcsc_scan is linked to libpcsclite")
        #expect(client(["/bin/ls"]).1.contains("is not linked to libpcsclite itself"))
        let phone = client([TapSimProgram.alongside("PhoneClient")])
        #expect(phone.1.contains("is built on VirtualCoreNFC, which needs no reader"))
        #expect(try TapSim.run(["doctor", "--"]).exitCode == 2)
    }

    @Test func `recognizes clients of libnfc and nfcpy, and nfcpy's usb`() throws {
        #expect(
            client(["nfc-list"]) == (0, "nfc-list is linked to libnfc, which finds its PN532 through LIBNFC_DEVICE"))
        let python = TapSimProgram.python
        let usb = try TapSimProgram.file("usb.py", "import nfc\nclf = nfc.ContactlessFrontend('usb')\n")
        let found = client([python, usb])
        #expect(found.0 == 0)
        #expect(found.1.hasSuffix("\(usb) opens nfcpy's 'usb', a reader on USB"))
        #expect(findings(on: [python, usb]).last?.advice == "run it with --transport usb")
        #expect(client([python, usb, "{nfcpy}"]).0 == 0)
        let told = try TapSimProgram.file(
            "told.py", "import nfc, os\nclf = nfc.ContactlessFrontend(os.environ.get('TAPSIM_NFCPY', 'usb'))\n")
        #expect(client([python, told]).1.hasSuffix("told.py uses nfcpy and is given its path"))
        #expect(
            try TapSimProgram.run(["doctor", "--", python, told]).output.hasSuffix(
                "nfcpy clients reach virtual cards here\n"))
    }

    @Test func `only notes PC/SC problems for a client that does not use PC/SC`() throws {
        let library = try TapSimProgram.file("libpcsclite.so.1", "no library")
        let folder = URL(fileURLWithPath: library).deletingLastPathComponent().path
        let (outcome, findings) = try doctor(["nfc-list"], environment: ["LD_LIBRARY_PATH": folder])
        #expect(outcome.exitCode == 0, "\(outcome.output)")
        #expect(findings.first?["weight"]?.text == "note")
        #expect(findings.first?["found"]?.text?.contains("cannot be opened") == true)
    }

    @Test func `recognizes programs that drop variables, unless an option keeps them`() throws {
        let sudo = try TapSimProgram.file("sudo", "")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: sudo)
        #expect(client([sudo, "pcsc_scan"]) == (3, "sudo drops PCSCLITE_CSOCK_NAME"))
        #expect(client([sudo, "--preserve-env=PCSCLITE_CSOCK_NAME", "pcsc_scan"]).0 == 0)
    }

    @Test func `recognizes static linking`() throws {
        let source = try TapSimProgram.file("static.c", "int main(void) { return 0; }\n")
        let program = "\(source).out"
        let compiled = try TapSimProgram.run(["-static", "-o", program, source], program: "/usr/bin/cc")
        #expect(compiled.exitCode == 0, "\(compiled.error)")
        #expect(client([program]).1.contains("is linked statically"))
    }

    /// Newer libraries ignore the variable in such programs; they are recognized by the function that they use.
    @Test func `reports that a newer library ignores the variable in privileged programs`() throws {
        let today = client(["/usr/bin/chage"])
        #expect(today.1.contains("set-user-ID or set-group-ID"))
        let (_, findings) = try doctor()
        let found = findings.first { $0["topic"]?.text == "library" }?["found"]?.text ?? ""
        let real = try #require(found.split(separator: ": ").last.map(String.init))
        let folder = URL(fileURLWithPath: try TapSimProgram.file("marker", "")).deletingLastPathComponent().path
        let newer = try Data(contentsOf: URL(fileURLWithPath: real)) + Data("secure_getenv\0".utf8)
        try newer.write(to: URL(fileURLWithPath: "\(folder)/libpcsclite.so.1"))
        let (outcome, future) = try doctor(["/usr/bin/chage"], environment: ["LD_LIBRARY_PATH": folder])
        #expect(outcome.exitCode == 3)
        #expect(future.contains { $0["found"]?.text?.contains("libpcsclite ignores the variable") == true })
    }

    @Test(arguments: 0..<12)
    func `accepts any file as a client`(number: Int) throws {
        var random = TestRandom("a client \(number)")
        var bytes = random.bytes(600)
        let isWide = number % 2 == 1
        bytes.replaceSubrange(0..<6, with: [0x7F, 0x45, 0x4C, 0x46, isWide ? 2 : 1, 1])
        if number < 8 {
            // A readable segment table with arbitrary contents: its offset and its entry size.
            bytes.replaceSubrange(
                isWide ? 0x20..<0x28 : 0x1C..<0x20, with: [64] + Array(repeating: 0, count: isWide ? 7 : 3))
            bytes.replaceSubrange(isWide ? 0x36..<0x3A : 0x2A..<0x2E, with: [isWide ? 56 : 32, 0, 4, 0])
            for entry in 0..<4 {
                bytes.replaceSubrange(
                    64 + entry * (isWide ? 56 : 32)..<68 + entry * (isWide ? 56 : 32),
                    with: [UInt8(1 + entry % 2), 0, 0, 0])
            }
        }
        let file = try TapSimProgram.file("client", "")
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        #expect(client([file]).0 == 0, "seed \(TestSeed.value), file \(number)")
    }
}
