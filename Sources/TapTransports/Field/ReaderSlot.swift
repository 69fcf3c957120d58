import TapHost
import TapSystem
import TapField
import TapReaders

/// A PC/SC reader model in the field of a host, for the threads of a transport.
///
/// It serves one call at a time, on any thread; ``onChange`` is called without a lock held.
public final class ReaderSlot: Sendable {
    /// The content of the slot.
    public struct State: Hashable, Sendable {
        public var content = SlotContent.empty
        /// How often a card has come into the slot or left it.
        public var changes = 0
    }

    /// The result of changing the power of a card.
    public struct PowerOutcome: Hashable, Sendable {
        /// What the reader found; a card that does not answer is not found, though it may be present.
        public var content: SlotContent
        /// The changes of the slot by then.
        public var changes: Int
    }

    private let host: FieldHost
    /// The number of the reader in the world of the host.
    let number: Int
    private let line: Lock<Line>
    /// A copy of the state of the line, readable while the reader works.
    private let published = Lock(State())
    private let listener = Lock(Listener())
    public let name: String

    /// Creates a slot; it does not look for cards until asked.
    public init(_ reader: any PCSCReader, at number: Int = 0, on host: FieldHost) {
        self.host = host
        self.number = number
        name = reader.name
        line = Lock(Line(reader))
    }

    /// Sets the function to call when a card has arrived or left.
    public func onChange(_ body: @escaping @Sendable () -> Void) {
        listener.withLock { $0.hasChanged = body }
    }

    /// The slot as last seen.
    public var current: State { published.withLock { $0 } }

    /// Looks for cards, if any in the field have arrived or left since the last look.
    public func refresh() {
        use { _, _, _ in }
    }

    /// Polls again if faults have hidden a card, since real readers poll continuously; a few times for each card that
    /// comes, since a card that never answers is hidden from them too.
    func retry() {
        for _ in 0..<Line.maximumRetries { use(retrying: true) { _, _, _ in } }
    }

    /// Powers the slot up or resets the card in it.
    @discardableResult
    public func reset() -> PowerOutcome {
        use { reader, world, state in
            PowerOutcome(content: reader.reset(in: &world).shown(in: world), changes: state.changes)
        }
    }

    /// Takes power from the slot.
    @discardableResult
    public func powerDown() -> PowerOutcome {
        use { reader, world, state in
            reader.powerDown(in: &world)
            return PowerOutcome(content: state.content, changes: state.changes)
        }
    }

    /// Sends an APDU.
    ///
    /// - Parameter changes: The changes of the slot the caller has seen; if there were more, its card is gone. `nil`
    ///   sends to whatever card is present.
    public func transmit(_ command: [UInt8], afterChanges changes: Int? = nil) -> ReaderAnswer {
        use { reader, world, state in
            guard changes == nil || changes == state.changes else { return .noCard }
            return reader.carry(command, in: &world)
        }
    }

    /// Sends a command to the reader itself.
    public func control(_ code: UInt32, _ data: [UInt8]) -> ReaderAnswer {
        use { reader, world, _ in reader.carry(code, data, in: &world) }
    }

    /// Notes that the host was given the ATR.
    func noteATR() { host.note(at: number) { $0.noteATR() } }

    public func attribute(_ id: UInt32) -> [UInt8]? {
        line.withLock { $0.reader.attribute(id) }
    }

    /// Uses the reader alone, and looks before and after whether cards have arrived or left.
    ///
    /// - Parameter retrying: Whether it also looks where it has missed a card.
    private func use<Result>(
        retrying: Bool = false, _ body: (inout any PCSCReader, inout World, State) -> Result
    ) -> Result {
        let (result, hasChanged) = line.withLock { line -> (Result, Bool) in
            host.perform(plansAhead: false, at: number) { world in
                let before = line.look(in: &world, at: number, retrying: retrying)
                let result = body(&line.reader, &world, line.state)
                let hasChanged = line.look(in: &world, at: number) || before
                if hasChanged { published.withLock { $0 = line.state } }
                return (result, hasChanged)
            }
        }
        if hasChanged { listener.withLock { $0 }.hasChanged?() }
        return result
    }
}

/// A lock around the bare closure would wrap it once more each time it is read.
private struct Listener {
    var hasChanged: (@Sendable () -> Void)?
}

/// A reader, its slot, and the presence count of the field at the last look.
private struct Line {
    var reader: any PCSCReader
    /// The reader in its state after plugging in.
    private let model: any PCSCReader
    private var plugChanges: Int?
    var state = ReaderSlot.State()
    private var seen: Int?
    private var wasLooking = true
    /// How often the reader still polls for cards that lie there and that it has missed, after faults.
    private var retriesLeft = 0

    /// About a second of polling by a slow reader.
    static let maximumRetries = 4

    init(_ reader: any PCSCReader) {
        (self.reader, model) = (reader, reader)
    }

    /// Lets the reader look, if the field has changed since or the reader has begun to look.
    ///
    /// One that was unplugged and plugged in since knows of no card, so the card in it leaves and comes back.
    ///
    /// - Returns: Whether a card has arrived or left.
    mutating func look(in world: inout World, at number: Int, retrying: Bool = false) -> Bool {
        let isNew = seen != world.presenceCount && replaceIfPlugged(world.plugChanges(ofReader: number))
        let isLooking = reader.looksNow()
        let begins = isLooking && !wasLooking
        wasLooking = isLooking
        let isDue = seen != world.presenceCount || begins
        guard isDue || retrying && retriesLeft > 0 else { return false }
        let isFirst = seen == nil
        seen = world.presenceCount
        let content = reader.look(in: &world).shown(in: world)
        let hasMissedCard =
            content == .empty && world.cards.indices.contains(where: world.isWithinReach)
            && world.plan.tallies.contains { !$0.injected.isEmpty }
        retriesLeft = !hasMissedCard ? 0 : isDue ? Self.maximumRetries : retriesLeft - 1
        let hasChanged = take(content, isNew: isNew)
        if hasChanged || isFirst || isNew { world.noteSlot(reader.name, atr: content.atr) }
        return hasChanged
    }

    /// - Parameter isNew: Whether the reader knows of no card before it.
    /// - Returns: Whether a card has arrived or left.
    private mutating func take(_ content: SlotContent, isNew: Bool) -> Bool {
        switch (state.content, content) {
        case (.empty, .empty): return false
        case (.card(let old), .card(let new)):
            guard isNew || old.card != new.card || old.visit != new.visit else { return false }
            // The old card went before the new one came.
            state.changes += 2
        default: state.changes += 1
        }
        state.content = content
        return true
    }

    /// - Returns: Whether it was unplugged or plugged in since the last look.
    private mutating func replaceIfPlugged(_ count: Int) -> Bool {
        let isNew = plugChanges.map { $0 != count } ?? false
        if isNew { reader = model }
        plugChanges = count
        return isNew
    }
}

extension SlotContent {
    fileprivate var atr: [UInt8]? {
        if case .card(let card) = self { card.atr } else { nil }
    }
}

extension PCSCReader {
    /// `isLooking` by a mutating call, which does not copy the existential.
    fileprivate mutating func looksNow() -> Bool { isLooking }
}
