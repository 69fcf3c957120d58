extension ResourceManager {
    /// The number of times a client may still use a handle after a reported reset or removal of its card: it may repeat a call
    /// a few times before it gives up.
    private static let toleratedUses = 10

    mutating func misuse(_ call: String, _ reason: String) {
        guard usage.misuses.count < ServiceUsage.maximumMisuses else { return }
        usage.misuses.append(ServiceUsage.Misuse(call: call, reason: reason))
    }

    /// Notes the use of a handle; after a reset or removal of the card, `SCardReconnect` must come first.
    mutating func noteUse(of card: Int32, by call: String) {
        guard let event = cards[card]?.event, event != .none else { return }
        let uses = (cards[card]?.usesSinceEvent ?? 0) + 1
        cards[card]?.usesSinceEvent = uses
        guard uses == Self.toleratedUses + 1 else { return }
        misuse(call, "repeatedly with a handle whose card was removed or reset, instead of SCardReconnect")
    }

    func transactions(of card: Int32) -> Int { cards[card].flatMap { readers[$0.reader] }?.transactions(of: card) ?? 0 }

    /// Returns `true` if a connection is in a transaction that its client could have ended.
    func hasForgottenTransaction(_ card: Int32) -> Bool {
        transactions(of: card) > excuses.transactions[card] ?? 0 && !excuses.cards.contains(card)
    }

    /// Counts the open handles of a client that releases its context or ends.
    mutating func countOpen(of client: ClientID) {
        guard !excuses.isStopped else { return }
        let open = clients[client]?.cards.filter { cards[$0] != nil && !excuses.cards.contains($0) } ?? []
        usage.cards += open.count
        usage.surplusCards += open.count - Set(open.compactMap { cards[$0]?.reader }).count
        usage.transactions += open.count(where: hasForgottenTransaction)
    }

    /// Counts the context of a client that ends without releasing it.
    mutating func countContext(of client: ClientID) {
        guard clients[client]?.context ?? 0 != 0, !excuses.contexts.contains(client), !excuses.isStopped else { return }
        usage.contexts += 1
    }
}

extension ResourceManager {
    /// Notes that a client receives an ATR, if the request asks for it: through `SCardStatus`, `SCardGetAttrib`, or
    /// `SCardGetStatusChange` as far as ``StatusWatch`` can tell.
    mutating func noteATR(in request: ServiceRequest, _ client: ClientID) {
        switch request {
        case .status(let message): noteATR(hasATR(message.card, client))
        case .getAttribute(let message): noteATR(message.attribute == .atr && hasATR(message.card, client))
        default: break
        }
        let isInsideWait = clients[client]?.isInsideWait ?? false
        let hasCard = readers.values.contains(where: \.hasCard)
        switch request {
        case .waitForChange: clients[client]?.watch.takeStates(withCard: hasCard)
        case .readerStates where isInsideWait, .readerArray where isInsideWait:
            clients[client]?.watch.takeStates(withCard: hasCard)
        case .readerEvents where isInsideWait, .readerCount where isInsideWait: break
        case .stopWaiting: clients[client]?.watch.end()
        case .readerStates, .readerArray:
            settleWatch(of: client)
            usage.hasListedReaders = true
        default: settleWatch(of: client)
        }
    }

    private mutating func noteATR(_ isGiven: Bool) {
        if isGiven { usage.hasGivenATR = true }
    }

    /// Notes the end of a client's consecutive requests inside `SCardGetStatusChange`.
    ///
    /// - Parameter hasReaderChange: A Boolean value that indicates whether a reader that came or went ended the waiting.
    mutating func settleWatch(of client: ClientID, hasReaderChange: Bool = false) {
        noteATR(usage.hasListedReaders && clients[client]?.watch.hasGivenATR == true)
        clients[client]?.watch = StatusWatch(hasReaderChange: hasReaderChange)
    }

    private func hasATR(_ card: Int32, _ client: ClientID) -> Bool {
        guard clients[client]?.cards.contains(card) == true, cards[card]?.event == Card.Event.none else { return false }
        return cards[card].flatMap { readers[$0.reader] }?.hasCard ?? false
    }
}

/// The requests of a client inside `SCardGetStatusChange`, which show whether it received the ATR of a card.
///
/// The library asks for the states of all readers and does not reveal which readers its program watches. It registers for
/// changes, takes the states, and withdraws at once if a watched reader has changed. If nothing has changed when its timeout
/// expires, it withdraws, then registers, takes the states and withdraws once more. A single withdrawal in a row therefore
/// means a change of a reader, not of the pseudo-reader `\\?PnP?\Notification`. An unknown reader looks the same as a changed
/// one, so the client, or another client, must also have listed the readers.
///
/// Source: pcsc-lite 1.9.9 and 2.3, `SCardGetStatusChange`. Neither the number of withdrawals, which depends on rounded times,
/// nor the time between two requests reveals more. Two errors remain: a program that lists the readers and then watches a name
/// that is not among them counts as having an ATR; a program that never lists them, or whose calls all time out, counts as
/// having none.
struct StatusWatch {
    /// A Boolean value that indicates whether a reader that came or went ended the previous waiting, which is a change of the
    /// pseudo-reader too.
    var hasReaderChange = false
    private var withdrawals = 0
    private var seesCard = false
    private var hasSeenCard = false

    init(hasReaderChange: Bool = false) {
        self.hasReaderChange = hasReaderChange
    }

    mutating func takeStates(withCard hasCard: Bool) { seesCard = hasCard }

    mutating func end() {
        withdrawals += 1
        hasSeenCard = seesCard
    }

    var hasGivenATR: Bool { withdrawals == 1 && hasSeenCard && !hasReaderChange }
}

/// The clients' use of a PC/SC service: resources left open, and misuses.
public struct ServiceUsage: Hashable, Sendable {
    /// A call that no correct client makes.
    public struct Misuse: Hashable, Sendable {
        /// The call, such as `SCardTransmit`.
        public let call: String
        /// The mistake in the call, a clause that continues the sentence after the call.
        public let reason: String
        /// The number of exchanges before the call; `nil` until ``placeMisuses(afterExchanges:)`` sets it.
        public internal(set) var exchange: Int?
    }

    /// The maximum number of misuses kept, so that an endless client does not fill the memory.
    public static let maximumMisuses = 100

    /// Contexts that were not released when their client ended.
    public internal(set) var contexts = 0
    /// Card handles that were not disconnected when their context was released or their client ended.
    public internal(set) var cards = 0
    /// The number of those handles that were not the only one for their reader; a client that is still running may be stopped
    /// while it holds one per reader.
    public internal(set) var surplusCards = 0
    /// Transactions of handles that were neither ended nor disconnected when their context was released or their client ended.
    public internal(set) var transactions = 0
    /// Clients that ended inside SCardGetStatusChange.
    public internal(set) var waits = 0
    /// A Boolean value that indicates whether a client received the ATR of a card; listing the readers, which includes the
    /// ATRs, does not count.
    public internal(set) var hasGivenATR = false
    var hasListedReaders = false
    public internal(set) var misuses: [Misuse] = []

    var hasMisuseOutsideExchanges: Bool { misuses.last.map { $0.exchange == nil } ?? false }

    mutating func placeMisuses(afterExchanges count: Int) {
        for index in misuses.indices where misuses[index].exchange == nil { misuses[index].exchange = count }
    }
}
