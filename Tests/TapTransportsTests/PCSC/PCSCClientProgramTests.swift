import TapTransports
import TapHost
import TapSystem
import TapField
import Testing

/// Programs that are linked against the system's library and do not know TapSim.
@Suite struct `Programs with the library of pcsc-lite` {
    private func run(_ arguments: [String], input: String = "", card: String? = "felica") throws -> String {
        let host = FieldHost(try World.withTwoCards())
        let transport = try PCSCTransport(host: host, readers: [ScriptedReader()])
        defer {
            transport.close()
            host.close()
        }
        if let card { host.perform { $0.tap(card) } }
        let variable = try #require(transport.environment.first)
        let outcome = try ClientProcess.run(
            ClientCommand(arguments, environment: [variable.name: variable.value], input: Array(input.utf8)),
            limits: ClientLimits(wall: .seconds(60)))
        #expect(transport.wasUsed)
        return outcome.standardOutput.text
    }

    @Test func `pcsc_scan lists reader and card`() throws {
        let text = try run(["pcsc_scan", "-n", "-c"])
        #expect(text.contains("TapSim Test Reader 00 00"))
        #expect(text.contains("Card inserted"))
        #expect(text.contains("3B 8F 80 01 80 4F 0C A0 00 00 03 06 11 00 3B 00 00 00 00 42"))
    }

    @Test func `pcsc_scan lists an empty reader`() throws {
        #expect(try run(["pcsc_scan", "-n", "-c"], card: nil).contains("Card removed"))
    }

    @Test func `scriptor sends commands and prints the answers`() throws {
        let text = try run(["scriptor"], input: "FF CA 00 00 00\nFF E0 00 04\n")
        #expect(text.contains("01 90 00"))
        #expect(text.contains("00 01 02 03 90 00"))
    }
}
