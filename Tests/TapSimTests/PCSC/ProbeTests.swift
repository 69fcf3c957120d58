import Foundation
import TapDocument
import TapSystem
import TestSupport
import Testing

/// `tapsim record --probe` with virtual cards instead of real ones, and the comparison of the engine with them.
///
/// Some tests start `tapsim`, because libpcsclite reads its variable only once per process.
@Suite struct `Probing cards` {
    private let folder: String

    init() throws { folder = try TestFolder.make().path }

    private func probe(_ name: String, _ options: [String], at socket: String? = nil) throws -> CommandOutcome {
        let words = ["record", "--probe", "\(folder)/\(name).yaml", "--trace", "\(folder)/\(name).jsonl"] + options
        // libpcsclite reads its variable only once per process.
        return try socket.map { try TapSimProgram.run(words, environment: ["PCSCLITE_CSOCK_NAME": $0]) }
            ?? TapSim.run(words)
    }

    private func card(_ name: String) -> String { "\(folder)/\(name).yaml" }
    private func trace(_ name: String) -> String { "\(folder)/\(name).jsonl" }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func compare(_ real: String, _ engine: String, _ known: String) throws -> CommandOutcome {
        let list = "\(folder)/known.yaml"
        try known.write(toFile: list, atomically: true, encoding: .utf8)
        return try TapSim.run(["trace", "diff", trace(real), trace(engine), "--known", list])
    }

    /// Probes a card in the slot of the installed pcscd, then the engine with the resulting card file.
    @Test(arguments: ["suica:balance=3120,trips=20", "ndef", "NTAG216:preset=protected", "felica-lite"])
    func `a card behind pcscd answers like the card file written for it`(subject: String) throws {
        let daemon = try PrivatePCSCD(readers: ["Virtual"])
        let reader = try #require(daemon.readers.first)
        let served = try ServedCards(["--model", "acr122u", "--transport", "vpcd:\(reader.port)", "--card", subject])
        let real = try probe("real", ["--reader", reader.name], at: daemon.socket)
        _ = served.stop()
        #expect(real.exitCode == 0, "\(real.output)\(real.error)")
        #expect(real.output.contains("wrote \(card("real")): "), "\(real.output)")
        let engine = try probe("engine", ["--card", card("real")])
        #expect(engine.exitCode == 0, "\(engine.output)\(engine.error)")
        let difference = try compare("real", "engine", "[]")
        #expect(difference.exitCode == 0, "\(difference.output)\(difference.error)")
        #expect(difference.output.contains("0 new, 0 known"), "\(difference.output)")
        let shown = try TapSim.run(["card", "show", card("real")])
        #expect(shown.exitCode == 0, "\(shown.error)")
        let run = try TapSim.run(["run", card("real")])
        // The client does not know the password.
        #expect(run.exitCode == (subject.contains("protected") ? 1 : 0), "\(run.output)\(run.error)")
    }

    @Test func `a real card with another IC differs, and a list of known differences covers exactly that`() throws {
        let daemon = try PrivatePCSCD(readers: ["Virtual"])
        let reader = try #require(daemon.readers.first)
        let subject = "suica:ic=RC-S962,idm=01 12 03 04 05 06 07 08,trips=3"
        let served = try ServedCards(
            ["--model", "acr122u", "--transport", "vpcd:\(reader.port)", "--card", subject + ",quirks.maxReadBlocks=8"])
        let real = try probe("real", ["--reader", reader.name], at: daemon.socket)
        _ = served.stop()
        #expect(real.exitCode == 0, "\(real.output)\(real.error)")
        let engine = try probe("engine", ["--card", subject])
        #expect(engine.exitCode == 0, "\(engine.output)\(engine.error)")
        let bare = try compare("real", "engine", "[]")
        #expect(bare.exitCode == 1, "\(bare.output)\(bare.error)")
        // A difference is printed as the list entry that would cover it.
        let entries = bare.output.split(separator: "\n").filter { $0.hasPrefix("  - ") || $0.hasPrefix("    ") }
            .map { line in line.hasSuffix("because: ") ? "\(line)it takes eight blocks" : String(line) }
        let known = try compare("real", "engine", entries.joined(separator: "\n"))
        #expect(known.exitCode == 0, "\(known.output)\(known.error)")
        let rest = entries.dropFirst(4)
        let fewer = try compare("real", "engine", rest.isEmpty ? "[]" : rest.joined(separator: "\n"))
        #expect(fewer.exitCode == 1, "\(fewer.output)\(fewer.error)")
        #expect(fewer.output.contains("1 new, "), "\(fewer.output)")
        let other = entries.joined(separator: "\n").replacing("real: ", with: "real: 00 ")
        let changed = try compare("real", "engine", other)
        #expect(changed.exitCode == 1)
        #expect(changed.output.contains("no longer: "), "\(changed.output)")
    }

    @Test func `a missing card or an ambiguous reader causes a hint`() throws {
        let daemon = try PrivatePCSCD(readers: ["One", "Two"])
        let several = try probe("none", [], at: daemon.socket)
        #expect(several.exitCode == 3, "\(several.error)")
        for reader in daemon.readers { #expect(several.error.contains(reader.name), "\(several.error)") }
        let both = try probe("none", ["--card", "suica", "--reader", "One"])
        #expect(both.exitCode == 2)
        #expect(!FileManager.default.fileExists(atPath: card("none")))
    }

    @Test func `an existing file is not replaced without --force`() throws {
        try "kept".write(toFile: card("there"), atomically: true, encoding: .utf8)
        let refused = try probe("there", ["--card", "suica"])
        #expect(refused.exitCode == 2 && refused.error.contains("--force"), "\(refused.error)")
        #expect(try text(card("there")) == "kept")
        let replaced = try probe("there", ["--card", "suica", "--force"])
        #expect(replaced.exitCode == 0, "\(replaced.error)")
    }

    @Test(arguments: [
        ("asked: 00", "expected a list of known differences"),
        ("- 00", "expected a map with asked, real, engine and because"),
        ("- {asked: 00, real: 01, engine: silence}", "`because` is missing"),
        ("- {asked: 00, real: 01, engine: silence, because: x, why: y}", "no key `why`"),
    ])
    func `an invalid list of known differences is rejected with the position`(list: String, reason: String) throws {
        let probed = try probe("real", ["--card", "NTAG213"])
        #expect(probed.exitCode == 0, "\(probed.error)")
        let refused = try compare("real", "real", list)
        #expect(refused.exitCode == 2 && refused.error.contains(reason), "\(refused.error)")
        #expect(refused.error.contains("known.yaml"), "\(refused.error)")
    }
}
