import TapDoors
import Testing

/// A program of `Tests/Clients`, which is careful or makes one of its mistakes, with the scenario it is made for.
struct ZooProgram: Sendable, CustomTestStringConvertible {
    /// Its name, that of its source without an ending.
    let name: String
    /// Name of the scenario in `Tests/Clients/zoo`.
    let scenario: String
    /// Arguments behind the mistake: first the IDm or UID of the card to be read.
    var arguments = ["0112010101010101"]
    /// The mistakes it can make.
    let mistakes: [ZooMistake]

    var testDescription: String { "\(name) on \(scenario)" }

    /// What the one is called that makes no mistake.
    static let careful = "careful"

    /// Path of the scenario from the top of the checkout.
    var scenarioPath: String { "Tests/Clients/zoo/\(scenario).yaml" }

    /// The command line for a mistake.
    func command(_ mistake: String) throws -> [String] {
        let start: [String]
        if name == "ZooClient" {
            start = [TapSimProgram.beside("ZooClient")]
        } else if ["tag_zoo", "transit_zoo", "message_zoo"].contains(name) {
            start = [TapSimProgram.python, "-s", "Tests/Clients/zoo/\(name).py"]
        } else {
            start = ["\(try Self.folder.get())/\(name)"]
        }
        return start + [mistake] + arguments
    }

    /// Where the programs in C are, compiled once; what is put where it has no room ends them at once.
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
