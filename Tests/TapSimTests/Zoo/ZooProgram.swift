import TapDoors
import Testing

/// A program of `Tests/Clients/zoo`, which is careful or makes one of its mistakes, with the scenario it is made for.
struct ZooProgram: Sendable, CustomTestStringConvertible {
    /// Its name, that of its source without an ending.
    let name: String
    /// Name of the scenario beside the sources.
    let scenario: String
    /// The mistakes it can make.
    let mistakes: [String]
    /// Arguments behind the mistake: first the IDm or UID of the card to be read.
    var arguments: [String] = [feliCa]

    var testDescription: String { "\(name) on \(scenario)" }

    /// What all of them are called that make no mistake.
    static let careful = "careful"

    private static let feliCa = "0112010101010101"
    private static let uid = "04A1B2C3D4E580"

    /// Path of the scenario from the top of the checkout.
    var scenarioPath: String { "Tests/Clients/zoo/\(scenario).yaml" }

    /// The command line for a mistake.
    func command(_ mistake: String) throws -> [String] {
        let start: [String]
        if name == "ZooClient" {
            start = [TapSimProgram.beside("ZooClient")]
        } else if ["tag_zoo", "transit_zoo"].contains(name) {
            start = [TapSimProgram.python, "-s", "Tests/Clients/zoo/\(name).py"]
        } else {
            start = ["\(try Self.folder.get())/\(name)"]
        }
        return start + [mistake] + arguments
    }

    static let felica = ZooProgram(
        name: "felica_zoo", scenario: "felica",
        mistakes: [
            "trusts-length", "trusts-count", "ignores-status", "ignores-idm", "ignores-response-code",
            "stops-silently", "mixes-cards", "accepts-short", "retries-for-ever",
            "waits-for-ever", "ignores-return-code",
        ])
    static let newerFelica = ZooProgram(name: "felica_zoo", scenario: "felica-15", mistakes: ["asks-for-15"])
    static let services = ZooProgram(
        name: "services_zoo", scenario: "services",
        mistakes: ["endless-search", "ends-on-silence", "missing-as-version"])
    static let ntag = ZooProgram(
        name: "ntag_zoo", scenario: "ntag",
        mistakes: [
            "nak-as-data", "no-reactivation", "ignores-crc", "ignores-cc", "trusts-tlv", "trusts-record", "reads-once",
        ], arguments: [uid])
    static let writer = ZooProgram(
        name: "ntag_write_zoo", scenario: "ntag-write",
        mistakes: [
            "length-first", "blind-retry", "no-ack-check", "guesses-passwords", "ignores-pack", "formats-unasked",
            "protects-unasked",
        ], arguments: [uid, "https://a.io/new", "DEADBEEF", "C0DE"])
    static let tag = ZooProgram(
        name: "tag_zoo", scenario: "tag",
        mistakes: [
            "leaves-transaction", "leaks-context", "ignores-sw", "expects-length", "keeps-handle", "spins-on-removal",
        ], arguments: [uid])
    static let transit = ZooProgram(
        name: "transit_zoo", scenario: "transit", mistakes: ["impossible-date", "swallows-errors", "expects-trips"])
    static let swift = ZooProgram(
        name: "ZooClient", scenario: "transit",
        mistakes: ["slices-answer", "unwraps-answer", "subtracts-balances", "knows-every-kind", "tries-optionally"])

    static let all = [felica, newerFelica, services, ntag, writer, tag, transit, swift]

    /// Where the programs in C are, compiled once; a buffer that is overrun ends them at once, as it would by a sanitizer.
    private static let folder = Result<String, any Error> {
        let file = try TapSimProgram.file("zoo", "")
        let folder = String(file.dropLast("/zoo".count))
        let flags = "-std=gnu11 -O1 -Wall -Wextra -Werror -D_FORTIFY_SOURCE=3 -fstack-protector-all"
        let sources = [
            ("felica_zoo", "felica.c"), ("services_zoo", "felica.c"), ("ntag_zoo", "ntag.c ndef.c"),
            ("ntag_write_zoo", "ntag.c ndef.c"),
        ]
        let lines = sources.map { "cc \(flags) -o \"$0/\($0.0)\" \($0.0).c \($0.1) reader.c $pcsc" }
        let script = (["cd Tests/Clients/zoo", "pcsc=$(pkg-config --cflags --libs libpcsclite)"] + lines)
            .joined(separator: " && ")
        let outcome = try TapSimProgram.run(["-c", script, folder], program: "/bin/sh")
        try #require(outcome.exitCode == 0, "\(outcome.error)")
        return folder
    }
}
