import TapSystem
import TapField
import TapPCSC
import TapReaders
import TapReading
import TapWire

/// A link to cards that records its traffic.
///
/// A PC/SC reader selects type A cards invisibly; the trace contains a note instead.
struct ObservedLink<Base: TagLink>: WorldLink {
    private(set) var world: World
    private var base: Base
    private let clock: (Base) -> Duration
    /// Returns whether the run should end before its next exchange.
    var isOver: (@Sendable () -> Bool)?

    /// - Parameter world: A world without cards, with the trace and the exchange limit of the run.
    init(_ base: Base, into world: World) {
        let started = ContinuousClock.now
        self.init(base, into: world) { _ in ContinuousClock.now - started }
    }

    /// - Parameter clock: Returns the time since the beginning.
    init(_ base: Base, into world: World, clock: @escaping (Base) -> Duration) {
        self.base = base
        self.world = world
        self.clock = clock
    }

    var limits: LinkLimits { base.limits }

    mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag? {
        try checkEnd()
        let begin = elapsed
        let tag = try await base.activate(target, timeout: timeout)
        world.takeDown(target, found: tag, from: begin, to: elapsed)
        return tag
    }

    mutating func transceive(_ frame: RFFrame, timeout: Duration) async throws(LinkError) -> RFFrame? {
        try checkEnd()
        let begin = elapsed
        let answer = try await base.transceive(frame, timeout: timeout)
        world.takeDown(frame, answer: answer, from: begin, to: elapsed)
        return answer
    }

    private func checkEnd() throws(LinkError) {
        try world.checkLimits()
        if isOver?() == true { throw LinkError(.limitReached, "a signal ended it") }
    }

    private var elapsed: Duration { clock(base) }
}

/// A link to virtual cards that can let card time pass as real time.
struct PacedLink<Base: WorldLink>: WorldLink {
    private var base: Base
    private let isPaced: Bool
    private let started = ContinuousClock.now

    init(_ base: Base, isPaced: Bool) {
        self.base = base
        self.isPaced = isPaced
    }

    var limits: LinkLimits { base.limits }
    var world: World { base.world }

    mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag? {
        let tag = try await base.activate(target, timeout: timeout)
        catchUp()
        return tag
    }

    mutating func transceive(_ frame: RFFrame, timeout: Duration) async throws(LinkError) -> RFFrame? {
        let answer = try await base.transceive(frame, timeout: timeout)
        catchUp()
        return answer
    }

    private func catchUp() {
        if isPaced { BlockingThread.sleep(until: started + base.world.now) }
    }
}

/// A link through a reader model in this process, in that reader's dialect.
struct ModelLink: WorldLink {
    private let channel: ModelChannel
    private var base: PCSCLink

    init(_ reader: any PCSCReader, in world: World) {
        channel = ModelChannel(reader, in: world)
        base = PCSCLink(channel)
    }

    var world: World { channel.world }
    var limits: LinkLimits { base.limits }

    mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag? {
        try await base.activate(target, timeout: timeout)
    }

    mutating func transceive(_ frame: RFFrame, timeout: Duration) async throws(LinkError) -> RFFrame? {
        try await base.transceive(frame, timeout: timeout)
    }
}

/// The slot of a reader model in this process, as PC/SC would show it; waiting for a card lets card time pass.
final class ModelChannel: CardChannel {
    private(set) var world: World
    private var reader: any PCSCReader
    /// The model in its state when plugged in.
    private let model: any PCSCReader
    private var wasPlugged = true
    private var card: SlotCard?
    private var seen: Int?

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

    /// Replaces the model if the reader was unplugged in the meantime.
    private func followPlug() {
        let isPlugged = world.readers[world.reader].isPlugged
        if isPlugged, !wasPlugged { reader = model }
        if !isPlugged { card = nil }
        wasPlugged = isPlugged
    }
}
