import TapWire

// The states of readers, of connections to cards and of waiting clients, and the results of requests and events, one table
// each. Source: pcsc-lite 1.9.9, its return codes and the order of its checks.

/// The states in which a request is not carried out, in the order of the checks; one row per request.
///
/// A request about a connection whose reader was unplugged is rejected earlier, with ``PCSCReturnCode/invalidValue``.
struct Obstacles {
    private let rows: [Obstacle]

    private init(_ rows: Obstacle...) {
        self.rows = rows
    }

    static let connect = Obstacles(.exclusive, .lockedUntilFree, .powering, .noCard)
    static let connectDirectly = Obstacles(.exclusive, .lockedUntilFree, .powering)
    static let openConnection = Obstacles(.noPower)
    static let reconnect = Obstacles(.locked, .powering, .noCard, .mute)
    static let reconnectWithReset = Obstacles(.locked, .powering)
    static let disconnectWithReset = Obstacles(.lockedUntilFree)
    static let beginTransaction = Obstacles(.reset, .removed, .lockedForNow)
    static let endTransaction = Obstacles(.reset, .removed)
    static let endTransactionWithReset = Obstacles(.locked)
    static let transmit = Obstacles(.locked, .reset, .removed, .noCard)
    static let transmitRaw = Obstacles(.locked, .reset, .removed)
    /// For a command to which the reader found no card.
    static let transmitInVain = Obstacles(.reset, .removed)
    static let control = Obstacles(.locked)
    static let status = Obstacles(.locked, .reset, .removed)
    static let attribute = Obstacles(.locked, .reset, .removed)

    /// Returns the first refusal; `nil` without an obstacle.
    func refusal(
        for reader: ManagedReader, _ card: Int32 = 0, _ event: ResourceManager.Card.Event = .none
    ) -> Refusal? {
        rows.first { $0.exists(reader, card, event) }?.refusal
    }
}

/// A state of a reader or of a connection to it, and the answer to requests that the state prevents.
struct Obstacle: Sendable {
    let refusal: Refusal
    /// Returns `true` if the obstacle exists for a reader, a connection (0 before there is one), and the event of that
    /// connection.
    let exists: @Sendable (ManagedReader, Int32, ResourceManager.Card.Event) -> Bool

    private init(
        _ code: PCSCReturnCode, after patience: Refusal.Patience = .none,
        if exists: @escaping @Sendable (ManagedReader, Int32, ResourceManager.Card.Event) -> Bool
    ) {
        (refusal, self.exists) = (Refusal(code, after: patience), exists)
    }

    static let exclusive = Obstacle(.sharingViolation) { reader, _, _ in reader.sharing == .exclusive }
    static let locked = Obstacle(.sharingViolation) { reader, card, _ in reader.isLocked(against: card) }
    /// The wait is short, since the client's library asks again and lets other threads use the context meanwhile.
    static let lockedForNow = Obstacle(.sharingViolation, after: .pollPeriod, if: locked.exists)
    static let lockedUntilFree = Obstacle(.sharingViolation, after: .unlimited, if: locked.exists)
    static let powering = Obstacle(.sharingViolation, after: .unlimited) { reader, _, _ in reader.powerings > 0 }
    static let reset = Obstacle(.resetCard) { _, _, event in event == .reset }
    static let removed = Obstacle(.removedCard) { _, _, event in event == .removed }
    static let noCard = Obstacle(.noSmartCard) { reader, _, _ in !reader.hasCard }
    static let mute = Obstacle(.unresponsiveCard) { reader, _, _ in reader.power.isMute }
    static let noPower = Obstacle(.unpoweredCard) { reader, _, _ in reader.power != .ready }
}

/// The answer to a request that is not carried out.
struct Refusal: Error, Hashable {
    /// The time a request waits for another state before it is refused.
    enum Patience: Hashable {
        case none
        case pollPeriod
        case unlimited
    }

    let code: PCSCReturnCode
    private let patience: Patience

    init(_ code: PCSCReturnCode, after patience: Patience = .none) {
        (self.code, self.patience) = (code, patience)
    }

    /// Returns the step for a request whose answer is a structure.
    func step(for message: (any ResultMessage)?) -> ServiceStep {
        let answer = message?.refused(code) ?? []
        return switch patience {
        case .none: .answer(answer)
        case .pollPeriod: .wait(orAnswer: answer)
        case .unlimited: .wait(orAnswer: nil)
        }
    }
}

extension ManagedReader {
    /// The card in the slot and its power.
    enum Power: Hashable {
        case absent
        case ready
        /// The card did not answer a reset.
        case mute
        case unpowered
        case unpoweredAndMute

        enum Event: Hashable {
            /// A card has arrived, or has answered a reset.
            case found
            case left
            /// No card has answered a reset.
            case silent
            case poweredDown
        }

        /// Returns the next state, and the return code of the call that caused the event.
        func after(_ event: Event) -> (next: Power, code: PCSCReturnCode) {
            switch (event, self) {
            case (.found, _): (.ready, .success)
            case (.left, _): (.absent, .success)
            case (.silent, .absent): (.absent, .removedCard)
            case (.silent, .ready), (.silent, .mute): (.mute, .unresponsiveCard)
            case (.silent, .unpowered), (.silent, .unpoweredAndMute): (.unpoweredAndMute, .unresponsiveCard)
            case (.poweredDown, .absent): (.absent, .removedCard)
            case (.poweredDown, _): (.unpowered, .success)
            }
        }

        var isMute: Bool { self == .mute || self == .unpoweredAndMute }
        var isUnpowered: Bool { self == .unpowered || self == .unpoweredAndMute }

        var flags: ReaderState.Flags {
            switch self {
            case .absent: .absent
            case .ready: .ready
            case .mute, .unpoweredAndMute: [.present, .swallowed]
            case .unpowered: .present
            }
        }
    }

    /// The sharing of the reader among connections.
    enum Sharing: Hashable {
        case shared(count: Int)
        case exclusive

        static let free = Sharing.shared(count: 0)

        enum Event: Hashable {
            case connect(isExclusive: Bool)
            case reconnect(isExclusive: Bool)
            case disconnect
        }

        /// A change of the lock that accompanies a change of sharing.
        enum LockChange {
            case none
            case lock
            case unlock
        }

        /// Returns the next state and the change of the lock for the connection.
        func after(_ event: Event) throws(Refusal) -> (next: Sharing, lock: LockChange) {
            switch (self, event) {
            case (.exclusive, .connect): throw Refusal(.sharingViolation)
            case (.shared(count: 0), .connect(isExclusive: true)): (.exclusive, .lock)
            case (.shared, .connect(isExclusive: true)): throw Refusal(.sharingViolation)
            case (.shared(let count), .connect): (.shared(count: count + 1), .none)
            case (.exclusive, .reconnect(isExclusive: true)): (self, .none)
            case (.shared(count: 1), .reconnect(isExclusive: true)): (.exclusive, .lock)
            case (.shared, .reconnect(isExclusive: true)): throw Refusal(.sharingViolation)
            case (.exclusive, .reconnect): (.shared(count: 1), .unlock)
            case (.shared, .reconnect): (self, .none)
            case (.exclusive, .disconnect): (.free, .none)
            case (.shared(let count), .disconnect): (.shared(count: max(0, count - 1)), .none)
            }
        }

        /// The value in reader states.
        var number: Int32 {
            switch self {
            case .shared(let count): Int32(clamping: count)
            case .exclusive: -1
            }
        }
    }
}

extension ResourceManager.Client {
    /// The state of a client's wait for the next change.
    ///
    /// Since 4.6 the client asks for the states after it has asked to wait. Notices of changes are held back until then: the
    /// client would mistake one for the number of states.
    enum Waiting: Hashable {
        case idle
        case waiting
        /// The client waits but has not asked for the states yet.
        case waitingBeforeQuery
        /// The client has not asked for the states yet, and its waiting has ended with a code.
        case endedBeforeQuery(PCSCReturnCode)

        enum Event: Hashable {
            /// The client starts to wait, and either receives the states as an answer or has to ask for them.
            case begin(hasToAsk: Bool)
            case ask
            /// The client does not ask for the states.
            case goOn
            case end(PCSCReturnCode)
        }

        enum Notice: Hashable {
            case states
            case end(PCSCReturnCode)
        }

        /// Returns the next state and the notices to send; `nil` if the event is invalid in this state.
        func after(_ event: Event) -> (next: Waiting, notices: [Notice])? {
            switch (self, event) {
            case (_, .begin(hasToAsk: false)): (.waiting, [.states])
            case (_, .begin): (.waitingBeforeQuery, [])
            case (.waitingBeforeQuery, .ask): (.waiting, [.states])
            case (.endedBeforeQuery(let code), .ask): (.idle, [.states, .end(code)])
            case (.waitingBeforeQuery, .goOn): (.waiting, [])
            case (.endedBeforeQuery(let code), .goOn): (.idle, [.end(code)])
            case (.waiting, .end(let code)): (.idle, [.end(code)])
            case (.waitingBeforeQuery, .end(let code)): (.endedBeforeQuery(code), [])
            case (.idle, _), (.waiting, _), (.endedBeforeQuery, _): nil
            }
        }

        var isUnderWay: Bool { self == .waiting || self == .waitingBeforeQuery }

        /// A Boolean value that indicates whether notices of changes are held back until the client has asked for the states.
        var isBeforeQuery: Bool { self != .idle && self != .waiting }
    }
}
