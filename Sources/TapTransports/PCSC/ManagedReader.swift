import TapReaders
import TapWire

/// The resource manager's state of a reader.
struct ManagedReader {
    /// The position in the list of readers.
    let place: Int
    /// The state clients see; its flags follow ``power``, its sharing ``sharing``.
    private(set) var state = ReaderState()
    /// The number of slot changes taken over so far.
    private(set) var changes = 0
    /// A Boolean value that indicates whether the reader looks for cards.
    private(set) var isStarted = false
    private(set) var power = Power.absent {
        didSet { state.flags = power.flags }
    }
    /// The number of changes of the card's power that are in progress.
    var powerings = 0
    private(set) var sharing = Sharing.free {
        didSet { state.sharing = sharing.number }
    }
    /// The connection that holds the lock of the reader; 0 if there is none.
    private(set) var lockHolder: Int32 = 0
    private var lockCount = 0

    /// Creates a reader without a card; it continues the event counter of its position.
    init(name: String, place: Int, eventCounter: UInt32) {
        self.place = place
        state.name = name
        state.eventCounter = eventCounter
        state.flags = power.flags
    }

    var hasCard: Bool { power != .absent }

    var activeProtocol: PCSCProtocols {
        get { state.activeProtocol }
        set { state.activeProtocol = newValue }
    }

    /// Takes over the state of the slot; a card that is present from the start does not count as an event.
    ///
    /// - Returns: `true` if a card was removed.
    mutating func follow(_ slot: ReaderSlot.State) -> Bool {
        let count = isStarted ? slot.changes - changes : 0
        // One of two changes is a removal.
        let wasRemoved = count > 0 && (hasCard || count > 1)
        (isStarted, changes) = (true, slot.changes)
        state.eventCounter = (state.eventCounter + UInt32(truncatingIfNeeded: count)) & 0xFFFF
        if wasRemoved { dropLock() }
        change(slot.content.atr == nil ? .left : .found, atr: slot.content.atr ?? [])
        return wasRemoved
    }

    /// - Returns: The return code of the call that caused the event.
    @discardableResult
    private mutating func change(_ event: Power.Event, atr: [UInt8]) -> PCSCReturnCode {
        let (next, code) = power.after(event)
        power = next
        state.atr = atr
        state.activeProtocol = []
        return code
    }

    /// Takes over the result of powering or resetting a card.
    ///
    /// - Throws: ``Refusal`` if the card was removed or does not answer.
    mutating func finishPowering(_ outcome: ReaderSlot.State) throws(Refusal) {
        guard outcome.changes == changes else {
            // By now there is another card, already powered, or none.
            guard hasCard else { throw Refusal(.removedCard) }
            return
        }
        let atr = outcome.content.atr
        let code = change(atr == nil ? .silent : .found, atr: atr ?? [])
        if code != .success { throw Refusal(code) }
    }

    mutating func finishUnpowering(_ outcome: ReaderSlot.State) {
        guard outcome.changes == changes, hasCard else { return }
        change(.poweredDown, atr: state.atr)
    }

    /// Changes the sharing of the reader for a connection that begins, is renewed or ends.
    mutating func share(_ event: Sharing.Event, _ card: Int32) throws(Refusal) {
        let (next, change) = try sharing.after(event)
        switch change {
        case .none: break
        case .lock: try lock(card)
        // A connection without a transaction keeps the lock, as in pcscd.
        case .unlock: try? unlock(card)
        }
        sharing = next
    }
}

extension ManagedReader {
    /// Returns `true` if another connection has locked the reader.
    func isLocked(against card: Int32) -> Bool { lockHolder != 0 && lockHolder != card }

    /// Returns the number of nested transactions of a connection; the lock of exclusive use does not count.
    func transactions(of card: Int32) -> Int {
        lockHolder == card ? lockCount - (sharing == .exclusive ? 1 : 0) : 0
    }

    func checkSharing(_ card: Int32) throws(Refusal) {
        if isLocked(against: card) { throw Refusal(.sharingViolation) }
    }

    mutating func lock(_ card: Int32) throws(Refusal) {
        try checkSharing(card)
        lockCount += 1
        lockHolder = card
    }

    /// Removes one lock; the lock of exclusive use stays.
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
