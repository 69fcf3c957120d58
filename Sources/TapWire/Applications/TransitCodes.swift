/// The date of a transit record, two bytes: year after 2000 (7 bits), month (4), day (5).
///
/// Zero means no date. Source: observation of cards; public decoders agree.
public struct TransitDate: OpenCode, CustomStringConvertible {
    /// The years that seven bits can represent.
    package static let years = 2000...2127
    package static let none = TransitDate(0)

    /// The big-endian number as stored.
    public let rawValue: UInt16

    public init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Throws ``WireError`` outside ``years``.
    package init(_ date: CalendarDate) throws(WireError) {
        try date.requireYear(in: Self.years, of: "transit date")
        var bits: UInt16 = 0
        bits[bits: 9...15] = UInt16(date.year - 2000)
        bits[bits: 5...8] = UInt16(date.month)
        bits[bits: 0...4] = UInt16(date.day)
        rawValue = bits
    }

    package var year: Int { 2000 + Int(rawValue[bits: 9...15]) }
    /// The month as stored, 0 to 15.
    package var month: Int { Int(rawValue[bits: 5...8]) }
    /// The day as stored, 0 to 31.
    package var day: Int { Int(rawValue[bits: 0...4]) }

    public var date: CalendarDate? { CalendarDate(year: year, month: month, day: day) }

    /// ISO 8601 text, or the bits in hexadecimal if they encode no date.
    public var description: String { date?.description ?? Hex.digits(rawValue, width: 4) }
}

/// The time of a transit record, two bytes: hour (5 bits), minute (6), seconds divided by two (5).
///
/// Source: felica-rs. NFCReader reads the last five bits as whole seconds.
public struct TransitTime: TimeCode, CustomStringConvertible {
    /// The big-endian number as stored.
    public let rawValue: UInt16

    public init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Rounds an odd second down.
    package init(_ time: ClockTime) {
        var bits: UInt16 = 0
        bits[bits: 11...15] = UInt16(time.hour)
        bits[bits: 5...10] = UInt16(time.minute)
        bits[bits: 0...4] = UInt16(time.second / 2)
        rawValue = bits
    }

    public var time: ClockTime? {
        ClockTime(
            hour: Int(rawValue[bits: 11...15]), minute: Int(rawValue[bits: 5...10]),
            second: 2 * Int(rawValue[bits: 0...4]))
    }

    /// Text such as `07:44`, or the bits in hexadecimal if they encode no time.
    public var description: String { time?.description ?? Hex.digits(rawValue, width: 4) }
}

/// A station of the transit system, two bytes: the line, then the station on that line.
///
/// Lines 01 to 7F belong to JR, 80 to FF to private and public railways; the company also depends on the region of the
/// record. The decimal text form is `001-204`.
public struct StationCode: OpenCode, CustomStringConvertible {
    public var line: UInt8
    public var station: UInt8

    package init(line: UInt8, station: UInt8) {
        self.line = line
        self.station = station
    }

    /// Creates a station from a number with the line in the high byte.
    public init(_ rawValue: UInt16) {
        self.init(line: UInt8(rawValue >> 8), station: UInt8(truncatingIfNeeded: rawValue))
    }

    /// Reads text such as `001-204`.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let line = DecimalText.number(parts[0], width: 3).flatMap(UInt8.init(exactly:)),
            let station = DecimalText.number(parts[1], width: 3).flatMap(UInt8.init(exactly:))
        else { return nil }
        self.init(line: line, station: station)
    }

    public var rawValue: UInt16 { UInt16(line) << 8 | UInt16(station) }

    public var description: String {
        "\(DecimalText.digits(Int(line), width: 3))-\(DecimalText.digits(Int(station), width: 3))"
    }
}

/// The kind of process, the low seven bits of byte 1 of a history record.
///
/// Source: observation of cards, as decoded by felicalib wiki, TRETJapanNFCReader, FareBot and Metrodroid.
public struct ProcessType: NamedCode {
    public let rawValue: UInt8

    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue & 0x7F
    }

    package static let gateExit = ProcessType(0x01)
    package static let topUp = ProcessType(0x02)
    package static let ticket = ProcessType(0x03)
    package static let adjustment = ProcessType(0x04)
    static let entryAdjustment = ProcessType(0x05)
    package static let windowExit = ProcessType(0x06)
    package static let newIssue = ProcessType(0x07)
    package static let refund = ProcessType(0x08)
    package static let bus = ProcessType(0x0D)
    package static let reissue = ProcessType(0x10)
    package static let shinkansenExit = ProcessType(0x13)
    /// Money added by the gate at entry.
    static let autoChargeAtEntry = ProcessType(0x14)
    package static let busAdjustment = ProcessType(0x19)
    package static let shuttleBus = ProcessType(0x1D)
    package static let busTopUp = ProcessType(0x1F)
    package static let busTicket = ProcessType(0x23)
    package static let cancellation = ProcessType(0x33)
    package static let purchase = ProcessType(0x46)
    package static let pointTopUp = ProcessType(0x48)
    static let tillTopUp = ProcessType(0x49)
    static let purchaseVoid = ProcessType(0x4A)
    static let purchaseInside = ProcessType(0x4B)

    public static let names: [CodeName] = [
        CodeName(0x01, "gate exit", "改札出場"),
        CodeName(0x02, "top-up", "チャージ"),
        CodeName(0x03, "ticket purchase", "きっぷ購入"),
        CodeName(0x04, "adjustment", "精算"),
        CodeName(0x05, "adjustment at entry", "乗越精算"),
        CodeName(0x06, "exit at window", "窓口出場"),
        CodeName(0x07, "new issue", "新規"),
        CodeName(0x08, "deduction or refund", "控除・返金"),
        CodeName(0x0D, "bus", "バス"),
        CodeName(0x0C, "bus", "バス"),
        CodeName(0x0F, "bus", "バス"),
        CodeName(0x10, "reissue", "再発行"),
        CodeName(0x11, "reissue", "再発行"),
        CodeName(0x13, "Shinkansen exit", "料金出場（新幹線）"),
        CodeName(0x14, "auto-charge at entry", "オートチャージ（入場）"),
        CodeName(0x15, "auto-charge at exit", "オートチャージ（出場）"),
        CodeName(0x17, "auto-charge", "オートチャージ"),
        CodeName(0x19, "bus adjustment", "バス精算"),
        CodeName(0x1A, "bus adjustment", "バス精算"),
        CodeName(0x1B, "bus adjustment", "バス精算"),
        CodeName(0x1D, "shuttle bus", "シャトルバス"),
        CodeName(0x1F, "top-up on bus", "バスチャージ"),
        CodeName(0x23, "bus or tram ticket", "企画券購入"),
        CodeName(0x33, "cancellation", "取消"),
        CodeName(0x46, "purchase", "物販"),
        CodeName(0x48, "point top-up", "特典・ポイントチャージ"),
        CodeName(0x49, "top-up at till", "入金（レジ）"),
        CodeName(0x4A, "purchase void", "物販取消"),
        CodeName(0x4B, "purchase while inside", "入場物販"),
    ]
}

/// The kind of machine that wrote a history record, byte 0.
///
/// Source: observation of cards, as decoded by felicalib wiki, TRETJapanNFCReader, FareBot and Metrodroid.
public struct TerminalType: NamedCode {
    public let rawValue: UInt8

    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    static let fareAdjustment = TerminalType(0x03)
    static let vehicle = TerminalType(0x05)
    package static let ticketMachine = TerminalType(0x08)
    package static let automaticGate = TerminalType(0x16)
    static let stationMachine = TerminalType(0x18)
    static let staffedGate = TerminalType(0x1A)
    static let shinkansenGate = TerminalType(0x23)
    static let pointExchange = TerminalType(0x48)
    package static let shop = TerminalType(0xC7)
    package static let vendingMachine = TerminalType(0xC8)

    public static let names: [CodeName] = [
        CodeName(0x03, "fare adjustment machine", "のりこし精算機"),
        CodeName(0x04, "handheld terminal", "携帯型端末"),
        CodeName(0x05, "vehicle terminal", "車載端末"),
        CodeName(0x08, "ticket machine", "券売機"),
        CodeName(0x07, "ticket machine", "券売機"),
        CodeName(0x09, "quick charge machine", "入金機"),
        CodeName(0x12, "monorail ticket machine", "券売機（モノレール）"),
        CodeName(0x18, "station machine", "駅務機器"),
        CodeName(0x14, "station machine", "駅務機器"),
        CodeName(0x15, "pass vending machine", "定期券発売機"),
        CodeName(0x16, "automatic gate", "自動改札機"),
        CodeName(0x17, "simple gate", "簡易改札機"),
        CodeName(0x19, "ticket office", "みどりの窓口"),
        CodeName(0x1A, "staffed gate", "有人改札"),
        CodeName(0x1B, "mobile phone", "モバイル"),
        CodeName(0x1C, "transfer adjustment machine", "乗継精算機"),
        CodeName(0x1D, "transfer gate", "連絡改札機"),
        CodeName(0x1F, "simple charge machine", "簡易入金機"),
        CodeName(0x20, "counter terminal", "窓口処理機"),
        CodeName(0x21, "adjustment machine", "精算機"),
        CodeName(0x22, "simple gate of Kotoden", "簡易改札機（ことでん）"),
        CodeName(0x23, "Shinkansen gate", "新幹線改札機"),
        CodeName(0x24, "on-board ticket issuer", "車内補充券発行機"),
        CodeName(0x34, "Setamaru terminal", "せたまる端末"),
        CodeName(0x35, "on-board terminal", "車内端末"),
        CodeName(0x36, "on-board terminal", "車内端末"),
        CodeName(0x46, "VIEW ALTTE", "VIEW ALTTE"),
        CodeName(0x48, "point exchange", "ポイント交換"),
        CodeName(0xC7, "shop till", "物販端末"),
        CodeName(0xC8, "vending machine", "自販機"),
    ]
}

/// The source of the money, byte 2 of a history record.
///
/// Source: observation of cards, as decoded by felicalib wiki, TRETJapanNFCReader, FareBot and Metrodroid.
public struct PaymentType: NamedCode {
    public let rawValue: UInt8

    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let cash = PaymentType(0x00)
    package static let view = PaymentType(0x02)

    public static let names: [CodeName] = [
        CodeName(0x00, "cash or none", "現金/なし"),
        CodeName(0x02, "VIEW", "VIEW"),
        CodeName(0x0B, "PiTaPa", "PiTaPa"),
        CodeName(0x0C, "credit card", "クレジットカード"),
        CodeName(0x0D, "PASMO auto-charge", "PASMOオートチャージ"),
        CodeName(0x13, "nimoca", "nimoca"),
        CodeName(0x1E, "nimoca", "nimoca"),
        CodeName(0x3F, "Mobile Suica app", "モバイルSuicaアプリ"),
    ]
}

/// The kind of gate passage, byte 3 of a history record.
///
/// Source: observation of cards, as decoded by felicalib wiki, TRETJapanNFCReader, FareBot and Metrodroid.
public struct GateType: NamedCode {
    public let rawValue: UInt8

    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let none = GateType(0x00)
    package static let entry = GateType(0x01)
    static let entryExit = GateType(0x02)
    package static let windowExit = GateType(0x0E)
    package static let bus = GateType(0x0F)

    public static let names: [CodeName] = [
        CodeName(0x00, "none", "なし"),
        CodeName(0x01, "entry", "入場"),
        CodeName(0x02, "entry to exit", "入場→出場"),
        CodeName(0x03, "pass entry to exit", "定期入場→出場"),
        CodeName(0x04, "entry to pass exit", "入場→定期出場"),
        CodeName(0x05, "transfer discount", "乗継割引"),
        CodeName(0x17, "transfer discount", "乗継割引"),
        CodeName(0x1D, "transfer discount", "乗継割引"),
        CodeName(0x0E, "window exit", "窓口出場"),
        CodeName(0x0F, "bus", "バス"),
        CodeName(0x12, "fare pass", "料金定期"),
        CodeName(0x21, "bus transfer discount", "バス乗継割引"),
        CodeName(0x22, "outside pass area", "券面外乗降"),
    ]
}
