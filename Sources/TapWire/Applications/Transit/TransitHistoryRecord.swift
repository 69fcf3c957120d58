/// One entry of the usage history of a transit card, service 090F.
///
/// ```
/// 0      terminal type                  10–11  balance afterwards (LE)
/// 1      cash used (bit 7), process     12     unknown
/// 2      payment type                   13–14  sequence number (BE)
/// 3      gate type                      15     region
/// 4–5    date
/// 6–9    place, see ``Place``
/// ```
/// The amount is not stored: ``TransitHistory`` takes the difference of neighbouring balances. A slot never written is
/// all zero. Source: observation of cards (felicalib wiki, nfcpy's traces).
public struct TransitHistoryRecord: BlockRecord {
    private enum Layout {
        static let terminal = BitField.byte(0)
        static let usesCash = BitField.bits(7...7, ofByte: 1)
        static let process = BitField.bits(0...6, ofByte: 1)
        static let payment = BitField.byte(2)
        static let gate = BitField.byte(3)
        static let date = BitField.bigEndian(4...5)
        static let placeHigh = BitField.bigEndian(6...7)
        static let placeLow = BitField.bigEndian(8...9)
        static let balance = BitField.littleEndian(10...11)
        static let sequence = BitField.bigEndian(13...14)
        static let region = BitField.byte(15)
    }

    public static let name = "transit history record"
    public var stored: BlockData

    public init(_ stored: BlockData) {
        self.stored = stored
    }

    /// Creates a record with the code bytes typical of its kind.
    ///
    /// - Parameters:
    ///   - kind: What happened.
    ///   - date: When.
    ///   - place: Where; the bytes are zero without one.
    ///   - balance: Yen on the card afterwards.
    ///   - sequence: Number of the record, counting up.
    ///   - region: The last byte, whose high bits tell the station database which region the codes belong to.
    public init(
        _ kind: Kind, date: TransitDate, place: Place? = nil, balance: UInt16, sequence: UInt16 = 0, region: UInt8 = 0
    ) {
        self.init(.zero)
        let profile = kind.profile
        terminal = profile.terminal
        process = profile.processes[0]
        payment = profile.payment
        gate = profile.gate
        self.date = date
        if let place { self.place = place }
        self.balance = balance
        self.sequence = sequence
        self.region = region
    }

    /// What kind of machine wrote the record.
    public var terminal: TerminalType {
        get { TerminalType(stored[Layout.terminal]) }
        set { stored[Layout.terminal] = newValue.rawValue }
    }

    /// What was done.
    public var process: ProcessType {
        get { ProcessType(stored[Layout.process]) }
        set { stored[Layout.process] = newValue.rawValue }
    }

    /// Whether cash was used together with the card.
    public var usesCash: Bool {
        get { stored[flag: Layout.usesCash] }
        set { stored[flag: Layout.usesCash] = newValue }
    }

    /// Where the money came from.
    public var payment: PaymentType {
        get { PaymentType(stored[Layout.payment]) }
        set { stored[Layout.payment] = newValue.rawValue }
    }

    /// How a gate was passed.
    public var gate: GateType {
        get { GateType(stored[Layout.gate]) }
        set { stored[Layout.gate] = newValue.rawValue }
    }

    public var date: TransitDate {
        get { TransitDate(stored[Layout.date]) }
        set { stored[Layout.date] = newValue.rawValue }
    }

    /// Yen on the card afterwards.
    public var balance: UInt16 {
        get { stored[Layout.balance] }
        set { stored[Layout.balance] = newValue }
    }

    /// Number of the record, counting up.
    public var sequence: UInt16 {
        get { stored[Layout.sequence] }
        set { stored[Layout.sequence] = newValue }
    }

    /// The last byte; its two highest bits are the area of the station database, the rest is kept.
    public var region: UInt8 {
        get { stored[Layout.region] }
        set { stored[Layout.region] = newValue }
    }
}

extension TransitHistoryRecord {
    /// Where it happened, four bytes whose meaning depends on the kind of record.
    public enum Place: Hashable, Sendable {
        /// A ride: where it began and where it ended.
        case rail(entry: StationCode, exit: StationCode)
        /// A shop: when, and the number of the till.
        case shop(TransitTime, terminal: UInt16)
        /// A bus: its operator and the stop.
        case bus(company: UInt16, stop: UInt16)
        /// A machine or counter at a station: the station, and the number of the machine.
        case machine(StationCode, number: UInt16)

        /// Which case a record has.
        enum Layout {
            case rail, shop, bus, machine
        }
    }

    /// Where it happened; setting another layout than the record's kind has stores its bytes all the same.
    public var place: Place {
        get {
            let high: UInt16 = stored[Layout.placeHigh]
            let low: UInt16 = stored[Layout.placeLow]
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
            stored[Layout.placeHigh] = high
            stored[Layout.placeLow] = low
        }
    }

    /// The layout of the place: by kind, and for a process nobody knows by terminal.
    private var placeLayout: Place.Layout {
        if let kind { return kind.profile.place }
        return switch terminal {
        case .shop, .vendingMachine: .shop
        case .vehicle: .bus
        default: .rail
        }
    }
}

extension TransitHistoryRecord.Place: CustomStringConvertible {
    /// The place in few words.
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
