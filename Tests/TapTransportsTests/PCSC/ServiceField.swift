import TapTransports
import TapHost
import TapField
import TapReaders

/// A PC/SC service for a field with an NTAG215 and a FeliCa card, both away at first.
final class ServiceField {
    let host: FieldHost
    let transport: PCSCTransport
    let log = ReaderLog()

    /// Opens the transport.
    ///
    /// - Parameters:
    ///   - readers: The number of readers.
    ///   - card: The card in the field.
    ///   - pace: The time at which answers are sent; a reader that delays answers needs the pace of the card.
    ///   - observer: An observer of all events.
    ///   - meanwhile: An action that takes place during a command.
    ///   - place: The location of the socket.
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

    /// Taps a card on the readers.
    func tap(_ card: String) { host.perform { $0.tap(card) } }

    /// Removes a card.
    func remove(_ card: String) { host.perform { $0.remove(card) } }
}
