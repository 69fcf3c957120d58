import TapWire
import TestSupport
import Testing

@Suite struct `Calendar dates` {
    @Test(arguments: [
        ("2000-01-01", 0), ("2000-02-29", 59), ("2000-03-01", 60), ("1999-12-31", -1), ("2016-02-15", 5_889),
        ("2026-11-18", 9_818), ("1970-01-01", -10_957), ("0001-01-01", -730_119), ("9999-12-31", 2_921_939),
    ])
    func `are counted in days from 2000`(text: String, days: Int) throws {
        let date = try #require(CalendarDate(text))
        #expect(date.daysSince2000 == days)
        #expect(CalendarDate(daysSince2000: days) == date)
        #expect(date.description == text)
    }

    @Test(arguments: [
        "2025-02-29", "1900-02-29", "2026-00-10", "2026-13-01", "2026-04-31", "2026-01-00", "2026-1-01", "26-01-01",
        "0000-01-01", "2026-01-01T", "2026/01/01", "", "-026-01-01", "２０２６-01-01",
    ])
    func `reject text that is not an existing day in ISO 8601`(text: String) {
        #expect(CalendarDate(text) == nil)
    }

    @Test func `follow each other without a gap for four centuries`() throws {
        var date = try #require(CalendarDate("1599-12-31"))
        let monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        for year in 1600..<2001 {
            let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
            for month in 1...12 {
                for day in 1...monthDays[month - 1] + (month == 2 && isLeap ? 1 : 0) {
                    let next = try #require(date.adding(days: 1))
                    if next.year != year || next.month != month || next.day != day || next <= date {
                        Issue.record("\(date) is followed by \(next)")
                    }
                    date = next
                }
            }
        }
    }

    @Test func `end with the year 9999`() throws {
        let last = try #require(CalendarDate("9999-12-31"))
        #expect(last.adding(days: 1) == nil)
        #expect(last.adding(days: .max) == nil)
        #expect(CalendarDate(daysSince2000: .min) == nil)
        #expect(last.adding(days: -3_652_058) == CalendarDate("0001-01-01"))
        #expect(last.adding(days: -3_652_059) == nil)
    }
}

@Suite struct `Clock times` {
    @Test(arguments: [("00:00", 0), ("07:44", 27_840), ("12:23:29", 44_609), ("23:59:59", 86_399)])
    func `are read and written`(text: String, seconds: Int) {
        #expect(ClockTime(text)?.secondOfDay == seconds)
        #expect(ClockTime(secondOfDay: seconds)?.description == text)
    }

    @Test(arguments: ["24:00", "07:60", "07:44:60", "7:44", "0744", "07:44:", "07:44:30:1", "", ":", "-1:00"])
    func `reject text that is not a time of day`(text: String) {
        #expect(ClockTime(text) == nil)
    }

    @Test func `end at midnight`() {
        #expect(ClockTime(secondOfDay: 86_400) == nil)
        #expect(ClockTime(secondOfDay: -1) == nil)
        #expect(EdyTimestamp(0x1_FFFF).time == nil)
    }
}

@Suite struct `Card number text` {
    @Test func `has sixteen digits`() {
        #expect(CardNumber("1234567890123456")?.rawValue == 0x1234_5678_9012_3456)
        #expect(CardNumber("1234 5678 9012 3456")?.description == "1234567890123456")
        #expect(CardNumber("123456789012345") == nil)
        #expect(CardNumber("123456789012345A") == nil)
        #expect(CardNumber(0x1234_5678_9012_345A).description == "123456789012345A")
        #expect(!CardNumber(0x1234_5678_9012_345A).isDecimal)
        #expect(CardNumber(0).isDecimal)
    }
}
