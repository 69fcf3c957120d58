/// One gate passage of a transit card, service 108F, newest first.
///
/// Source: observation of cards (felicalib wiki, nfcpy's traces).
public struct TransitGateRecord: BlockRecord {
    public struct Fields: RecordFields, Sendable {
        public let event = Field<Event>("event", .byte(0), privacy: .open)
        /// The intermediate gate type; its values are unknown.
        public let intermediateGate = Field<UInt8>(raw: "intermediate gate", .byte(1), privacy: .open)
        public let station = Field<StationCode>("station", .bigEndian(2...3), privacy: .station)
        public let machine = Field<UInt16>(raw: "machine", .bigEndian(4...5), privacy: .number)
        public let date = Field<TransitDate>("date", .bigEndian(6...7))
        public let time = Field<BCDTime>("time", .bigEndian(8...9))
        public let amount = Field<UInt16>("amount", .littleEndian(10...11), unit: "yen", privacy: .open)
        /// The fare in yen from here to the nearest station of a commuter pass.
        public let passFare = Field<UInt16>("pass fare", .littleEndian(12...13), unit: "yen", privacy: .open)
        /// The nearest station of a commuter pass.
        public let passStation = Field<StationCode>("pass station", .bigEndian(14...15), privacy: .station)

        package var listed: [any RecordField] {
            [event, intermediateGate, station, machine, date, time, amount, passFare, passStation]
        }
    }

    public static let fields = Fields()

    public struct Event: NamedCode {
        public let rawValue: UInt8

        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let entry = Event(0xA0)
        package static let exit = Event(0x20)

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

    package init(
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
}

/// The entry information of a transit card, service 10CB, two blocks: the entry station and the intermediate gate of the
/// Shinkansen.
///
/// Source: observation of cards (felicalib wiki).
package struct TransitEntry: BlockRecord {
    package struct Fields: RecordFields, Sendable {
        package let entryStation = Field<StationCode>("entry station", .bigEndian(0...1), privacy: .station)
        package let date = Field<TransitDate>("intermediate gate, date", .bigEndian(16...17))
        package let timeIn = Field<BCDTime>("time of the way in", .bigEndian(18...19))
        package let stationIn = Field<StationCode>("station of the way in", .bigEndian(20...21), privacy: .station)
        package let timeOut = Field<BCDTime>("time of the way out", .bigEndian(23...24))
        package let stationOut = Field<StationCode>("station of the way out", .bigEndian(25...26), privacy: .station)

        package var listed: [any RecordField] {
            [
                entryStation, date, JointField<TransitEntry>("way in", [timeIn, stationIn]),
                JointField<TransitEntry>("way out", [timeOut, stationOut]),
            ]
        }
    }

    package static let fields = Fields()

    package static let name = "transit entry information"
    package var stored: BlockPair

    package init(_ stored: BlockPair) {
        self.stored = stored
    }

    package init(entryStation: StationCode) {
        self.init(.zero)
        self.entryStation = entryStation
    }
}
