/// One entry in the usage history of a transit card, service 090F.
///
/// The amount is not stored; ``TransitHistory`` computes it from adjacent balances. A slot that was never written is all
/// zero. Source: observation of cards (felicalib wiki, nfcpy's traces).
public struct TransitHistoryRecord: BlockRecord {
    public struct Fields: RecordFields, Sendable {
        public let terminal = Field<TerminalType>("terminal", .byte(0), privacy: .open)
        /// A Boolean value that indicates whether cash was used together with the card.
        public let usesCash = Field<Bool>("cash used", .bits(7...7, ofByte: 1), privacy: .open)
        public let process = Field<ProcessType>("process", .bits(0...6, ofByte: 1), privacy: .open)
        public let payment = Field<PaymentType>("payment", .byte(2), privacy: .open)
        public let gate = Field<GateType>("gate", .byte(3), privacy: .open)
        public let date = Field<TransitDate>("date", .bigEndian(4...5))
        let placeHigh = Field<UInt16>(raw: "place", .bigEndian(6...7))
        let placeLow = Field<UInt16>(raw: "place", .bigEndian(8...9))
        public let balance = Field<UInt16>("balance", .littleEndian(10...11), unit: "yen", privacy: .open)
        public let sequence = Field<UInt16>("sequence number", .bigEndian(13...14), privacy: .sequence(of: "transit"))
        /// The last byte; its two highest bits are the area of the station database, the other bits are unknown.
        public let region = Field<UInt8>(raw: "region", .byte(15), privacy: .area)

        package var listed: [any RecordField] {
            let done = JointField<TransitHistoryRecord>("process", [process, usesCash]) {
                "\($0.process)" + ($0.usesCash ? ", with cash" : "")
            }
            let place = JointField<TransitHistoryRecord>("place") { record in
                let (high, low) = record.place.privacy
                return [RecordPiece(placeHigh.place, high), RecordPiece(placeLow.place, low)]
            } text: {
                "\($0.place)"
            }
            return [terminal, done, payment, gate, date, place, balance, sequence, region]
        }
    }

    public static let fields = Fields()

    public static let name = "transit history record"
    public var stored: BlockData

    public init(_ stored: BlockData) {
        self.stored = stored
    }

    /// Creates a record with the typical code bytes of its kind; without a place, the place bytes are zero.
    package init(
        _ kind: Kind, date: TransitDate, place: Place? = nil, balance: UInt16, sequence: UInt16 = 0, region: UInt8 = 0
    ) {
        self.init(.zero)
        let profile = kind.profile
        self.terminal = profile.terminal
        self.process = profile.processes[0]
        self.payment = profile.payment
        self.gate = profile.gate
        self.date = date
        if let place { self.place = place }
        self.balance = balance
        self.sequence = sequence
        self.region = region
    }
}

extension TransitHistoryRecord {
    /// The place of use, four bytes whose meaning depends on the kind of record.
    public enum Place: Hashable, Sendable {
        case rail(entry: StationCode, exit: StationCode)
        /// The time and the number of the till.
        case shop(TransitTime, terminal: UInt16)
        case bus(company: UInt16, stop: UInt16)
        case machine(StationCode, number: UInt16)

        enum Layout {
            case rail, shop, bus, machine
        }
    }

    /// The place of use.
    ///
    /// Setting a place whose layout does not match the record's kind still stores its bytes.
    public var place: Place {
        get {
            let (high, low) = (self.placeHigh, self.placeLow)
            return switch placeLayout {
            case .rail: .rail(entry: StationCode(high), exit: StationCode(low))
            case .shop: .shop(TransitTime(high), terminal: low)
            case .bus: .bus(company: high, stop: low)
            case .machine: .machine(StationCode(high), number: low)
            }
        }
        set {
            let (high, low) =
                switch newValue {
                case .rail(let entry, let exit): (entry.rawValue, exit.rawValue)
                case .shop(let time, let terminal): (time.rawValue, terminal)
                case .bus(let company, let stop): (company, stop)
                case .machine(let station, let number): (station.rawValue, number)
                }
            self.placeHigh = high
            self.placeLow = low
        }
    }

    /// The layout of the place, determined by the kind or, for an unknown process, by the terminal.
    private var placeLayout: Place.Layout {
        if let kind { return kind.profile.place }
        return switch self.terminal {
        case .shop, .vendingMachine: .shop
        case .vehicle: .bus
        default: .rail
        }
    }
}

extension TransitHistoryRecord.Place {
    /// The privacy class of each half of the four bytes.
    fileprivate var privacy: (FieldPrivacy, FieldPrivacy) {
        switch self {
        case .rail: (.station, .station)
        case .shop: (.moment(TransitTime.self), .number)
        case .bus: (.number, .number)
        case .machine: (.station, .number)
        }
    }
}

extension TransitHistoryRecord.Place: CustomStringConvertible {
    public var description: String {
        switch self {
        case .rail(let entry, let exit): "\(entry) to \(exit)"
        case .shop(let time, let terminal): "till \(Hex.digits(terminal, width: 4)) at \(time)"
        case .bus(let company, let stop):
            "bus company \(Hex.digits(company, width: 4)) stop \(Hex.digits(stop, width: 4))"
        case .machine(let station, let number): "\(station) machine \(Hex.digits(number, width: 4))"
        }
    }
}

/// The usage history of a transit card, newest record first, with the amount of each use.
public struct TransitHistory: Hashable, Sendable {
    public struct Trip: Hashable, Sendable {
        public let record: TransitHistoryRecord
        /// The amount in yen, negative for a payment; `nil` for the oldest record because the card no longer stores the
        /// balance before it.
        public let amount: Int?
    }

    /// The records, newest first, without unused slots.
    public let records: [TransitHistoryRecord]

    /// Creates a history from records in block order, newest first, skipping unused slots.
    package init(_ records: [TransitHistoryRecord]) {
        self.records = records.filter { !$0.isUnused }
    }

    /// Creates a history from the blocks of service 090F, block 0 first.
    package init(blocks: [BlockData]) {
        self.init(blocks.map { TransitHistoryRecord($0) })
    }

    /// Each use with the change in balance.
    public var trips: [Trip] {
        records.indices.map { index in
            let before = index + 1 < records.count ? records[index + 1].balance : nil
            return Trip(record: records[index], amount: before.map { Int(records[index].balance) - Int($0) })
        }
    }
}

/// Attributes and balance of a transit card, service 008B.
///
/// Sources disagree on byte 8: most decoders read two nibbles, felica-rs reads service bits (10 voice guidance, 20 stored
/// fare outside the pass area, 04 Touch de Go). Source: observation of cards (felicalib wiki, TRETJapanNFCReader).
public struct TransitBalance: BlockRecord {
    public struct Fields: RecordFields, Sendable {
        public let cardType = Field<CardType>("card type", .bits(4...7, ofByte: 8), privacy: .open)
        /// The area of the card's last payment.
        public let area = Field<Area>("area", .bits(0...3, ofByte: 8), privacy: .area)
        public let balance = Field<UInt16>("balance", .littleEndian(11...12), unit: "yen", privacy: .open)
        /// A counter that increases with each use; the newest history record was observed to have the same number.
        public let updateNumber = Field<UInt16>("update number", .bigEndian(14...15), privacy: .sequence(of: "transit"))

        package var listed: [any RecordField] { [cardType, area, balance, updateNumber] }
    }

    public static let fields = Fields()

    /// The group of cards to which a card belongs, a nibble.
    public struct CardType: NamedCode {
        public let rawValue: UInt8

        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue & 0x0F
        }

        /// Suica, PASMO, TOICA, manaca, PiTaPa, nimoca, SUGOCA and Hayakaken.
        package static let suica = CardType(2)
        package static let icoca = CardType(3)

        public static let names: [CodeName] = [
            CodeName(0, "EX-IC", "EX-IC"),
            CodeName(
                2, "Suica group",
                "Suica・PASMO・TOICA・manaca・PiTaPa・nimoca・SUGOCA・はやかけん"),
            CodeName(3, "ICOCA", "ICOCA"),
        ]
    }

    /// The area of the card's last payment, a nibble.
    public struct Area: NamedCode {
        public let rawValue: UInt8

        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue & 0x0F
        }

        /// The former JNR railways, and private railways in the Kanto region.
        package static let kanto = Area(0)

        public static let names: [CodeName] = [
            CodeName(0, "Kanto", "関東"),
            CodeName(1, "Chubu", "中部"),
            CodeName(2, "Kansai", "関西"),
            CodeName(3, "other", "その他"),
        ]
    }

    public static let name = "transit balance"
    public var stored: BlockData

    public init(_ stored: BlockData) {
        self.stored = stored
    }

    package init(balance: UInt16, cardType: CardType = .suica, area: Area = .kanto, updateNumber: UInt16 = 0) {
        self.init(.zero)
        self.balance = balance
        self.cardType = cardType
        self.area = area
        self.updateNumber = updateNumber
    }
}

extension RecordLayout {
    static let transitHistory = RecordLayout(TransitHistoryRecord.self, .history, title: "history record")
    static let transitBalance = RecordLayout(TransitBalance.self, .balance, title: "attributes and balance")
    static let transitGates = RecordLayout(TransitGateRecord.self, .gates, title: "gate record")
    static let transitEntry = RecordLayout(TransitEntry.self, title: "entry information")
}
