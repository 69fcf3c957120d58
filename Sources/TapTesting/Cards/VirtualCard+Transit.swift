import TapScenario

/// Transit cards: balance, twenty history records, gates and entry information.
///
/// `balance` is in yen, `trips` the number of history records, `idm` eight bytes in hexadecimal; what is left out is
/// drawn from the seed of the test.
extension VirtualCard {
    /// A transit card of JR East.
    public static func suica(balance: Int? = nil, trips: Int? = nil, idm: String? = nil) -> VirtualCard {
        transit("suica", balance, trips, idm)
    }

    /// A transit card of JR West.
    public static func icoca(balance: Int? = nil, trips: Int? = nil, idm: String? = nil) -> VirtualCard {
        transit("icoca", balance, trips, idm)
    }

    /// A transit card of the private railways of Kanto.
    public static func pasmo(balance: Int? = nil, trips: Int? = nil, idm: String? = nil) -> VirtualCard {
        transit("pasmo", balance, trips, idm)
    }

    /// A transit card of JR Central.
    public static func toica(balance: Int? = nil, trips: Int? = nil, idm: String? = nil) -> VirtualCard {
        transit("toica", balance, trips, idm)
    }

    /// A transit card of the railways of Nagoya.
    public static func manaca(balance: Int? = nil, trips: Int? = nil, idm: String? = nil) -> VirtualCard {
        transit("manaca", balance, trips, idm)
    }

    /// A transit card of JR Hokkaido.
    public static func kitaca(balance: Int? = nil, trips: Int? = nil, idm: String? = nil) -> VirtualCard {
        transit("kitaca", balance, trips, idm)
    }

    /// A transit card of JR Kyushu.
    public static func sugoca(balance: Int? = nil, trips: Int? = nil, idm: String? = nil) -> VirtualCard {
        transit("sugoca", balance, trips, idm)
    }

    /// A transit card of Nishitetsu.
    public static func nimoca(balance: Int? = nil, trips: Int? = nil, idm: String? = nil) -> VirtualCard {
        transit("nimoca", balance, trips, idm)
    }

    /// A transit card of the subway of Fukuoka.
    public static func hayakaken(balance: Int? = nil, trips: Int? = nil, idm: String? = nil) -> VirtualCard {
        transit("hayakaken", balance, trips, idm)
    }

    /// A transit card of the private railways of Kansai.
    public static func pitapa(balance: Int? = nil, trips: Int? = nil, idm: String? = nil) -> VirtualCard {
        transit("pitapa", balance, trips, idm)
    }

    private static func transit(_ template: String, _ balance: Int?, _ trips: Int?, _ idm: String?) -> VirtualCard {
        VirtualCard(
            template,
            .map(["balance": balance.map(Node.number), "trips": trips.map(Node.number), "idm": idm.map(Node.text)]))
    }
}
