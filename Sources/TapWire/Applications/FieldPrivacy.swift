/// The privacy class of a record field, which determines how recordings for others replace it.
package enum FieldPrivacy: Sendable {
    /// Never shown, not even in part.
    case masked
    /// Always shown: amounts, balances and kinds of use identify neither a card nor a person.
    case open
    case cardNumber
    case station
    /// The code of a region or an area.
    case area
    /// The number of a stop, till or machine.
    case number
    /// A counter of a card's uses; all counters of a card with the same name are one counter.
    case sequence(of: String)
    /// A date, a time of day, or both.
    case moment(any MomentCode.Type)
    /// Bytes without a known meaning.
    case data
}

/// A date, a time of day, or both.
package struct Moment: Hashable, Sendable {
    package let date: CalendarDate?
    package let time: ClockTime?

    package init(date: CalendarDate? = nil, time: ClockTime? = nil) {
        self.date = date
        self.time = time
    }
}

/// A code for a date, a time of day, or both.
package protocol MomentCode: OpenCode {
    /// The first year that the code can represent.
    static var firstYear: Int { get }
    /// The moment, or `nil` if the bits encode no day or no time.
    var moment: Moment? { get }
    /// Returns `nil` for a moment that the bits cannot represent.
    init?(moment: Moment)
}

/// A code for a time of day alone.
package protocol TimeCode: MomentCode {
    var time: ClockTime? { get }
    /// Creates the code for a time, dropping whatever the code cannot represent.
    init(_ time: ClockTime)
}

extension TimeCode {
    package static var firstYear: Int { CalendarDate.years.lowerBound }
    package var moment: Moment? { time.map { Moment(time: $0) } }

    package init?(moment: Moment) {
        guard let time = moment.time else { return nil }
        self.init(time)
    }
}

extension PackedTimestamp {
    package var moment: Moment? {
        guard let date, let time else { return nil }
        return Moment(date: date, time: time)
    }

    package init?(moment: Moment) {
        guard let date = moment.date, let time = moment.time, let stamp = try? Self(date, time) else { return nil }
        self = stamp
    }
}

extension TransitDate: MomentCode {
    package static var firstYear: Int { years.lowerBound }
    package var moment: Moment? { date.map { Moment(date: $0) } }

    package init?(moment: Moment) {
        guard let date = moment.date, let code = try? TransitDate(date) else { return nil }
        self = code
    }
}
