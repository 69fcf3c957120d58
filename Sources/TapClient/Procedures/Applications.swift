import TapWire

/// The freely readable data of a transit card: Suica, PASMO, ICOCA and compatible cards.
public struct TransitCard: Hashable, Sendable {
    public let system: FeliCaSystem
    public let balance: TransitBalance
    /// The history, newest first.
    public let history: TransitHistory
    /// The gate log, newest first, without unused records; `nil` on a card without a gate log.
    public let gates: [TransitGateRecord]?
}

extension CardReader {
    /// Reads balance, history and gate log of a transit card.
    ///
    /// - Parameter code: The system code: 0003, or the system of a card with the same services, such as SAPICA (865E).
    /// - Throws: ``ClientError`` if there is no card with this system, no balance or history, or if the exchange fails.
    public mutating func readTransitCard(
        system code: SystemCode = .transit
    ) async throws(ClientError) -> TransitCard {
        let system = try await activate(system: code)
        let needed = [TransitServices.balance, TransitServices.history].map(\.code)
        let found = try await existing(needed + [TransitServices.gates.code])
        let missing = needed.filter { !found.contains($0) }
        guard missing.isEmpty else { throw .servicesMissing(missing, "transit card", in: system.code) }

        let balance = try await readBlocks([BlockAddress(TransitServices.balance.code, 0)])
        let history = try await readBlocks(of: TransitServices.history)
        var gates: [TransitGateRecord]?
        if found.contains(TransitServices.gates.code) {
            gates = try await readBlocks(of: TransitServices.gates).map { TransitGateRecord($0) }
        }
        return TransitCard(
            system: system, balance: TransitBalance(balance[0]), history: TransitHistory(blocks: history),
            gates: gates?.filter { !$0.isUnused })
    }

    /// Reads as many blocks of a service as known cards have, or fewer.
    mutating func readBlocks(of service: ApplicationService) async throws(ClientError) -> [BlockData] {
        try await readBlocks(of: service.code, upTo: service.blockCount)
    }
}

/// Electronic money on a card, with its kind, balance and uses.
public struct ElectronicMoney: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case edy
        case nanaco
        case waon
        /// The stored fare of a transit card.
        case transit
    }

    public struct Entry: Hashable, Sendable {
        public let date: CalendarDate?
        public let time: ClockTime?
        /// The kind of use, as scenario files name it, such as `payment` or `top-up`.
        public let kind: String?
        /// The amount in yen, negative for a payment.
        public let amount: Int?
        public let balance: Int
    }

    public let kind: Kind
    public let system: FeliCaSystem
    /// The card number; `nil` if it cannot be read freely.
    public let number: CardNumber?
    public let balance: Int
    /// The history, newest first, without unused records.
    public let history: [Entry]
}

extension ElectronicMoney.Kind {
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

    func number(in block: BlockData) -> CardNumber? {
        switch self {
        case .edy: EdyIdentification(block).number
        case .nanaco, .waon: CardNumberBlock(block).number
        case .transit: nil
        }
    }

    func balance(in block: BlockData) -> Int {
        self == .transit ? Int(TransitBalance(block).balance) : Int(PurseBlock(block).value)
    }

    /// Returns the uses in the blocks of the history, block 0 first.
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
        self.init(record.time, record.type, .payment, record.amount, balance: record.balance)
    }

    init(_ record: NanacoHistoryRecord) {
        self.init(record.time, record.type, .payment, record.amount, balance: record.balance)
    }

    init(_ record: WAONHistoryRecord) {
        let amount = Int(record.charge) - Int(record.withdrawal)
        self.init(record.time, record.type, amount: amount, balance: record.balance)
    }

    /// Creates an entry from a record whose type says whether money was paid; an unknown type gives no amount.
    private init<Kind: NamedCode>(
        _ time: some PackedTimestamp, _ type: Kind, _ payment: Kind, _ amount: UInt32, balance: UInt32
    ) {
        let signed = type == payment ? -Int(amount) : Int(amount)
        self.init(time, type, amount: type.name == nil ? nil : signed, balance: balance)
    }

    private init(_ stamp: some PackedTimestamp, _ type: some NamedCode, amount: Int?, balance: UInt32) {
        date = stamp.date
        time = stamp.time
        kind = type.name?.identifier
        self.amount = amount
        self.balance = Int(balance)
    }

    init(_ trip: TransitHistory.Trip) {
        date = trip.record.date.date
        if case .shop(let till, _) = trip.record.place { time = till.time } else { time = nil }
        kind = trip.record.kind?.rawValue
        amount = trip.amount
        balance = Int(trip.record.balance)
    }
}

extension CardReader {
    /// Reads all electronic money on a card: Edy, nanaco and WAON in the common area, then the stored fare of a transit card.
    ///
    /// Reads the kinds that exist according to Request Service; a phone may have several.
    ///
    /// - Returns: At least one kind, in the order of ``ElectronicMoney/Kind``.
    /// - Throws: ``ClientError`` if there is no card with one of the systems, none of the services, or if the exchange fails.
    public mutating func readElectronicMoney() async throws(ClientError) -> [ElectronicMoney] {
        let kinds = ElectronicMoney.Kind.allCases
        var found: [ElectronicMoney] = []
        var last: FeliCaSystem?
        for code in [SystemCode.commonArea, .transit] {
            guard let system = try await find(system: code) else { continue }
            if let last, !system.isOnSameCard(as: last) {
                throw .wrongIDm(system.idm, insteadOf: last.idm, Polling.code.name)
            }
            last = system
            let here = kinds.filter { $0.place.system == code }
            let present = try await existing(here.map(\.place.balance.code))
            for kind in here where present.contains(kind.place.balance.code) {
                found.append(try await readMoney(kind, in: system))
            }
        }
        guard let last else { throw .noSystem(.commonArea) }
        guard !found.isEmpty else {
            throw .servicesMissing(kinds.map(\.place.balance.code), "card with electronic money", in: last.code)
        }
        return found
    }

    /// Reads one kind of electronic money, which the selected system has.
    private mutating func readMoney(
        _ kind: ElectronicMoney.Kind, in system: FeliCaSystem
    ) async throws(ClientError) -> ElectronicMoney {
        let place = kind.place
        let present = try await existing([place.number?.code, place.history.code].compactMap { $0 })
        var addresses = [BlockAddress(place.balance.code, 0)]
        if let number = place.number, present.contains(number.code) { addresses.append(BlockAddress(number.code, 0)) }
        let blocks = try await readBlocks(addresses)
        let history = present.contains(place.history.code) ? try await readBlocks(of: place.history) : []
        return ElectronicMoney(
            kind: kind, system: system, number: blocks.count > 1 ? kind.number(in: blocks[1]) : nil,
            balance: kind.balance(in: blocks[0]), history: kind.entries(in: history))
    }
}
