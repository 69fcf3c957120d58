import Foundation
import Testing

/// `tapsim fmt`: files, folders and standard input.
@Suite struct `Formatting scenario files` {
    static let loose = "title: a # t\nformat: 1\ncards: {t: {ic: NTAG215, uid: 04A1B2C3D4E580}}\n"
    static let neat = "format: 1\ntitle: a  # t\ncards: {t: {ic: NTAG215, uid: \"04 A1 B2 C3 D4 E5 80\"}}\n"

    @Test func `replaces and lists a file only if it changes`() throws {
        let path = try TapSimProgram.file("a.yaml", Self.loose)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let link = "\(path).link.yaml"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let outcome = try TapSim.run(["fmt", link])
        #expect(outcome.exitCode == 0)
        #expect(outcome.output == "\(link)\n")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.neat)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["a.yaml", "a.yaml.link.yaml"])
        #expect(try TapSim.run(["fmt", path]).output.isEmpty)
    }

    @Test func `with --check only lists files`() throws {
        let path = try TapSimProgram.file("a.yaml", Self.loose)
        let outcome = try TapSim.run(["fmt", "--check", path])
        #expect(outcome.exitCode == 1)
        #expect(outcome.output == "\(path)\n")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.loose)
        let clean = try TapSimProgram.file("b.yaml", Self.neat)
        #expect(try TapSim.run(["fmt", "--check", clean]).exitCode == 0)
    }

    static let streams: [([String], String, String, Int32)] = [
        ([], loose, neat, 0), (["--check"], loose, "-\n", 1), (["--check"], neat, "", 0),
        ([], "\u{FEFF}\(neat)", neat, 0), (["--check"], "\u{FEFF}\(neat)", "-\n", 1),
        ([], loose.replacing("\n", with: "\r\n"), neat.replacing("\n", with: "\r\n"), 0),
    ]

    @Test(arguments: streams)
    func `reads standard input and writes standard output`(
        options: [String], input: String, output: String, code: Int32
    ) throws {
        let outcome = try TapSim.run(["fmt"] + options + ["-"], input: input)
        #expect(outcome.exitCode == code)
        #expect(outcome.output == output)
    }

    @Test func `skips a file with errors and continues`() throws {
        let wrong = try TapSimProgram.file("a.yaml", "format: 1\ncards: {t: {ic: NTAG215, uid: \"04\"}}\n")
        let loose = try TapSimProgram.file("b.yaml", Self.loose)
        let outcome = try TapSim.run(["fmt", wrong, "no/such.yaml", loose])
        #expect(outcome.exitCode == 2)
        #expect(outcome.output == "\(loose)\n")
        #expect(outcome.error.contains("expected 7 bytes"))
        #expect(outcome.error.contains("there is no file no/such.yaml"))
        #expect(outcome.error.hasSuffix("2 files left unchanged\n"))
        #expect(try String(contentsOfFile: wrong, encoding: .utf8).hasSuffix("\"04\"}}\n"))
    }

    @Test(arguments: [
        ([], "name the files to rewrite"), (["-", "a.yaml"], "`-` cannot be combined with files"),
        (["a.json"], "a.json is JSON"),
    ])
    func `rejects what it cannot format`(operands: [String], sentence: String) throws {
        let outcome = try TapSim.run(["fmt"] + operands)
        #expect(outcome.exitCode == 2)
        #expect(outcome.error.contains(sentence), "\(outcome.error)")
    }
}
