import TapCards
import TapWire

extension FeliCaEngine {
    /// Sets the balance of a card of a known application: next to its history, in its purse, and in its newest record.
    ///
    /// - Parameter amount: In yen.
    /// - Returns: Whether the card stores a balance.
    package mutating func setBalance(_ amount: UInt32) -> Bool {
        var isSet = false
        for (system, service) in services {
            guard ApplicationService.known(service, in: system) != nil,
                let block = blocks(of: service, in: system)?.first
            else { continue }
            switch service {
            case TransitServices.balance.code:
                var balance = TransitBalance(block)
                balance.balance = UInt16(clamping: amount)
                replaceBlocks(of: service, in: system, with: [balance.stored])
            case EdyServices.balance.code, NanacoServices.balance.code, WAONServices.balance.code:
                var purse = PurseBlock(block)
                purse.value = amount
                replaceBlocks(of: service, in: system, with: [purse.stored])
            default: continue
            }
            isSet = true
        }
        if isSet { rewriteHistories(NewestBalance(amount: amount), .none) }
        return isSet
    }
}

/// A history whose newest record ends with a different balance.
private struct NewestBalance: HistoryChange {
    let amount: UInt32

    func change<Entry: HistoryEntry>(_ entries: inout [Entry], _: FaultArguments) {
        if !entries.isEmpty { entries[0].money = amount }
    }
}
