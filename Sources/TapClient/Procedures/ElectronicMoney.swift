import TapWire

/// Electronic money on a card: which kind, how much, and what was done with it.
public struct ElectronicMoney: Hashable, Sendable {
    /// A kind of electronic money.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Rakuten Edy.
        case edy
        /// nanaco.
        case nanaco
        /// WAON.
        case waon
        /// The stored fare of a transit card.
        case transit
    }

    /// One use, as far as the record tells it.
    public struct Entry: Hashable, Sendable {
        public let date: CalendarDate?
        /// The time of day.
        public let time: ClockTime?
        /// What happened, in the words of scenario files, such as `payment` or `top-up`.
        public let kind: String?
        /// Yen by which the balance changed, negative for a payment.
        public let amount: Int?
        /// Yen on the card afterwards.
        public let balance: Int
    }

    public let kind: Kind
    /// The system it was read from.
    public let system: FeliCaSystem
    /// The number of the card, where the kind has one that anybody may read.
    public let number: CardNumber?
    /// Yen on the card.
    public let balance: Int
    /// The uses, newest first, unused records left out.
    public let history: [Entry]
}

extension ElectronicMoney.Kind {
    /// Where a kind of electronic money lies.
    struct Place {
        let system: SystemCode
        let number: ApplicationService?
        let balance: ApplicationService
        let history: ApplicationService
    }

    var place: Place {
        switch self {
        case .edy:
            Place(
                system: .commonArea, number: EdyServices.identification, balance: EdyServices.balance,
                history: EdyServices.history)
        case .nanaco:
            Place(
                system: .commonArea, number: NanacoServices.identification, balance: NanacoServices.balance,
                history: NanacoServices.history)
        case .waon:
            Place(
                system: .commonArea, number: WAONServices.identification, balance: WAONServices.balance,
                history: WAONServices.history)
        case .transit:
            Place(
                system: .transit, number: nil, balance: TransitServices.balance, history: TransitServices.history)
        }
    }

    /// The number in a block that holds it.
    func number(in block: BlockData) -> CardNumber? {
        switch self {
        case .edy: EdyIdentification(block).number
        case .nanaco, .waon: CardNumberBlock(block).number
        case .transit: nil
        }
    }

    /// The balance in a block that holds it.
    func balance(in block: BlockData) -> Int {
        self == .transit ? Int(TransitBalance(block).balance) : Int(PurseBlock(block).value)
    }

    /// The uses in the blocks of the history, block 0 first.
    func entries(in blocks: [BlockData]) -> [ElectronicMoney.Entry] {
        switch self {
        case .edy: blocks.map { EdyHistoryRecord($0) }.filter { !$0.isUnused }.map { .init($0) }
        case .nanaco: blocks.map { NanacoHistoryRecord($0) }.filter { !$0.isUnused }.map { .init($0) }
        case .waon:
            stride(from: 0, to: blocks.count - 1, by: 2)
                .map { WAONHistoryRecord(BlockPair(blocks[$0], blocks[$0 + 1])) }
                .filter { !$0.isUnused }.map { .init($0) }
        case .transit: TransitHistory(blocks: blocks).trips.map { .init($0) }
        }
    }
}

extension ElectronicMoney.Entry {
    init(_ record: EdyHistoryRecord) {
        date = record.time.date
        time = record.time.time
        kind = record.type.name?.identifier
        amount = Self.signed(record.amount, isPayment: record.type == .payment, isKnown: kind != nil)
        balance = Int(record.balance)
    }

    init(_ record: NanacoHistoryRecord) {
        date = record.time.date
        time = record.time.time
        kind = record.type.name?.identifier
        amount = Self.signed(record.amount, isPayment: record.type == .payment, isKnown: kind != nil)
        balance = Int(record.balance)
    }

    init(_ record: WAONHistoryRecord) {
        date = record.time.date
        time = record.time.time
        kind = record.type.name?.identifier
        amount = Int(record.charge) - Int(record.withdrawal)
        balance = Int(record.balance)
    }

    init(_ trip: TransitHistory.Trip) {
        date = trip.record.date.date
        if case .shop(let till, _) = trip.record.place { time = till.time } else { time = nil }
        kind = trip.record.kind?.rawValue
        amount = trip.amount
        balance = Int(trip.record.balance)
    }

    /// The amount of a record that leaves it to the type whether money was paid; nothing if the type is not known.
    private static func signed(_ amount: UInt32, isPayment: Bool, isKnown: Bool) -> Int? {
        guard isKnown else { return nil }
        return isPayment ? -Int(amount) : Int(amount)
    }
}
