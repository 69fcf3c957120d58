import TapTransports
import TapHost
import TapField
import TapPCSC
import TapReaders
import TestSupport
import Testing

/// A field whose readers are available through a PC/SC service, and the library bound to it.
final class ServedField {
    /// The service that the library uses.
    enum Service: CaseIterable {
        /// The private service.
        case own
        /// The installed pcscd, with a card in the slot of its vpcd driver.
        case pcscd
    }

    let host: FieldHost
    let library: PCSCLibrary
    private let transport: any Transport
    private let pcscd: PrivatePCSCD?

    /// A field with the private service.
    init(_ world: World, readers: [any PCSCReader]) throws {
        host = FieldHost(world)
        let transport = try PCSCTransport(host: host, readers: readers)
        self.transport = transport
        pcscd = nil
        library = try PrivatePCSCLibrary.open(socket: try #require(transport.environment.first).value)
    }

    /// A field with the installed pcscd, which has one reader.
    private init(_ world: World, inSlotOf reader: some PCSCReader) throws {
        var world = world
        world.followMeasuredClock()
        host = FieldHost(world)
        let pcscd = try PrivatePCSCD(readers: [reader.name])
        self.pcscd = pcscd
        transport = try VpcdTransport(ReaderSlot(reader, on: host), on: host, port: pcscd.readers[0].port)
        library = try PrivatePCSCLibrary.open(socket: pcscd.socket)
    }

    /// A field with a procedure's card on one storage-card reader.
    static func make(_ procedure: Procedure, over service: Service = .own) throws -> ServedField {
        let (world, reader) = (try procedure.world(), StorageCardReader())
        return switch service {
        case .own: try ServedField(world, readers: [reader])
        case .pcscd: try ServedField(world, inSlotOf: reader)
        }
    }

    /// The name of the first reader as clients see it.
    var readerName: String { "\(StorageCardReader.defaultName) 00 00" }

    /// A link to the first reader.
    func link() throws -> PCSCLink { try PCSCLink.open(readerName, library) }

    /// A context of the service, once it shows the card if there is one.
    func context() throws -> PCSCContext {
        let context = try PCSCContext(library)
        var readers = [ReaderStatus(name: readerName)]
        let isInField = host.perform { $0.cards.contains(where: \.isPresent) }
        while readers[0].hasCard != isInField || readers[0].flags.isEmpty {
            guard try context.awaitChange(of: &readers, timeout: Self.hangLimit) else { throw NoCard() }
        }
        return context
    }

    /// The error for a service that does not show the card in the field.
    struct NoCard: Error {}

    /// A limit longer than any operation here.
    static let hangLimit = Duration.seconds(20)

    /// Removes the first reader from the private service.
    func unplug() { (transport as? PCSCTransport)?.unplug(0) }

    /// Ends the service.
    func end() { transport.close() }

    deinit {
        transport.close()
        host.close()
    }
}
