import TapField
import TapPCSC
import TapReaders
import TapWire

/// The slot of a reader model in this process, as PC/SC would show it.
///
/// Time is card time: waiting for a card lets the timeline go on to the end of the waiting.
final class ModelChannel: CardChannel {
    private(set) var world: World
    private var reader: any PCSCReader
    /// The model as it is when it is plugged in.
    private let model: any PCSCReader
    private var wasPlugged = true
    private var card: SlotCard?
    private var seen: Int?

    /// Puts a model before the cards of a world.
    init(_ reader: any PCSCReader, in world: World) {
        self.reader = reader
        model = reader
        self.world = world
    }

    var readerName: String { reader.name }

    var atr: [UInt8] { card?.atr ?? [] }

    var clock: Duration { world.now }

    func pause(for duration: Duration) async -> Bool {
        world.advance(by: duration)
        return true
    }

    func awaitCard(timeout: Duration) throws(LinkError) -> Bool {
        try checkLimit()
        guard !hasCard else { return true }
        take(reader.look(in: &world))
        if card == nil {
            world.advance(by: timeout)
            followPlug()
            take(reader.look(in: &world))
        }
        guard card != nil else { return false }
        world.note(ReaderEvent.connected)
        return true
    }

    func transmit(_ apdu: [UInt8]) throws(LinkError) -> [UInt8]? {
        try checkLimit()
        guard hasCard else { return nil }
        guard case .answer(let bytes) = reader.carry(apdu, in: &world) else { return nil }
        return bytes
    }

    func control(_ code: ControlCode, _ data: [UInt8]) throws(LinkError) -> [UInt8]? {
        try checkLimit()
        guard case .answer(let bytes) = reader.carry(code.rawValue, data, in: &world) else { return nil }
        return bytes
    }

    func reset() throws(LinkError) -> Bool {
        try checkLimit()
        guard hasCard else { return false }
        take(reader.reset(in: &world))
        return card != nil
    }

    func close() {
        reader.powerDown(in: &world)
        if card != nil { world.note(ReaderEvent.disconnected) }
        card = nil
    }

    /// Whether the card connected to is still there; the reader looks when cards have come or gone.
    var hasCard: Bool {
        guard let before = card else { return false }
        if seen != world.presenceCount {
            take(reader.look(in: &world))
            if card?.card != before.card || card?.visit != before.visit { card = nil }
        }
        return card != nil
    }

    private func take(_ content: SlotContent) {
        seen = world.presenceCount
        if case .card(let found) = content { card = found } else { card = nil }
    }

    private func checkLimit() throws(LinkError) {
        guard !world.isExhausted else { throw .exchangeLimit(world.exchangeLimit) }
        if let limit = world.stuckAfter { throw .retryLimit(limit) }
        followPlug()
    }

    /// Takes the model anew where the reader was unplugged meanwhile.
    private func followPlug() {
        let isPlugged = world.readers[world.reader].isPlugged
        if isPlugged, !wasPlugged { reader = model }
        if !isPlugged { card = nil }
        wasPlugged = isPlugged
    }
}
