/// The services of a transit card in system 0003: Suica, PASMO, ICOCA and the cards they work with.
///
/// IruCa (80DE), SAPICA (865E) and PASPY (8592) have the same services in systems of their own. Sources: nfcpy's
/// traces, TRETJapanNFCReader, felica-rs, felica-tool. What 184B holds is disputed: fare tickets or a commuter pass.
public enum TransitServices {
    /// Who the card was issued to, by authentication.
    public static let issue = service("issue information", 0x0048, blockCount: 4)
    /// Who the card was issued to, read by authentication.
    public static let issueReadOnly = service("issue information", 0x004A, blockCount: 4)
    /// Attributes and balance, written by authentication.
    public static let balanceWithKey = service("balance", 0x0088, blockCount: 1)
    /// Attributes and balance, read by anybody: ``TransitBalance``.
    public static let balance = service("balance", 0x008B, blockCount: 1)
    /// The last top-up, by authentication.
    public static let lastTopUp = service("last top-up", 0x08C8, blockCount: 3)
    /// The usage history, written by authentication.
    public static let historyWithKey = service("usage history", 0x090C, blockCount: 20)
    /// The usage history, read by anybody: ``TransitHistoryRecord``, newest first.
    public static let history = service("usage history", 0x090F, blockCount: 20)
    /// Pass extras and auto-charge settings, by authentication.
    public static let passExtras = service("pass extras", 0x1008, blockCount: 10)
    /// The commuter pass, by authentication.
    public static let pass = service("commuter pass", 0x1048, blockCount: 3)
    /// The log of gates, written by authentication.
    public static let gatesWithKey = service("gate log", 0x108C, blockCount: 3)
    /// The log of gates, read by anybody: ``TransitGateRecord``, newest first.
    public static let gates = service("gate log", 0x108F, blockCount: 3)
    /// Entry information, written by authentication.
    public static let entryWithKey = service("entry information", 0x10C8, blockCount: 2)
    /// Entry information, read by anybody: ``TransitEntry``.
    public static let entry = service("entry information", 0x10CB, blockCount: 2)
    /// Tickets, written by authentication.
    public static let ticketsWithKey = service("tickets", 0x1848, blockCount: 36)
    /// Tickets, read by anybody.
    public static let tickets = service("tickets", 0x184B, blockCount: 36)

    public static let all = [
        issue, issueReadOnly, balanceWithKey, balance, lastTopUp, historyWithKey, history, passExtras, pass,
        gatesWithKey, gates, entryWithKey, entry, ticketsWithKey, tickets,
    ]

    private static func service(_ title: String, _ code: UInt16, blockCount: Int) -> ApplicationService {
        ApplicationService(title, .transit, code, blockCount: blockCount)
    }
}
