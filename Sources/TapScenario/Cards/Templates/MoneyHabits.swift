import TapCards

/// What happens to a card of electronic money: purchases, and top-ups when it is nearly empty.
struct MoneyHabits: LedgerHabits {
    /// The kind of a purchase.
    static let payment = "payment"
    /// The kind of a top-up.
    static let topUp = "top-up"

    private static let limit = 25_000

    mutating func draw(
        balance: Int, _ random: inout SeededGenerator
    ) -> (kind: String, change: Int, route: Ledger.Route?) {
        if let amount = topUp(before: balance, limit: Self.limit, &random) { return (Self.topUp, amount, nil) }
        return (Self.payment, change(of: Self.payment, balance: balance, &random), nil)
    }

    mutating func change(of kind: String, balance: Int, _ random: inout SeededGenerator) -> Int {
        switch kind {
        case Self.payment: -(98 + random.next(below: 1_900))
        case Self.topUp, "auto-charge": [1_000, 2_000, 3_000, 5_000][random.next(below: 4)]
        default: 10 * (1 + random.next(below: 50))
        }
    }

    func kind(ofChange change: Int) -> String { change > 0 ? Self.topUp : Self.payment }

    /// The sign of what a kind does to the balance: purchases take money, all else brings it.
    static func sign(ofKind kind: String) -> Int { kind == payment ? -1 : 1 }
}
