import TapReaders
import TapWire

/// The manager's state of a reader.
struct ManagedReader {
    enum Sharing: Hashable {
        case shared(count: Int)
        case exclusive

        static let free = Sharing.shared(count: 0)

        /// The number in reader states.
        var number: Int32 {
            switch self {
            case .shared(let count): Int32(clamping: count)
            case .exclusive: -1
            }
        }
    }

    /// The place in the list of readers.
    let place: Int
    /// The state clients see; ``ReaderState/sharing`` follows ``sharing``.
    private(set) var state = ReaderState()
    /// The changes of the slot that are included.
    private(set) var changes = 0
    /// Whether the reader looks for cards.
    private(set) var isStarted = false
    var isUnpowered = false
    /// How many changes of its card's power are under way.
    var powerings = 0
    var sharing = Sharing.free {
        didSet { state.sharing = sharing.number }
    }
    /// The connection that has locked the reader, and how often; 0 if none has.
    private(set) var lockHolder: Int32 = 0
    private var lockCount = 0

    /// A reader without a card; it continues the event counter of its place.
    init(name: String, place: Int, eventCounter: UInt32) {
        self.place = place
        state.name = name
        state.eventCounter = eventCounter
        state.flags = .absent
    }

    var isPowering: Bool { powerings > 0 }
    var hasCard: Bool { state.flags.contains(.present) }

    var activeProtocol: PCSCProtocols {
        get { state.activeProtocol }
        set { state.activeProtocol = newValue }
    }

    /// Takes over the state of the slot; a card that is in it at first counts as no event.
    ///
    /// - Returns: A Boolean value that indicates whether a card was removed.
    mutating func follow(_ slot: ReaderSlot.State) -> Bool {
        let count = isStarted ? slot.changes - changes : 0
        // Of two changes one is a removal.
        let wasRemoved = count > 0 && (hasCard || count > 1)
        (isStarted, changes) = (true, slot.changes)
        state.eventCounter = (state.eventCounter + UInt32(truncatingIfNeeded: count)) & 0xFFFF
        if wasRemoved { dropLock() }
        hold(slot.content)
        return wasRemoved
    }

    private mutating func hold(_ content: SlotContent) {
        state.activeProtocol = []
        isUnpowered = false
        switch content {
        case .empty:
            state.flags = .absent
            state.atr = []
        case .card(let card):
            state.flags = .ready
            state.atr = card.atr
        }
    }

    /// Takes over the result of powering or resetting a card.
    ///
    /// - Throws: ``Refusal`` if the card was removed, or does not answer.
    mutating func finishPowering(_ outcome: ReaderSlot.State) throws(Refusal) {
        guard outcome.changes == changes else {
            // By now there is another card, which is powered, or none.
            guard hasCard else { throw Refusal(.removedCard) }
            return
        }
        state.activeProtocol = []
        switch outcome.content {
        case .card(let card):
            state.flags = .ready
            state.atr = card.atr
            isUnpowered = false
        case .empty:
            state.atr = []
            guard hasCard else { throw Refusal(.removedCard) }
            state.flags = [.present, .swallowed]
            throw Refusal(.unresponsiveCard)
        }
    }

    mutating func finishUnpowering(_ outcome: ReaderSlot.State) {
        guard outcome.changes == changes, hasCard else { return }
        isUnpowered = true
        state.activeProtocol = []
        state.flags = .present
    }
}

extension ManagedReader {
    /// Whether another connection has locked the reader.
    func isLocked(against card: Int32) -> Bool { lockHolder != 0 && lockHolder != card }

    /// How many transactions of a connection are open, one in the other; the lock of exclusive use does not count.
    func transactions(of card: Int32) -> Int {
        lockHolder == card ? lockCount - (sharing == .exclusive ? 1 : 0) : 0
    }

    func checkSharing(_ card: Int32) throws(Refusal) {
        if isLocked(against: card) { throw Refusal(.sharingViolation) }
    }

    /// Locks the reader once more.
    mutating func lock(_ card: Int32) throws(Refusal) {
        try checkSharing(card)
        lockCount += 1
        lockHolder = card
    }

    /// Removes one lock; that of exclusive use stays.
    mutating func unlock(_ card: Int32) throws(Refusal) {
        try checkSharing(card)
        guard lockCount > (sharing == .exclusive ? 1 : 0) else { throw Refusal(.notTransacted) }
        lockCount -= 1
        if lockCount == 0 { lockHolder = 0 }
    }

    mutating func unlockAll(_ card: Int32) throws(Refusal) {
        try checkSharing(card)
        dropLock()
    }

    mutating func dropLock() {
        lockCount = 0
        lockHolder = 0
    }
}
