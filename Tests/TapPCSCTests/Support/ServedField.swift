import TapDoors
import TapField
import TapPCSC
import TapReaders
import TestSupport
import Testing

/// A field with readers behind a private PC/SC service, and the library bound to it.
final class ServedField {
    let host: FieldHost
    let door: PCSCDoor
    let library: PCSCLibrary

    init(_ world: World, readers: [any PCSCReader]) throws {
        host = FieldHost(world)
        door = try PCSCDoor(host: host, readers: readers)
        library = try PrivatePCSCLibrary.open(socket: try #require(door.environment).value)
    }

    /// A field with the card of a procedure before one storage-card reader.
    convenience init(_ procedure: Procedure) throws {
        try self.init(try procedure.world(), readers: [StorageCardReader()])
    }

    /// The name of the first reader as clients see it.
    var readerName: String { "\(StorageCardReader.usualName) 00 00" }

    deinit {
        door.close()
        host.close()
    }
}
