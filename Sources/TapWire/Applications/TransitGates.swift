/// One passage of a gate by a transit card, service 108F, newest first.
///
/// ```
/// 0    event                      8–9    time (BCD)
/// 1    intermediate gate type     10–11  amount (LE)
/// 2–3  station                    12–13  fare to the nearest station of the pass (LE)
/// 4–5  machine                    14–15  that station
/// 6–7  date
/// ```
/// Source: observation of cards (felicalib wiki, nfcpy's traces).
public struct TransitGateRecord: BlockRecord {
    private enum Layout {
        static let event = BitField.byte(0)
        static let intermediateGate = BitField.byte(1)
        static let station = BitField.bigEndian(2...3)
        static let machine = BitField.bigEndian(4...5)
        static let date = BitField.bigEndian(6...7)
        static let time = BitField.bigEndian(8...9)
        static let amount = BitField.littleEndian(10...11)
        static let passFare = BitField.littleEndian(12...13)
        static let passStation = BitField.bigEndian(14...15)
    }

    /// What happened at the gate.
    public struct Event: NamedCode {
        public let rawValue: UInt8

        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Entered with money.
        public static let entry = Event(0xA0)
        /// Left with money.
        public static let exit = Event(0x20)

        public static let names: [CodeName] = [
            CodeName(0xA0, "entry", "入場"),
            CodeName(0xC0, "pass entry", "定期入場"),
            CodeName(0x20, "exit", "出場"),
            CodeName(0x40, "pass exit", "定期出場"),
            CodeName(0x00, "adjustment", "精算"),
            CodeName(0x01, "adjustment", "精算"),
            CodeName(0x21, "special", "特殊"),
            CodeName(0x22, "special", "特殊"),
            CodeName(0x24, "special", "特殊"),
            CodeName(0x80, "flat fare entry", "均一入場"),
            CodeName(0xA2, "discount entry", "割引入場"),
        ]
    }

    public static let name = "transit gate record"
    public var stored: BlockData

    public init(_ stored: BlockData) {
        self.stored = stored
    }

    public init(
        _ event: Event, station: StationCode, machine: UInt16 = 0, date: TransitDate, time: BCDTime, amount: UInt16 = 0
    ) {
        self.init(.zero)
        self.event = event
        self.station = station
        self.machine = machine
        self.date = date
        self.time = time
        self.amount = amount
    }

    public var event: Event {
        get { Event(stored[Layout.event]) }
        set { stored[Layout.event] = newValue.rawValue }
    }

    /// The intermediate gate type, whose values are not known.
    public var intermediateGate: UInt8 {
        get { stored[Layout.intermediateGate] }
        set { stored[Layout.intermediateGate] = newValue }
    }

    /// The station of the gate.
    public var station: StationCode {
        get { StationCode(stored[Layout.station]) }
        set { stored[Layout.station] = newValue.rawValue }
    }

    /// The number of the gate.
    public var machine: UInt16 {
        get { stored[Layout.machine] }
        set { stored[Layout.machine] = newValue }
    }

    public var date: TransitDate {
        get { TransitDate(stored[Layout.date]) }
        set { stored[Layout.date] = newValue.rawValue }
    }

    /// The time of day.
    public var time: BCDTime {
        get { BCDTime(stored[Layout.time]) }
        set { stored[Layout.time] = newValue.rawValue }
    }

    /// Yen paid.
    public var amount: UInt16 {
        get { stored[Layout.amount] }
        set { stored[Layout.amount] = newValue }
    }

    /// Yen from here to the nearest station of a commuter pass.
    public var passFare: UInt16 {
        get { stored[Layout.passFare] }
        set { stored[Layout.passFare] = newValue }
    }

    /// The nearest station of a commuter pass.
    public var passStation: StationCode {
        get { StationCode(stored[Layout.passStation]) }
        set { stored[Layout.passStation] = newValue.rawValue }
    }
}

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
