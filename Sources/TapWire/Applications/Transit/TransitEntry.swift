/// Stored-fare entry information of a transit card, service 10CB, two blocks: where it entered, and the intermediate
/// gate of the Shinkansen.
///
/// ```
/// 0–1    entry station            20–21  station of the way in
/// 16–17  date                     23–24  time of the way out (BCD)
/// 18–19  time of the way in (BCD) 25–26  station of the way out
/// ```
/// Source: observation of cards (felicalib wiki).
public struct TransitEntry: BlockRecord {
    private enum Layout {
        static let entryStation = BitField.bigEndian(0...1)
        static let date = BitField.bigEndian(16...17)
        static let timeIn = BitField.bigEndian(18...19)
        static let stationIn = BitField.bigEndian(20...21)
        static let timeOut = BitField.bigEndian(23...24)
        static let stationOut = BitField.bigEndian(25...26)
    }

    public static let name = "transit entry information"
    public var stored: BlockPair

    public init(_ stored: BlockPair) {
        self.stored = stored
    }

    public init(entryStation: StationCode) {
        self.init(.zero)
        self.entryStation = entryStation
    }

    /// The station where the card entered.
    public var entryStation: StationCode {
        get { StationCode(stored[Layout.entryStation]) }
        set { stored[Layout.entryStation] = newValue.rawValue }
    }

    /// The day at the intermediate gate.
    public var date: TransitDate {
        get { TransitDate(stored[Layout.date]) }
        set { stored[Layout.date] = newValue.rawValue }
    }

    /// The time at the intermediate gate on the way in.
    public var timeIn: BCDTime {
        get { BCDTime(stored[Layout.timeIn]) }
        set { stored[Layout.timeIn] = newValue.rawValue }
    }

    /// The station of the intermediate gate on the way in.
    public var stationIn: StationCode {
        get { StationCode(stored[Layout.stationIn]) }
        set { stored[Layout.stationIn] = newValue.rawValue }
    }

    /// The time at the intermediate gate on the way out.
    public var timeOut: BCDTime {
        get { BCDTime(stored[Layout.timeOut]) }
        set { stored[Layout.timeOut] = newValue.rawValue }
    }

    /// The station of the intermediate gate on the way out.
    public var stationOut: StationCode {
        get { StationCode(stored[Layout.stationOut]) }
        set { stored[Layout.stationOut] = newValue.rawValue }
    }
}
