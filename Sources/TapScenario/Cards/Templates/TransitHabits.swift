import TapCards
import TapWire

/// What happens to a transit card: rides to a few places and back, small purchases, top-ups when it is nearly empty.
struct TransitHabits: LedgerHabits {
    private typealias Kind = TransitHistoryRecord.Kind

    /// Yen above which a card is topped up no further.
    private static let limit = 18_000

    /// Where rides begin and end.
    let home: StationCode
    /// Where rides lead, each at a fare of its own.
    let places: [(station: StationCode, fare: Int)]
    /// The ride home whose way out has still to be drawn.
    private var returning: Int?

    /// Draws a home and places.
    init(lines: [UInt8], _ random: inout SeededGenerator) {
        let home = StationCode(line: lines.first ?? 1, station: UInt8(20 + random.next(below: 60)))
        var places: [(station: StationCode, fare: Int)] = []
        for index in 0..<4 {
            let line = lines.isEmpty ? 1 : lines[random.next(below: lines.count)]
            // Stations above those a home can be, each place in a range of its own.
            let station = UInt8(100 + 25 * index + random.next(below: 25))
            places.append((StationCode(line: line, station: station), 140 + 60 * index + 10 * random.next(below: 6)))
        }
        self.home = home
        self.places = places
    }

    mutating func draw(
        balance: Int, _ random: inout SeededGenerator
    ) -> (kind: String, change: Int, route: Ledger.Route?) {
        if let index = returning {
            returning = nil
            return ride(index, isHomeward: false)
        }
        if let amount = topUp(before: balance, limit: Self.limit, &random) { return (Kind.topUp.rawValue, amount, nil) }
        let kind: Kind
        switch random.next(below: 10) {
        case 0: kind = .bus
        case 1: kind = .vendingMachine
        case 2: kind = .shop
        default:
            let index = random.next(below: places.count)
            returning = index
            return ride(index, isHomeward: true)
        }
        return (kind.rawValue, change(of: kind.rawValue, balance: balance, &random), nil)
    }

    private func ride(_ index: Int, isHomeward: Bool) -> (kind: String, change: Int, route: Ledger.Route?) {
        (Kind.fareGate.rawValue, -places[index].fare, Ledger.Route(index: index, isHomeward: isHomeward))
    }

    mutating func change(of kind: String, balance: Int, _ random: inout SeededGenerator) -> Int {
        switch Kind(rawValue: kind) {
        case .fareGate, .windowExit: -places[random.next(below: places.count)].fare
        case .shinkansen: -(2_000 + 10 * random.next(below: 200))
        case .adjustment, .busAdjustment: -(20 + 10 * random.next(below: 15))
        case .bus, .shuttleBus: -(210 + 10 * random.next(below: 4))
        case .busTicket, .ticketMachine: -(150 + 10 * random.next(below: 80))
        case .shop, .shopInside: -(100 + random.next(below: 1_100))
        case .vendingMachine: -(110 + 10 * random.next(below: 8))
        case .topUp, .busTopUp, .shopTopUp: [1_000, 2_000, 3_000, 5_000][random.next(below: 4)]
        case .autoCharge: 3_000
        case .pointTopUp: 100 * (1 + random.next(below: 10))
        case .newIssue: 1_500
        case .shopVoid, .cancellation: 100 + random.next(below: 400)
        case .refund: -220
        case .reissue, nil: 0
        }
    }

    func kind(ofChange change: Int) -> String {
        let isFare = places.contains { $0.fare == -change }
        if isFare { return Kind.fareGate.rawValue }
        return change > 0 ? Kind.topUp.rawValue : Kind.shop.rawValue
    }

    /// The sign of what a kind does to the balance, 0 where it may be either.
    static func sign(ofKind kind: String) -> Int {
        switch Kind(rawValue: kind) {
        case .fareGate, .windowExit, .shinkansen, .adjustment, .busAdjustment, .bus, .shuttleBus, .busTicket,
            .ticketMachine, .shop, .shopInside, .vendingMachine:
            -1
        case .topUp, .busTopUp, .shopTopUp, .autoCharge, .pointTopUp, .newIssue, .shopVoid: 1
        case .cancellation, .refund, .reissue, nil: 0
        }
    }

    /// The place at about a fare.
    func nearestPlace(fare: Int) -> Int {
        places.indices.min { abs(places[$0].fare - fare) < abs(places[$1].fare - fare) } ?? 0
    }
}
