import Foundation
import TapCards
import TapTransports
import TapHost
import TapSystem
import TapField
import TapReaders
import TestSupport

/// A field with two cards and a vpcd transport to its own pcscd.
final class VpcdField {
    let pcscd: PrivatePCSCD
    let host: FieldHost
    let transport: VpcdTransport

    /// Starts pcscd and opens the transport; no card is in the field.
    init(
        _ reader: some PCSCReader = ScriptedReader(), tag: NTAGDefinition = SampleTags.t0(), user: String? = nil
    ) throws {
        pcscd = try PrivatePCSCD(readers: [reader.name], user: user)
        host = FieldHost(try World.withTwoCards(tag: tag))
        transport = try VpcdTransport(ReaderSlot(reader, on: host), on: host, port: pcscd.readers[0].port)
    }

    deinit {
        transport.close()
        host.close()
    }

    /// Taps a card on the reader.
    func tap(_ card: String) { host.perform { $0.tap(card) } }

    /// Removes a card.
    func remove(_ card: String) { host.perform { $0.remove(card) } }

    /// Makes PC/SC calls from a ``CallTable`` and returns the results of the calls that begin with a prefix.
    func calls(_ table: String, resultsOf prefix: String) throws -> [String] {
        let lines = try CallTable.run(table, reader: pcscd.readers[0].name, socket: pcscd.socket, host: host)
        return lines.filter { $0.hasPrefix(prefix) }.compactMap { $0.components(separatedBy: " -> ").last }
    }

    /// Runs a client of this pcscd and waits for its end.
    func run(_ arguments: [String], input: String = "") throws -> ClientOutcome {
        let command = ClientCommand(
            arguments, environment: ["PCSCLITE_CSOCK_NAME": pcscd.socket], input: Array(input.utf8))
        return try ClientProcess.run(command, limits: ClientLimits(wall: .seconds(60)))
    }
}
