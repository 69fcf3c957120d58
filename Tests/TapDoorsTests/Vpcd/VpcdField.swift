import TapCards
import TapDoors
import TapField
import TapReaders
import TestSupport

/// A field with an NTAG215 and a FeliCa card, behind the vpcd door of a pcscd of its own.
final class VpcdField {
    let pcscd: PrivatePCSCD
    let host: FieldHost
    let door: VpcdDoor

    /// Starts pcscd and opens the door; no card lies in the field.
    init(_ reader: some PCSCReader = ScriptedReader(), user: String? = nil) throws {
        pcscd = try PrivatePCSCD(readers: [reader.name], user: user)
        host = FieldHost(try World.withTwoCards())
        door = try VpcdDoor(ReaderSlot(reader, on: host), on: host, port: pcscd.readers[0].port)
    }

    deinit {
        door.close()
        host.close()
    }

    /// Puts a card before the reader.
    func tap(_ card: String) { host.perform { $0.tap(card) } }

    /// Takes a card away.
    func remove(_ card: String) { host.perform { $0.remove(card) } }

    /// Runs a client of this pcscd to its end.
    func run(_ arguments: [String], input: String = "") throws -> ClientOutcome {
        let command = ClientCommand(
            arguments, environment: ["PCSCLITE_CSOCK_NAME": pcscd.socket], input: Array(input.utf8))
        return try ClientProcess.run(command, limits: ClientLimits(wall: .seconds(60)))
    }
}

extension World {
    /// A world with the cards `ntag` and `felica`, away from the reader, whose timeline follows the clock.
    static func withTwoCards() throws -> World {
        var world = World(seed: 1)
        world.followMeasuredClock()
        world.add(NTAGCard(SampleTags.t0()), named: "ntag")
        world.add(try CardS.card(), named: "felica")
        return world
    }
}
