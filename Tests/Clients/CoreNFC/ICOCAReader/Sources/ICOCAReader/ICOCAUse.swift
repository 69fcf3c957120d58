import Foundation

/// One use of an ICOCA.
public struct ICOCAUse: Identifiable, Equatable {
    /// The number assigned by the card.
    public let id: Int
    public let date: DateComponents
    /// The balance after it, in yen.
    public let balance: Int
    /// The cost in yen; negative for a charge, nil for the oldest use, because cards store only balances.
    public let price: Int?

    /// Creates the uses from the history blocks of a card, newest first.
    static func list(of blocks: [Data]) -> [ICOCAUse] {
        let used = blocks.filter { $0.first != 0 }
        let balances = used.map { Int($0[10]) + Int($0[11]) * 256 }
        return used.indices.map { index in
            let older = index + 1 < used.count ? balances[index + 1] : nil
            return ICOCAUse(
                id: Int(used[index][13]) * 256 + Int(used[index][14]),
                date: date(of: used[index]),
                balance: balances[index],
                price: older.map { $0 - balances[index] })
        }
    }

    private static func date(of block: Data) -> DateComponents {
        let bits = UInt16(block[4]) << 8 | UInt16(block[5])
        return DateComponents(year: Int(bits >> 9) + 2000, month: Int(bits >> 5 & 15), day: Int(bits & 31))
    }
}
