import TapCards
import TapWire

extension CardDecoder {
    /// The systems that a template fills in; none without one.
    mutating func systems(of template: CardTemplate?) -> [FeliCaSystemDefinition] {
        switch template {
        case nil, .ndef, .blank: []
        case .edy, .nanaco, .waon: moneySystems(template ?? .edy)
        case .some(let transit): transitSystems(transit)
        }
    }

    /// The common area with one kind of electronic money.
    private mutating func moneySystems(_ template: CardTemplate) -> [FeliCaSystemDefinition] {
        var money = MoneyTemplate.of(template)
        if let count = map["history_blocks"]?.integer { money.resizeHistory(to: count) }
        var random = random.fork("number")
        let number = map["number"]?.read(CardNumberRule.self) ?? Self.drawnNumber(&random)
        let points = UInt32(clamping: map["points"]?.integer ?? random.next(below: 500))
        var habits = MoneyHabits()
        let ledger = ledger(moneyRules(template, money), &habits)
        let purse = PurseBlock(
            value: UInt32(clamping: ledger.balance), executionID: UInt32(clamping: ledger.lines.first?.number ?? 0))
        var content = [
            money.balance.code.store: [purse.stored],
            money.history.code.store: blocks(of: ledger, money),
        ]
        for (service, blocks) in money.identity(number, points) { content[service.code.store] = blocks }
        let services = FeliCaServiceDefinition.list(money.services, content)
        return [FeliCaSystemDefinition(code: .commonArea, areas: [.root(), money.area], services: services)]
    }

    private func moneyRules(_ template: CardTemplate, _ money: MoneyTemplate) -> HistoryRules {
        HistoryRules(
            template: template, count: money.recordCount, highestBalance: money.highestBalance,
            recordLength: money.recordLength,
            otherKeys: ["from", "to", "station", "machine", "company", "stop", "cash", "region"],
            sign: MoneyHabits.sign, statement: money.statement)
    }

    /// The blocks of the history, newest record first; what the file writes in bytes stays as it is.
    private mutating func blocks(of ledger: Ledger, _ money: MoneyTemplate) -> [BlockData] {
        let items = map["history"]?.items ?? []
        var blocks: [BlockData] = []
        for (index, line) in ledger.lines.enumerated() {
            let stated = index < items.count ? items[index] : nil
            do throws(WireError) {
                var bytes = stated?.map["data"]?.bytes ?? []
                if bytes.isEmpty { bytes = try money.record(line) }
                for start in stride(from: 0, to: bytes.count, by: BlockData.byteCount) {
                    blocks.append(BlockData(bytes.dropFirst(start)))
                }
            } catch {
                report(error, at: stated?.map.node["date"] ?? value("history"))
            }
        }
        return blocks
    }

    /// Sixteen decimal digits of chance.
    private static func drawnNumber(_ random: inout SeededGenerator) -> CardNumber {
        var digits: UInt64 = 0
        for _ in 0..<16 { digits = digits << 4 | UInt64(random.next(below: 10)) }
        return CardNumber(digits)
    }
}
