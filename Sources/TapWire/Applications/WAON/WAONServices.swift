/// The services of a WAON card in system FE00 that anybody may read.
///
/// Sources: felicalib wiki, TRETJapanNFCReader, NFCReader.
public enum WAONServices {
    /// The history: ``WAONHistoryRecord``, two blocks each.
    ///
    /// Six blocks are inferred: NFCReader reads six and the app of allnfc.app shows three payments, but
    /// TRETJapanNFCReader reads nine, and no public source tells what a card has.
    public static let history = service("history", 0x680B, blockCount: 6)
    public static let balance = service("balance", 0x6817, blockCount: 1)
    /// The points: ``WAONPoints``.
    public static let points = service("points", 0x684B, blockCount: 1)
    /// The WAON number: ``CardNumberBlock``.
    public static let identification = service("WAON number", 0x684F, blockCount: 1)

    public static let all = [history, balance, points, identification]

    private static func service(_ title: String, _ code: UInt16, blockCount: Int) -> ApplicationService {
        ApplicationService(title, .commonArea, code, blockCount: blockCount)
    }
}
