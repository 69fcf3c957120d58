import TapCards
import TapWire

/// A history of uses of a card, made up around what is stated, from the newest line to the oldest.
///
/// What is stated stays as it is. Balances agree line by line: each is that of the older line with the change added.
struct Ledger {
    struct Line: Hashable {
        var kind: String
        var date: CalendarDate
        var time: ClockTime
        /// By how many yen the balance changed.
        var change: Int
        /// Yen afterwards.
        var balance: Int
        var number: Int
        /// What the habits remember of a line they drew: the route of a ride.
        var route: Route?
    }

    /// A ride the habits drew: which way, and whether it led home.
    struct Route: Hashable {
        let index: Int
        let isHomeward: Bool
    }

    struct Statement {
        var kind: String?
        var date: CalendarDate?
        var time: ClockTime?
        var change: Int?
        var balance: Int?
        var number: Int?
    }

    /// The lines, newest first.
    private(set) var lines: [Line] = []
    private var random: SeededGenerator
    private var statements: [Statement]

    /// The newest day of a history that states none.
    static let newestDay = CalendarDate(year: 2026, month: 4, day: 1)

    /// Makes up a history.
    init(
        _ statements: [Statement], count: Int, balance: Int?, habits: inout some LedgerHabits, random: SeededGenerator
    ) {
        self.statements = statements
        self.random = random
        var left = balance ?? newestBalance(&habits)
        var clock = LedgerClock(statements.lazy.compactMap(\.date).first ?? Self.newestDay, &self.random)
        var number = count + 40 + self.random.next(below: 4_000)
        for index in 0..<count {
            // With what the newest balance has made of the statements.
            let stated = index < self.statements.count ? self.statements[index] : Statement()
            let older = index + 1 < statements.count ? statements[index + 1].balance : nil
            left = stated.balance ?? left
            var line = line(stated, balance: left, before: older, &habits)
            if index > 0 { clock.goBack(notBefore: nextDay(from: index), &self.random) }
            clock.take(stated.date, stated.time)
            (line.date, line.time) = (clock.day, clock.time)
            number = stated.number ?? number
            line.number = number
            lines.append(line)
            number = max(0, number - 1)
            left = older ?? left - line.change
        }
        self.balance = lines.first?.balance ?? left
    }

    /// Yen on the card now.
    private(set) var balance = 0

    /// The balance that the first stated one and the changes since then give, else one of chance.
    private mutating func newestBalance(_ habits: inout some LedgerHabits) -> Int {
        guard let first = statements.firstIndex(where: { $0.balance != nil }) else {
            return 500 + 10 * random.next(below: 450)
        }
        var balance = statements[first].balance ?? 0
        for index in (0..<first).reversed() {
            let kind = statements[index].kind ?? habits.kind(ofChange: -1)
            let change = statements[index].change ?? habits.change(of: kind, balance: balance, &random)
            statements[index].change = max(change, -balance)
            balance = max(0, balance + change)
        }
        return balance
    }

    /// The next stated day from an index on, before which nothing is made up.
    private func nextDay(from index: Int) -> CalendarDate? {
        statements.dropFirst(index).lazy.compactMap(\.date).first
    }

    private mutating func line(
        _ stated: Statement, balance: Int, before: Int?, _ habits: inout some LedgerHabits
    ) -> Line {
        let change = stated.change ?? before.map { balance - $0 }
        var drawn: (kind: String, change: Int, route: Route?)
        if let kind = stated.kind {
            drawn = (kind, change ?? habits.change(of: kind, balance: balance, &random), nil)
        } else if let change {
            drawn = (habits.kind(ofChange: change), change, nil)
        } else {
            drawn = habits.draw(balance: balance, &random)
        }
        // A card never held less than nothing.
        if change == nil { drawn.change = min(drawn.change, balance) }
        return Line(
            kind: drawn.kind, date: Self.newestDay ?? LedgerClock.firstDay, time: LedgerClock.noon,
            change: drawn.change, balance: balance, number: 0, route: drawn.route)
    }
}

/// What happens to a card: kinds of uses and what they cost.
protocol LedgerHabits {
    /// Draws the use after which a card holds `balance`.
    mutating func draw(
        balance: Int, _ random: inout SeededGenerator
    ) -> (kind: String, change: Int, route: Ledger.Route?)

    /// Draws by how many yen a use of a kind changed the balance, which is `balance` afterwards.
    mutating func change(of kind: String, balance: Int, _ random: inout SeededGenerator) -> Int

    /// The kind that a change by so many yen most likely has.
    func kind(ofChange change: Int) -> String
}

extension LedgerHabits {
    /// The top-up that left `balance` on a card that was nearly empty, or was due at the latest; nothing for none.
    ///
    /// - Parameter limit: Yen above which a card is hardly ever.
    func topUp(before balance: Int, limit: Int, _ random: inout SeededGenerator) -> Int? {
        let amounts = [10_000, 5_000, 3_000, 2_000, 1_000]
        if balance > limit { return amounts.first { $0 <= balance } }
        guard let amount = amounts.first(where: { (0..<1_000).contains(balance - $0) }) else { return nil }
        return random.next(below: 3) == 0 || balance > 4_000 ? amount : nil
    }
}

/// The time of the lines of a history, which goes back from line to line.
struct LedgerClock {
    private(set) var day: CalendarDate
    private(set) var time: ClockTime

    /// Where all clocks end.
    static let firstDay = CalendarDate(daysSince2000: 0) ?? unreachable("2000-01-01 is a day")
    /// The middle of a day.
    static let noon = ClockTime(hour: 12, minute: 0) ?? unreachable("noon is a time")

    private static let firstHour = 6
    private static let lastHour = 22

    /// Starts in the evening of a day.
    init(_ day: CalendarDate?, _ random: inout SeededGenerator) {
        self.day = day ?? Self.firstDay
        time = Self.evening(&random)
    }

    /// Goes some hours back, or to the evening of an earlier day.
    ///
    /// - Parameter notBefore: The day that is not left behind.
    mutating func goBack(notBefore limit: CalendarDate?, _ random: inout SeededGenerator) {
        let seconds = time.secondOfDay - 600 - 60 * random.next(below: 480)
        if seconds >= Self.firstHour * 3_600, let earlier = ClockTime(secondOfDay: seconds) {
            time = earlier
            return
        }
        let days = 1 + random.next(below: 3)
        let limit = max(limit ?? Self.firstDay, Self.firstDay)
        guard day > limit else {
            // No earlier day is left: the minutes before.
            time = ClockTime(secondOfDay: max(0, time.secondOfDay - 60)) ?? time
            return
        }
        day = max(day.adding(days: -days) ?? limit, limit)
        time = Self.evening(&random)
    }

    /// Takes what is stated about the line.
    mutating func take(_ day: CalendarDate?, _ time: ClockTime?) {
        if let day { self.day = day }
        if let time { self.time = time }
    }

    private static func evening(_ random: inout SeededGenerator) -> ClockTime {
        let minutes = 17 * 60 + random.next(below: (lastHour - 17) * 60)
        return ClockTime(secondOfDay: minutes * 60) ?? noon
    }

    private static func unreachable<Value>(_ reason: String) -> Value { preconditionFailure(reason) }
}
