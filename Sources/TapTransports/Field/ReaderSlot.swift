import TapHost
import TapSystem
import TapField
import TapReaders

/// A PC/SC reader model in a host's field, for the threads of a transport; it owns the content of its slot.
///
/// The slot serves one call at a time, from any thread, and reports a change before the next call.
public final class ReaderSlot: Sendable {
    public struct State: Hashable, Sendable {
        /// The card in the slot; after a power-up or reset, only a card that has answered (a silent card may still be present).
        public var content = SlotContent.empty
        /// The number of times a card has come into the slot or left it.
        public var changes = 0
    }

    private let host: FieldHost
    /// The number of the reader in the world of the host.
    let number: Int
    private let line: Lock<Line>
    public let name: String

    /// Creates a slot; it does not look for cards until asked.
    public init(_ reader: any PCSCReader, at number: Int = 0, on host: FieldHost) {
        self.host = host
        self.number = number
        name = reader.name
        line = Lock(Line(reader))
    }

    /// Looks for cards, and reports the state of the slot now and after each change, in order.
    ///
    /// - Parameter report: Called while the slot is in use; it must not use the slot.
    public func follow(_ report: @escaping @Sendable (State) -> Void) {
        line.withLock { line in
            line.report = report
            if !use(&line, { _, _, _ in }).hasChanged { report(line.state) }
        }
    }

    /// Looks for cards if any in the field have arrived or left since the last look.
    @discardableResult
    public func refresh() -> State {
        line.withLock { line in
            use(&line) { _, _, _ in }
            return line.state
        }
    }

    /// Polls again if faults have hidden a card, since real readers poll continuously; only a few times for each new card,
    /// since a card that never answers stays hidden from real readers too.
    func retry() {
        for _ in 0..<Line.maximumRetries {
            line.withLock { line in _ = use(&line, retrying: true) { _, _, _ in } }
        }
    }

    /// Powers the slot up or resets the card in it.
    @discardableResult
    public func reset() -> State {
        use { reader, world, state in
            State(content: reader.reset(in: &world).shown(in: world), changes: state.changes)
        }
    }

    /// Removes power from the slot.
    @discardableResult
    public func powerDown() -> State {
        use { reader, world, state in
            reader.powerDown(in: &world)
            return state
        }
    }

    /// Sends an APDU.
    ///
    /// - Parameter changes: The number of slot changes the caller has seen; if there were more, its card is gone. `nil` sends
    ///   to whatever card is present.
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

    func noteATR() { host.note(at: number) { $0.noteATR() } }

    public func attribute(_ id: UInt32) -> [UInt8]? {
        line.withLock { $0.reader.attribute(id) }
    }

    private func use<Result>(_ body: (inout any PCSCReader, inout World, State) -> Result) -> Result {
        line.withLock { use(&$0, body).result }
    }

    /// Uses the reader, then looks for cards that have arrived or left; looks beforehand only if the field has changed
    /// meanwhile.
    ///
    /// - Parameter retrying: A Boolean value that indicates whether to also look for a card that was missed.
    @discardableResult
    private func use<Result>(
        _ line: inout Line, retrying: Bool = false, _ body: (inout any PCSCReader, inout World, State) -> Result
    ) -> (result: Result, hasChanged: Bool) {
        let changes = line.state.changes
        let result = host.perform(plansAhead: false, at: number) { world in
            if retrying || line.seen != world.presenceCount { line.look(in: &world, at: number, retrying: retrying) }
            let result = body(&line.reader, &world, line.state)
            line.look(in: &world, at: number)
            return result
        }
        let hasChanged = line.state.changes != changes
        if hasChanged { line.report?(line.state) }
        return (result, hasChanged)
    }
}

/// A reader, its slot, and the presence count of the field at the last look.
private struct Line {
    var reader: any PCSCReader
    /// The reader in its state after plugging in.
    private let model: any PCSCReader
    private var plugChanges: Int?
    var state = ReaderSlot.State()
    var report: (@Sendable (ReaderSlot.State) -> Void)?
    private(set) var seen: Int?
    private var wasLooking = true
    /// The remaining polls for cards that are present but were missed, after faults.
    private var retriesLeft = 0

    /// About a second of polling by a slow reader.
    static let maximumRetries = 4

    init(_ reader: any PCSCReader) {
        (self.reader, model) = (reader, reader)
    }

    /// Lets the reader look for cards if the field has changed or the reader has just started to look.
    ///
    /// A reader that was unplugged and plugged in again knows no card, so the card in it leaves and comes back.
    mutating func look(in world: inout World, at number: Int, retrying: Bool = false) {
        let isNew = seen != world.presenceCount && replaceIfPlugged(world.plugChanges(ofReader: number))
        let isLooking = reader.looksNow()
        let begins = isLooking && !wasLooking
        wasLooking = isLooking
        let isDue = seen != world.presenceCount || begins
        guard isDue || retrying && retriesLeft > 0 else { return }
        let isFirst = seen == nil
        seen = world.presenceCount
        let content = reader.look(in: &world).shown(in: world)
        let hasMissedCard =
            content == .empty && world.cards.indices.contains(where: world.isWithinReach)
            && world.plan.tallies.contains { !$0.injected.isEmpty }
        retriesLeft = !hasMissedCard ? 0 : isDue ? Self.maximumRetries : retriesLeft - 1
        let hasChanged = take(content, isNew: isNew)
        if hasChanged || isFirst || isNew { world.noteSlot(reader.name, atr: content.atr) }
    }

    /// - Parameter isNew: `true` if the reader was just plugged in and knows no earlier card.
    /// - Returns: `true` if a card has arrived or left.
    private mutating func take(_ content: SlotContent, isNew: Bool) -> Bool {
        switch (state.content, content) {
        case (.empty, .empty): return false
        case (.card(let old), .card(let new)):
            guard isNew || old.card != new.card || old.visit != new.visit else { return false }
            // The old card left before the new one came.
            state.changes += 2
        default: state.changes += 1
        }
        state.content = content
        return true
    }

    /// - Returns: `true` if the reader was unplugged or plugged in since the last look.
    private mutating func replaceIfPlugged(_ count: Int) -> Bool {
        let isNew = plugChanges.map { $0 != count } ?? false
        if isNew { reader = model }
        plugChanges = count
        return isNew
    }
}

extension SlotContent {
    /// The ATR of the card; `nil` for an empty slot.
    var atr: [UInt8]? {
        if case .card(let card) = self { card.atr } else { nil }
    }
}

extension PCSCReader {
    /// Returns `isLooking` through a mutating call, which does not copy the existential.
    fileprivate mutating func looksNow() -> Bool { isLooking }
}
