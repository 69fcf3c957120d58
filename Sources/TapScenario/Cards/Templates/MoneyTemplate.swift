import TapCards
import TapWire

/// How a card of electronic money is laid out.
struct MoneyTemplate {
    /// Its services.
    private(set) var services: [ApplicationService]
    /// The area around them.
    let area: FeliCaAreaDefinition
    /// Where the balance is.
    let balance: ApplicationService
    /// Where the history is.
    private(set) var history: ApplicationService {
        didSet { services = services.map { $0.code == history.code ? history : $0 } }
    }
    /// Bytes of a history record.
    let recordLength: Int
    /// The highest balance of a history record.
    let highestBalance: Int
    /// Blocks that hold the number and the points, by service.
    let identity: (CardNumber, _ points: UInt32) -> [(ApplicationService, [BlockData])]
    /// The bytes of a history record.
    let record: (Ledger.Line) throws(WireError) -> [UInt8]
    /// What the bytes of a history record state.
    let statement: ([UInt8]) -> Ledger.Statement

    /// Records the history has room for.
    var recordCount: Int { history.blockCount * BlockData.byteCount / recordLength }

    /// Gives the history another number of blocks.
    mutating func resizeHistory(to blockCount: Int) {
        history = ApplicationService(history.title, history.system, history.code.rawValue, blockCount: blockCount)
    }

    /// The layout of a template; all that are neither nanaco nor WAON have that of Edy.
    static func of(_ template: CardTemplate) -> MoneyTemplate {
        switch template {
        case .nanaco: nanaco
        case .waon: waon
        default: edy
        }
    }

    private static var edy: MoneyTemplate {
        MoneyTemplate(
            services: EdyServices.all, area: FeliCaAreaDefinition(NodeCode(0x1000), end: NodeCode(0x173F)),
            balance: EdyServices.balance, history: EdyServices.history, recordLength: BlockData.byteCount,
            highestBalance: Int(UInt32.max)
        ) { number, _ in
            [(EdyServices.identification, [EdyIdentification(number: number).stored])]
        } record: { line throws(WireError) in
            try EdyHistoryRecord(
                .init(identifier: line.kind) ?? .payment, sequence: UInt32(clamping: line.number),
                time: EdyTimestamp(line.date, line.time), amount: line.amount, balance: UInt32(clamping: line.balance)
            ).bytes
        } statement: { bytes in
            let record = EdyHistoryRecord(BlockData(bytes))
            return .of(record.type, record.time, balance: record.balance, number: Int(record.sequence))
        }
    }

    private static var nanaco: MoneyTemplate {
        MoneyTemplate(
            services: NanacoServices.all, area: FeliCaAreaDefinition(NodeCode(0x5540), end: NodeCode(0x567F)),
            balance: NanacoServices.balance, history: NanacoServices.history, recordLength: BlockData.byteCount,
            highestBalance: Int(UInt32.max)
        ) { number, points in
            [
                (NanacoServices.identification, [CardNumberBlock(number: number).stored]),
                (NanacoServices.points, [.zero, (try? NanacoPoints(first: points).stored) ?? .zero]),
            ]
        } record: { line throws(WireError) in
            NanacoHistoryRecord(
                .init(identifier: line.kind) ?? .payment, amount: line.amount, balance: UInt32(clamping: line.balance),
                time: try NanacoTimestamp(line.date, line.time), sequence: UInt16(clamping: line.number)
            ).bytes
        } statement: { bytes in
            let record = NanacoHistoryRecord(BlockData(bytes))
            return .of(record.type, record.time, balance: record.balance, number: Int(record.sequence))
        }
    }

    private static var waon: MoneyTemplate {
        MoneyTemplate(
            services: WAONServices.all, area: FeliCaAreaDefinition(NodeCode(0x6800), end: NodeCode(0x687F)),
            balance: WAONServices.balance, history: WAONServices.history, recordLength: BlockPair.byteCount,
            highestBalance: 0x3_FFFF
        ) { number, points in
            [
                (WAONServices.identification, [CardNumberBlock(number: number).stored]),
                (WAONServices.points, [(try? WAONPoints(points: points).stored) ?? .zero]),
            ]
        } record: { line throws(WireError) in
            try WAONHistoryRecord(
                .init(identifier: line.kind) ?? .payment, sequence: UInt16(clamping: line.number),
                time: WAONTimestamp(line.date, line.time), balance: UInt32(clamping: line.balance),
                withdrawal: line.change < 0 ? line.amount : 0, charge: line.change > 0 ? line.amount : 0
            ).bytes
        } statement: { bytes in
            let pair = BlockPair(BlockData(bytes.prefix(16)), BlockData(bytes.dropFirst(16)))
            let record = WAONHistoryRecord(pair)
            return .of(record.type, record.time, balance: record.balance, number: Int(record.sequence))
        }
    }
}

extension Ledger.Line {
    /// Yen paid or put on the card.
    fileprivate var amount: UInt32 { UInt32(clamping: abs(change)) }
}

extension Ledger.Statement {
    /// What a record of electronic money states.
    fileprivate static func of(
        _ type: some NamedCode, _ time: some PackedTimestamp, balance: UInt32, number: Int
    ) -> Ledger.Statement {
        Ledger.Statement(
            kind: type.name?.identifier, date: time.date, time: time.time, balance: Int(balance), number: number)
    }
}
