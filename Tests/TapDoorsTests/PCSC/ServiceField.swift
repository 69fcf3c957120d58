import TapDoors
import TapField
import TapReaders

/// A field with an NTAG215 and a FeliCa card, both away at first, behind a PC/SC service.
final class ServiceField {
    let host: FieldHost
    let door: PCSCDoor
    let log = ReaderLog()

    /// Opens the door.
    ///
    /// - Parameters:
    ///   - readers: How many readers there are.
    ///   - card: What lies in the field.
    ///   - meanwhile: What happens while a command is on its way.
    ///   - place: Where the socket is.
    init(
        readers: Int = 1, card: String? = "ntag", meanwhile: @escaping @Sendable () -> Void = {},
        at place: PCSCDoor.Place = .ownFolder
    ) throws {
        host = FieldHost(try World.withTwoCards())
        if let card { host.perform { $0.tap(card) } }
        var reader = LoggedReader(log: log)
        reader.meanwhile = meanwhile
        door = try PCSCDoor(host: host, readers: (0..<readers).map { _ in reader }, at: place)
    }

    deinit {
        door.close()
        host.close()
    }

    /// Puts a card before the readers.
    func tap(_ card: String) { host.perform { $0.tap(card) } }

    /// Takes a card away.
    func remove(_ card: String) { host.perform { $0.remove(card) } }
}
