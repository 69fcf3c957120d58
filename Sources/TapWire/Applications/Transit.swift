/// The services of a transit card in system 0003: Suica, PASMO, ICOCA and compatible cards.
///
/// IruCa (80DE), SAPICA (865E) and PASPY (8592) have the same services in their own systems. Sources disagree on the contents
/// of 184B: fare tickets or a commuter pass. Sources: nfcpy's traces, TRETJapanNFCReader, felica-rs, felica-tool.
package enum TransitServices {
    package static let issue = service("issue information", 0x0048, blockCount: 4)
    static let issueReadOnly = service("issue information", 0x004A, blockCount: 4)
    package static let balanceWithKey = service("balance", 0x0088, blockCount: 1, record: .transitBalance)
    /// Attributes and balance, readable without a key: ``TransitBalance``.
    package static let balance = service("balance", 0x008B, blockCount: 1, record: .transitBalance)
    /// An amount of unknown meaning, a date and a number.
    static let amount = service("an unknown amount", 0x0810, blockCount: 1)
    static let lastTopUp = service("last top-up", 0x08C8, blockCount: 3)
    package static let historyWithKey = service("usage history", 0x090C, blockCount: 20, record: .transitHistory)
    /// The usage history, readable without a key: ``TransitHistoryRecord``, newest first.
    package static let history = service("usage history", 0x090F, blockCount: 20, record: .transitHistory)
    static let passExtras = service("pass extras", 0x1008, blockCount: 10)
    package static let pass = service("commuter pass", 0x1048, blockCount: 3)
    package static let gatesWithKey = service("gate log", 0x108C, blockCount: 3, record: .transitGates)
    /// The gate log, readable without a key: ``TransitGateRecord``, newest first.
    package static let gates = service("gate log", 0x108F, blockCount: 3, record: .transitGates)
    package static let entryWithKey = service("entry information", 0x10C8, blockCount: 2, record: .transitEntry)
    /// Entry information, readable without a key: ``TransitEntry``.
    package static let entry = service("entry information", 0x10CB, blockCount: 2, record: .transitEntry)
    static let ticketsWithKey = service("tickets", 0x1848, blockCount: 36)
    static let tickets = service("tickets", 0x184B, blockCount: 36)

    package static let all = [
        issue, issueReadOnly, balanceWithKey, balance, amount, lastTopUp, historyWithKey, history, passExtras, pass,
        gatesWithKey, gates, entryWithKey, entry, ticketsWithKey, tickets,
    ]

    /// System 0003 and the systems of IruCa, PASPY and SAPICA.
    package static let systems = [SystemCode.transit, SystemCode(0x80DE), SystemCode(0x8592), SystemCode(0x865E)]

    private static func service(
        _ title: String, _ code: UInt16, blockCount: Int, record: RecordLayout? = nil
    ) -> ApplicationService {
        ApplicationService(title, code, in: .transit, blockCount: blockCount, record: record)
    }
}

/// The services of OKICA in system 8FC1: the records of ``TransitServices`` under different codes.
///
/// Source: TRETJapanNFCReader.
package enum OkicaServices {
    package static let history = service("usage history", 0x028F, blockCount: 20, record: .transitHistory)
    package static let gates = service("gate log", 0x050F, blockCount: 3, record: .transitGates)
    package static let entry = service("entry information", 0x060B, blockCount: 2, record: .transitEntry)

    package static let all = [history, gates, entry]

    private static func service(
        _ title: String, _ code: UInt16, blockCount: Int, record: RecordLayout
    ) -> ApplicationService {
        ApplicationService(title, code, in: SystemCode(0x8FC1), blockCount: blockCount, record: record)
    }
}

/// The additional services of a SAPICA in system 865E, besides those of a transit card.
///
/// Source: TRETJapanNFCReader.
package enum SapicaServices {
    /// The points: ``SapicaPoints``.
    package static let points = ApplicationService(
        "points", 0xBA4B, in: SystemCode(0x865E), blockCount: 1, record: RecordLayout(SapicaPoints.self, .points))

    package static let all = [points]
}

/// The points of a SAPICA, service BA4B: three bytes, low byte first.
///
/// Source: observation of cards (TRETJapanNFCReader).
package struct SapicaPoints: BlockRecord {
    package struct Fields: RecordFields, Sendable {
        /// The points, truncated to 24 bits.
        package let points = Field<UInt32>("points", .littleEndian(0...2), privacy: .open)

        package var listed: [any RecordField] { [points] }
    }

    package static let fields = Fields()

    package static let name = "SAPICA points"
    package var stored: BlockData

    package init(_ stored: BlockData) {
        self.stored = stored
    }

    package init(points: UInt32) {
        self.init(.zero)
        self.points = points
    }
}

extension TransitHistoryRecord {
    /// The kind of use, as written by scenarios and clients: `fare-gate`, `shop`, `top-up`.
    ///
    /// Each kind has typical code bytes; other bytes with the same meaning map to the same kind.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case fareGate = "fare-gate"
        /// A ride that ended at a ticket window.
        case windowExit = "window-exit"
        /// A ride that ended at a Shinkansen gate.
        case shinkansen
        case adjustment
        case topUp = "top-up"
        /// Money added by a gate.
        case autoCharge = "auto-charge"
        case pointTopUp = "point-top-up"
        case ticketMachine = "ticket-machine"
        case newIssue = "new-issue"
        case reissue
        case refund
        case cancellation
        case bus
        case busAdjustment = "bus-adjustment"
        case shuttleBus = "shuttle-bus"
        case busTopUp = "bus-top-up"
        case busTicket = "bus-ticket"
        case shop
        case shopInside = "shop-inside"
        case shopVoid = "shop-void"
        case shopTopUp = "shop-top-up"
        case vendingMachine = "vending-machine"
    }

    /// The kind of use, or `nil` for an unknown process.
    public var kind: Kind? {
        let (process, terminal) = (self.process, self.terminal)
        let candidates = Kind.allCases.filter { $0.profile.processes.contains(process) }
        return candidates.first { $0.profile.terminal == terminal } ?? candidates.first
    }
}

extension TransitHistoryRecord.Kind {
    /// The typical bytes of a kind, and other bytes with the same meaning.
    struct Profile {
        let terminal: TerminalType
        /// The processes, the typical one first.
        let processes: [ProcessType]
        let payment: PaymentType
        let gate: GateType
        let place: TransitHistoryRecord.Place.Layout

        init(
            _ terminal: TerminalType, _ processes: ProcessType..., payment: PaymentType = .cash,
            gate: GateType = .none, place: TransitHistoryRecord.Place.Layout
        ) {
            self.terminal = terminal
            self.processes = processes
            self.payment = payment
            self.gate = gate
            self.place = place
        }
    }

    /// The bytes of a kind; a process shared by several kinds belongs to the most general one, which is declared first.
    var profile: Profile {
        switch self {
        case .fareGate: Profile(.automaticGate, .gateExit, gate: .entryExit, place: .rail)
        case .windowExit: Profile(.staffedGate, .windowExit, gate: .windowExit, place: .rail)
        case .shinkansen: Profile(.shinkansenGate, .shinkansenExit, gate: .entryExit, place: .rail)
        case .adjustment: Profile(.fareAdjustment, .adjustment, .entryAdjustment, place: .rail)
        case .topUp: Profile(.ticketMachine, .topUp, place: .machine)
        case .autoCharge:
            Profile(
                .automaticGate, .autoChargeAtEntry, ProcessType(0x15), ProcessType(0x17), payment: .view, gate: .entry,
                place: .rail)
        case .pointTopUp: Profile(.pointExchange, .pointTopUp, place: .machine)
        case .ticketMachine: Profile(.ticketMachine, .ticket, place: .machine)
        case .newIssue: Profile(.ticketMachine, .newIssue, place: .machine)
        case .reissue: Profile(.stationMachine, .reissue, ProcessType(0x11), place: .machine)
        case .refund: Profile(.stationMachine, .refund, place: .machine)
        case .cancellation: Profile(.stationMachine, .cancellation, place: .machine)
        case .bus: Profile(.vehicle, .bus, ProcessType(0x0C), ProcessType(0x0F), gate: .bus, place: .bus)
        case .busAdjustment:
            Profile(.vehicle, .busAdjustment, ProcessType(0x1A), ProcessType(0x1B), gate: .bus, place: .bus)
        case .shuttleBus: Profile(.vehicle, .shuttleBus, gate: .bus, place: .bus)
        case .busTopUp: Profile(.vehicle, .busTopUp, place: .bus)
        case .busTicket: Profile(.vehicle, .busTicket, place: .bus)
        case .shop: Profile(.shop, .purchase, place: .shop)
        case .shopInside: Profile(.shop, .purchaseInside, place: .shop)
        case .shopVoid: Profile(.shop, .purchaseVoid, place: .shop)
        case .shopTopUp: Profile(.shop, .tillTopUp, place: .shop)
        case .vendingMachine: Profile(.vendingMachine, .purchase, place: .shop)
        }
    }
}
