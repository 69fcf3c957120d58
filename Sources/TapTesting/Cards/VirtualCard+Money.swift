import TapScenario

/// Electronic money: number, balance and the newest history records in the common area.
///
/// `balance` is in yen, `trips` the number of history records, `idm` eight bytes and `number` the card number, both in
/// hexadecimal; what is left out is drawn from the seed of the test.
extension VirtualCard {
    /// A nanaco card with its points.
    public static func nanaco(
        balance: Int? = nil, points: Int? = nil, trips: Int? = nil, number: String? = nil, idm: String? = nil
    ) -> VirtualCard {
        money("nanaco", balance, points, trips, number, idm)
    }

    /// A WAON card with its points.
    ///
    /// - Parameter historyBlocks: Blocks of its history, 6 by default; TRETJapanNFCReader reads 9.
    public static func waon(
        balance: Int? = nil, points: Int? = nil, trips: Int? = nil, number: String? = nil, idm: String? = nil,
        historyBlocks: Int? = nil
    ) -> VirtualCard {
        money("waon", balance, points, trips, number, idm, historyBlocks)
    }

    /// An Edy card.
    public static func edy(
        balance: Int? = nil, trips: Int? = nil, number: String? = nil, idm: String? = nil
    ) -> VirtualCard {
        money("edy", balance, nil, trips, number, idm)
    }

    private static func money(
        _ template: String, _ balance: Int?, _ points: Int?, _ trips: Int?, _ number: String?, _ idm: String?,
        _ historyBlocks: Int? = nil
    ) -> VirtualCard {
        VirtualCard(
            template,
            .map([
                "balance": balance.map(Node.number), "points": points.map(Node.number),
                "trips": trips.map(Node.number), "number": number.map(Node.text), "idm": idm.map(Node.text),
                "history_blocks": historyBlocks.map(Node.number),
            ]))
    }
}
