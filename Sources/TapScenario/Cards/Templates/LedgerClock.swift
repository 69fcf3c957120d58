import TapCards
import TapWire

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
