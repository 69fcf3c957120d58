/// The services of a nanaco card in system FE00 that anybody may read; system 04C7 has them too.
///
/// Sources: felicalib wiki, TRETJapanNFCReader.
public enum NanacoServices {
    /// The card number: ``CardNumberBlock``.
    public static let identification = service("card number", 0x558B, blockCount: 1)
    public static let balance = service("balance", 0x5597, blockCount: 1)
    /// The points: ``NanacoPoints`` in the second block.
    public static let points = service("points", 0x560B, blockCount: 2)
    /// The history: ``NanacoHistoryRecord``, newest first.
    public static let history = service("history", 0x564F, blockCount: 5)

    public static let all = [identification, balance, points, history]

    private static func service(_ title: String, _ code: UInt16, blockCount: Int) -> ApplicationService {
        ApplicationService(title, .commonArea, code, blockCount: blockCount)
    }
}
