import TapCards
import TapWire

extension CardDecoder {
    /// The systems of a transit card.
    mutating func transitSystems(_ template: CardTemplate) -> [FeliCaSystemDefinition] {
        let transit = TransitTemplate.of(template)
        var random = random.fork("places")
        var habits = TransitHabits(lines: transit.lines, &random)
        let ledger = ledger(transitRules(template), &habits)
        let records = transitRecords(ledger.lines, habits, transit, &random)
        let balance = TransitBalance(
            balance: UInt16(clamping: ledger.balance), cardType: transit.cardType, area: transit.area,
            updateNumber: records.first?.sequence ?? 0)
        var entry = TransitEntry(entryStation: StationCode(0))
        for record in records {
            guard case .rail(let station, _) = record.place else { continue }
            entry.entryStation = station
            break
        }
        let content = [
            TransitServices.balance.code.store: [balance.stored],
            TransitServices.history.code.store: records.map(\.stored),
            TransitServices.gates.code.store: transitGates(ledger.lines, records).map(\.stored),
            TransitServices.entry.code.store: [entry.stored.first, entry.stored.second],
        ]
        let system = FeliCaSystemDefinition(
            code: .transit, issue: issue(transit, ledger.lines.last?.date, &random), areas: Self.transitAreas,
            services: FeliCaServiceDefinition.list(TransitServices.all, content))
        return [system] + (template == .suica ? FeliCaSystemDefinition.besidesSuica : [])
    }

    private func transitRules(_ template: CardTemplate) -> HistoryRules {
        HistoryRules(
            template: template, count: TransitTemplate.historyCount, highestBalance: Int(UInt16.max),
            recordLength: BlockData.byteCount, otherKeys: [], sign: TransitHabits.sign
        ) { bytes in
            let record = TransitHistoryRecord(BlockData(bytes))
            return Ledger.Statement(
                kind: record.kind?.rawValue, date: record.date.date, balance: Int(record.balance),
                number: Int(record.sequence))
        }
    }

    /// An issue ID: issuer, serial number, day of issue, number.
    ///
    /// Source: felica-rs, printed card numbers.
    private func issue(
        _ transit: TransitTemplate, _ oldest: CalendarDate?, _ random: inout SeededGenerator
    ) -> FeliCaIssue {
        let day = (oldest ?? Ledger.newestDay)?.adding(days: -100 - random.next(below: 1_000))
        let date = day.flatMap { try? TransitDate($0) } ?? .none
        let serial = UInt64(random.next(below: 0x1_0000))
        let number = UInt64(random.next(below: 0x1_0000))
        return FeliCaIssue(
            id: UInt64(transit.issuer) << 48 | serial << 32 | UInt64(date.rawValue) << 16 | number)
    }

    /// The areas around the services.
    ///
    /// Source: nfcpy's traces of a transit card.
    private static let transitAreas: [FeliCaAreaDefinition] =
        [.root()]
        + [
            (0x0040, 0x07FF), (0x0800, 0x0FBF), (0x0FC0, 0x7FFF), (0x1000, 0x17BF), (0x17C0, 0x7FFF),
            (0x1800, 0x1A3F),
        ].map { FeliCaAreaDefinition(NodeCode($0), end: NodeCode($1)) }
}

extension FeliCaServiceDefinition {
    /// Services of an application, each store with its content, filled up with zeros.
    static func list(_ services: [ApplicationService], _ content: [NodeCode.Store: [BlockData]])
        -> [FeliCaServiceDefinition]
    {
        var known: Set<NodeCode.Store> = []
        return services.map { service in
            guard known.insert(service.code.store).inserted else {
                return FeliCaServiceDefinition(service.code, blocks: [])
            }
            let blocks = (content[service.code.store] ?? []).prefix(service.blockCount)
            let rest = Array(repeating: BlockData.zero, count: service.blockCount - blocks.count)
            return FeliCaServiceDefinition(service.code, blocks: blocks + rest)
        }
    }
}

extension FeliCaSystemDefinition {
    /// The systems FE00 and 86A7 of a Suica, without content.
    ///
    /// Block counts of services other than 398B and 39C9 are not published; they have one block here.
    /// Source: nfcpy's traces of a transit card.
    static let besidesSuica: [FeliCaSystemDefinition] = [
        FeliCaSystemDefinition(
            code: .commonArea,
            areas: [
                .root(), FeliCaAreaDefinition(NodeCode(0x3940), end: NodeCode(0x39FF)),
                FeliCaAreaDefinition(NodeCode(0x3941), end: NodeCode(0x39FF)),
            ], services: empty([(0x3948, 1), (0x394B, 0), (0x3988, 16), (0x398B, 0), (0x39C9, 6)])),
        FeliCaSystemDefinition(
            code: SystemCode(0x86A7),
            areas: [
                .root(), FeliCaAreaDefinition(NodeCode(0x0040), end: NodeCode(0x007F)),
                FeliCaAreaDefinition(NodeCode(0x0280), end: NodeCode(0x02BF)),
            ], services: empty([(0x0048, 1), (0x004B, 0), (0x0288, 1), (0x028B, 0)])),
    ]

    private static func empty(_ services: [(code: UInt16, blockCount: Int)]) -> [FeliCaServiceDefinition] {
        services.map { code, blockCount in
            FeliCaServiceDefinition(NodeCode(code), blocks: Array(repeating: .zero, count: blockCount))
        }
    }
}
