/// The services of an Edy card in system FE00 that anybody may read.
///
/// Sources: felicalib wiki, nfcpy's traces.
public enum EdyServices {
    /// The Edy number: ``EdyIdentification`` in the first block.
    public static let identification = service("Edy number", 0x110B, blockCount: 2)
    public static let balance = service("balance", 0x1317, blockCount: 1)
    /// The history: ``EdyHistoryRecord``, newest first.
    public static let history = service("history", 0x170F, blockCount: 6)

    public static let all = [identification, balance, history]

    private static func service(_ title: String, _ code: UInt16, blockCount: Int) -> ApplicationService {
        ApplicationService(title, .commonArea, code, blockCount: blockCount)
    }
}
