import TapDocument
import TapSystem
import TestSupport
import Testing

/// TapSim's main promise: a client reads the same from virtual cards in process, from a reader model behind the private PC/SC
/// service, and from a card in the slot of the installed pcscd.
///
/// Some tests start `tapsim`, because a second `tapsim` is the client.
@Suite struct `The same client reads the same` {
    /// A connection from the client, which uses libpcsclite, to the cards of a case.
    struct Way: CustomTestStringConvertible, Sendable {
        let model: String
        let isOverPCSCD: Bool

        var testDescription: String {
            "\(model) \(isOverPCSCD ? "in the slot of pcscd" : "behind the private service")"
        }

        static let all =
            ["storage-card", "acr122u", "rc-s380", "rc-s300"].map { Way(model: $0, isOverPCSCD: false) }
            + ["storage-card", "acr122u"].map { Way(model: $0, isOverPCSCD: true) }
    }

    /// Cases of shipped scenarios that together cover every procedure of the built-in clients, with success and failure.
    static let cases: [(file: String, number: Int)] = [
        ("Scenarios/felica/suica-history.yaml", 1), ("Scenarios/felica/block-limit.yaml", 2),
        ("Scenarios/felica/multi-system.yaml", 1), ("Scenarios/felica/service-missing.yaml", 1),
        ("Scenarios/felica/emoney.yaml", 1), ("Scenarios/felica/emoney.yaml", 2),
        ("Scenarios/felica/emoney.yaml", 3), ("Scenarios/ntag215/ndef.yaml", 1),
        ("Scenarios/ntag215/password-locked.yaml", 1), ("Scenarios/ntag215/password-locked.yaml", 2),
        ("Scenarios/ntag215/password-locked.yaml", 4), ("Scenarios/ntag215/password-locked.yaml", 5),
    ]

    /// The cases that every connection is tested with: a whole FeliCa card, and a tag with a password.
    private static let common: Set = [0, 8]

    /// Returns the indices of the cases for a connection: all with `Tools/test --long`, otherwise the common ones and a share of
    /// the others, so that each case is tested.
    private static func tested(over number: Int) -> [Int] {
        cases.indices.filter { TestScale.isLong || common.contains($0) || $0 % Way.all.count == number }
    }

    @Test(arguments: zip(Way.all, Way.all.indices)) func `over every transport`(way: Way, number: Int) throws {
        let daemon = way.isOverPCSCD ? try PrivatePCSCD(readers: ["Virtual"]) : nil
        let direct = try Self.direct.get()
        for index in Self.tested(over: number) {
            let test = Self.cases[index]
            let linked = try Self.client(over: way, daemon, Self.subject(test))
            #expect(linked == direct[index], "\(test.file) case \(test.number)")
        }
    }

    /// The client's result from virtual cards in process, the same for every connection.
    private static let direct = Result { try cases.map { try client(TapSim.run(subject($0))) } }

    private static func subject(_ test: (file: String, number: Int)) -> [String] {
        ["run", test.file, "--case", "\(test.number)", "--json"]
    }

    /// The result of the built-in client in a second `tapsim`, which treats the virtual reader as a real reader.
    private static func client(over way: Way, _ daemon: PrivatePCSCD?, _ subject: [String]) throws -> Node {
        let reader = daemon?.readers.first
        let transport = reader.map { "vpcd:\($0.port)" } ?? "pcsc"
        let variables = daemon.map { ["PCSCLITE_CSOCK_NAME": $0.socket] } ?? [:]
        let inner = [TapSimProgram.path] + subject + ["--reader", reader?.name ?? " 00 00"]
        let outer = try TapSim.run(
            subject + ["--model", way.model, "--transport", transport, "--"] + inner, environment: variables)
        let report = try client(outer)
        let output = SourceFile(name: "client", text: report["stdout"]?.text ?? "")
        var diagnostics = Diagnostics()
        let node = JSONReader().read(output, into: &diagnostics)
        return try #require(node?["scenarios"]?[0]?["cases"]?[0]?["client"], "\(report)")
    }

    private static func client(_ outcome: CommandOutcome) throws -> Node {
        try #require(outcome.json?["scenarios"]?[0]?["cases"]?[0]?["client"], "\(outcome.output)\n\(outcome.error)")
    }
}
