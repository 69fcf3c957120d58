import TapCards
import TapWire

/// A history of card uses, generated around the stated lines, from the newest to the oldest.
///
/// Stated values stay as they are. The balances are consistent: each is the balance of the older line plus the change.
struct Ledger {
    struct Line: Hashable {
        var kind: String
        var date: CalendarDate
        var time: ClockTime
        /// The change of the balance, in yen.
        var change: Int
        /// The balance afterwards, in yen.
        var balance: Int
        var number: Int
        /// The route of a ride that the habits drew.
        var route: Route?
    }

    /// A ride that the habits drew: the index of its destination, and a Boolean value that indicates whether it led home.
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

    /// The newest day of a history that states no date.
    static let newestDay = CalendarDate(year: 2026, month: 4, day: 1)

    init(
        _ statements: [Statement], count: Int, balance: Int?, habits: inout some LedgerHabits, random: SeededGenerator
    ) {
        self.statements = statements
        self.random = random
        var left = balance ?? newestBalance(&habits)
        var clock = LedgerClock(statements.lazy.compactMap(\.date).first ?? Self.newestDay, &self.random)
        var number = count + 40 + self.random.next(below: 4_000)
        for index in 0..<count {
            // Includes changes that `newestBalance` drew for the statements.
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

    /// The current balance, in yen.
    private(set) var balance = 0

    /// The newest balance, derived from the first stated balance and the changes since then, or drawn if none is stated.
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

    /// The next stated day from an index on; generated lines are not before that day.
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
        // The balance of a card is never negative.
        if change == nil { drawn.change = min(drawn.change, balance) }
        return Line(
            kind: drawn.kind, date: Self.newestDay ?? LedgerClock.firstDay, time: LedgerClock.noon,
            change: drawn.change, balance: balance, number: 0, route: drawn.route)
    }
}

/// The uses of a card: their kinds and their costs.
protocol LedgerHabits {
    /// Draws the use that results in `balance`.
    mutating func draw(
        balance: Int, _ random: inout SeededGenerator
    ) -> (kind: String, change: Int, route: Ledger.Route?)

    /// Draws the change of the balance, in yen, for a use of a kind that results in `balance`.
    mutating func change(of kind: String, balance: Int, _ random: inout SeededGenerator) -> Int

    /// The most likely kind for a change of the balance, in yen.
    func kind(ofChange change: Int) -> String
}

extension LedgerHabits {
    /// The top-up that resulted in `balance`, or `nil` if there was none.
    ///
    /// A top-up happens if the card was nearly empty or if the balance would otherwise be too high.
    ///
    /// - Parameter limit: The balance, in yen, that a card rarely exceeds.
    func topUp(before balance: Int, limit: Int, _ random: inout SeededGenerator) -> Int? {
        let amounts = [10_000, 5_000, 3_000, 2_000, 1_000]
        if balance > limit { return amounts.first { $0 <= balance } }
        guard let amount = amounts.first(where: { (0..<1_000).contains(balance - $0) }) else { return nil }
        return random.next(below: 3) == 0 || balance > 4_000 ? amount : nil
    }
}

/// The clock of a history, which moves back from line to line.
struct LedgerClock {
    private(set) var day: CalendarDate
    private(set) var time: ClockTime

    /// The day at which all clocks stop.
    static let firstDay = CalendarDate(daysSince2000: 0) ?? unreachable("2000-01-01 is a day")
    static let noon = ClockTime(hour: 12, minute: 0) ?? unreachable("noon is a time")

    private static let firstHour = 6
    private static let lastHour = 22

    /// Starts in the evening of a day.
    init(_ day: CalendarDate?, _ random: inout SeededGenerator) {
        self.day = day ?? Self.firstDay
        time = Self.evening(&random)
    }

    /// Moves back by some hours, or to the evening of an earlier day.
    ///
    /// - Parameter notBefore: The earliest day allowed.
    mutating func goBack(notBefore limit: CalendarDate?, _ random: inout SeededGenerator) {
        let seconds = time.secondOfDay - 600 - 60 * random.next(below: 480)
        if seconds >= Self.firstHour * 3_600, let earlier = ClockTime(secondOfDay: seconds) {
            time = earlier
            return
        }
        let days = 1 + random.next(below: 3)
        let limit = max(limit ?? Self.firstDay, Self.firstDay)
        guard day > limit else {
            // No earlier day is left, so move back by a minute.
            time = ClockTime(secondOfDay: max(0, time.secondOfDay - 60)) ?? time
            return
        }
        day = max(day.adding(days: -days) ?? limit, limit)
        time = Self.evening(&random)
    }

    /// Uses the date and the time that the line states.
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
