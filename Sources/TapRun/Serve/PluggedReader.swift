import TapDoors
import TapScenario

/// The reader of a private PC/SC service, which can be unplugged and plugged in again.
final class PluggedReader: Sendable {
    private let door: PCSCDoor
    private let spec: ReaderSpec
    /// The number of the reader at the door, while it is there.
    private let number: Lock<Int?>

    /// Takes the reader that the door was opened with.
    init(_ door: PCSCDoor, _ spec: ReaderSpec) {
        self.door = door
        self.spec = spec
        number = Lock(door.readers.first)
    }

    /// The name by which clients know it; nothing while it is unplugged.
    var name: String? {
        number.withLock { $0 }.flatMap(door.readerName)
    }

    /// How many clients are connected to its service.
    var clientCount: Int { door.clientCount }

    /// Plugs the reader in, as new.
    ///
    /// - Returns: Whether it was away.
    @discardableResult
    func plug() -> Bool {
        number.withLock { number in
            guard number == nil else { return false }
            number = door.plug(spec.makeReader())
            return true
        }
    }

    /// Unplugs the reader.
    ///
    /// - Returns: Whether it was there.
    func unplug() -> Bool {
        number.withLock { number in
            guard let old = number else { return false }
            number = nil
            door.unplug(old)
            return true
        }
    }
}
