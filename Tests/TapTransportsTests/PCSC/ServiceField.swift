import TapTransports
import TapHost
import TapField
import TapReaders

/// A field with an NTAG215 and a FeliCa card, both away at first, behind a PC/SC service.
final class ServiceField {
    let host: FieldHost
    let transport: PCSCTransport
    let log = ReaderLog()

    /// Opens the transport.
    ///
    /// - Parameters:
    ///   - readers: How many readers there are.
    ///   - card: What lies in the field.
    ///   - pace: When answers go out; a reader that does not answer at once needs that of the card.
    ///   - observer: Told of every event.
    ///   - meanwhile: What happens while a command is on its way.
    ///   - place: Where the socket is.
    init(
        readers: Int = 1, card: String? = "ntag", pace: FieldHost.Pace = .atOnce,
        observer: (any TraceObserver)? = nil, meanwhile: @escaping @Sendable () -> Void = {},
        at place: PCSCTransport.Place = .ownFolder
    ) throws {
        var world = try World.withTwoCards()
        world.trace = Trace(observer: observer)
        host = FieldHost(world, pace: pace)
        if let card { host.perform { $0.tap(card) } }
        var reader = LoggedReader(log: log)
        reader.meanwhile = meanwhile
        transport = try PCSCTransport(host: host, readers: (0..<readers).map { _ in reader }, at: place)
    }

    deinit {
        transport.close()
        host.close()
    }

    /// Puts a card before the readers.
    func tap(_ card: String) { host.perform { $0.tap(card) } }

    /// Takes a card away.
    func remove(_ card: String) { host.perform { $0.remove(card) } }
}
