import Foundation
import TapDocument
import Testing

/// Reports about a program whose reader refuses its commands.
@Suite struct `A program with commands for another reader` {
    /// A client that connects, sends APDUs and an escape command, and prints status words.
    private static func client() throws -> [String] {
        let script = """
            import sys
            from smartcard.System import readers
            connection = readers()[0].createConnection()
            try:
                connection.connect()
                for apdu in sys.argv[1:]:
                    data, sw1, sw2 = connection.transmit(list(bytes.fromhex(apdu)))
                    print("%02X%02X" % (sw1, sw2))
                connection.control(0x42000001, [0xFF, 0x00, 0x48, 0x00, 0x00])
            except Exception as error:
                sys.exit("error: %s" % error)
            """
        return [TapSimProgram.python, try TapSimProgram.file("client.py", script), "FFA40001020F09", "FFB0000000"]
    }

    @Test func `fails unless it may read nothing, and gets a hint about the right model`() throws {
        let outcome = try TapSim.run(["run", "--card", "suica", "--"] + Self.client())
        #expect(outcome.exitCode == 1, "\(outcome.output)\(outcome.error)")
        #expect(outcome.output.contains("expected an answer from a card, got none: the client read nothing"))
        #expect(
            outcome.output.contains(
                "FF A4 is Sony's: try `--model rc-s380`. If that is intended, add `--allow-no-read`."))
        let allowed = try TapSim.run(["run", "--card", "suica", "--allow-no-read", "--"] + Self.client())
        #expect(allowed.exitCode == 0 && allowed.output.contains("0 reads"), "\(allowed.output)")
        let fitting = try TapSim.run(["run", "--card", "suica", "--model", "rc-s380", "--"] + Self.client())
        #expect(fitting.output.contains("1 read") && !fitting.output.contains("warning"), "\(fitting.output)")
    }

    @Test func `shows refused commands in order, as text and as JSON`() throws {
        let words = try TapSim.run(
            ["run", "-v", "--card", "suica", "--allow-no-read", "--"] + Self.client()
        ).output
        let shown = words.split(separator: "\n").compactMap { line in
            line.range(of: #"[><]    (APDU|escape|6[D7]00).*"#, options: .regularExpression).map { String(line[$0]) }
        }
        #expect(
            shown == [
                ">    APDU FF A4 00 01 02 0F 09", "<    6D00   refused", ">    APDU FF B0 00 00 00",
                "<    6700   refused", ">    escape FF 00 48 00 00", "<    6D00   refused",
            ])
        let outcome = try TapSim.run(["run", "--json", "--card", "suica", "--"] + Self.client())
        let test = try #require(outcome.json?["scenarios"]?[0]?["cases"]?[0])
        #expect(test["passed"]?.text == "false")
        #expect(test["failures"]?[0]?["got"]?.text == "none: the client read nothing")
        #expect(test["reproduce"]?.text?.contains("--allow-no-read") == false)
        #expect(test["calls"]?.items.map { $0["hex"]?.text } == ["FFA40001020F09", "FFB0000000", "FF00480000"])
        #expect(test["calls"]?.items.map { $0["layer"]?.text } == ["apdu", "apdu", "control"])
        #expect(test["calls"]?.items.allSatisfy { $0["refused"]?.text == "true" } == true)
        #expect(test["exchanges"]?.items.last?["number"]?.text == test["calls"]?[0]?["after"]?.text)
    }

    @Test func `fails if the file expects a result, with the refused commands in the table`() throws {
        let words = try Self.client().map { "\"\($0)\"" }.joined(separator: ", ")
        let scenario = try TapSimProgram.file(
            "refused.yaml",
            "format: 1\ncards: {suica: {template: suica}}\nclient: {run: [\(words)]}\nexpect: {result: {/balance: 0}}\n"
        )
        let outcome = try TapSim.run(["run", scenario, "--allow-client"])
        #expect(outcome.exitCode == 1, "\(outcome.output)\(outcome.error)")
        #expect(outcome.output.contains("its result from a card, got a client that read nothing"), "\(outcome.output)")
        #expect(outcome.output.contains("          FF A4 is Sony's: try `--model rc-s380`\n"))
        let rows = outcome.output.split(separator: "\n").map { $0.drop { " .0123456789".contains($0) } }
        #expect(rows.contains(">    APDU FF A4 00 01 02 0F 09") && rows.contains("<    6D00   refused"))
    }

    @Test func `is rejected by fuzz, which could find nothing`() throws {
        let outcome = try TapSim.run(["fuzz", "--card", "suica", "--only", "rf.silence", "--"] + Self.client())
        #expect(outcome.exitCode == 5, "\(outcome.output)\(outcome.error)")
        #expect(outcome.error.contains("a client that read nothing, even without faults"), "\(outcome.error)")
    }

    @Test func `may read nothing by option only with cards of the command line`() throws {
        let file = "Scenarios/cards/suica.yaml"
        let outcome = try TapSim.run(["run", file, "--allow-no-read", "--"] + Self.client())
        #expect(outcome.exitCode == 2 && outcome.error.contains("state `counts` or `never`"), "\(outcome.error)")
    }

    @Test func `appears in the journal of served cards`() throws {
        let cards = try ServedCards(["--card", "suica"])
        let client = try Self.client()
        let outcome = try TapSimProgram.run(
            Array(client.dropFirst()), environment: cards.environment, program: client[0])
        #expect(outcome.exitCode == 0, "\(outcome.error)")
        #expect(try cards.ctl("journal").output.contains("APDU FF A4 00 01 02 0F 09"))
        #expect(try cards.json("journal", "--last", "1")["calls"]?[0]?["hex"]?.text == "FF00480000")
    }
}
