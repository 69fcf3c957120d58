/// What was done, the low seven bits of byte 1 of a history record.
///
/// Source: observation of cards, as felicalib wiki, TRETJapanNFCReader, FareBot and Metrodroid decode them.
public struct ProcessType: NamedCode {
    /// The seven bits.
    public let rawValue: UInt8

    /// Takes the low seven bits of a byte.
    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue & 0x7F
    }

    /// Leaving by a gate, with the fare paid.
    public static let gateExit = ProcessType(0x01)
    public static let topUp = ProcessType(0x02)
    /// A ticket bought.
    public static let ticket = ProcessType(0x03)
    /// A missing fare paid before leaving.
    public static let adjustment = ProcessType(0x04)
    /// A missing fare paid at entry.
    public static let entryAdjustment = ProcessType(0x05)
    /// Leaving at a window.
    public static let windowExit = ProcessType(0x06)
    /// The card issued.
    public static let newIssue = ProcessType(0x07)
    /// Money deducted or paid back.
    public static let refund = ProcessType(0x08)
    /// A bus ride.
    public static let bus = ProcessType(0x0D)
    /// The card issued again.
    public static let reissue = ProcessType(0x10)
    /// Leaving a Shinkansen gate.
    public static let shinkansenExit = ProcessType(0x13)
    /// Money put on the card by the gate at entry.
    public static let autoChargeAtEntry = ProcessType(0x14)
    /// A missing bus fare paid.
    public static let busAdjustment = ProcessType(0x19)
    /// A ride on a shuttle bus.
    public static let shuttleBus = ProcessType(0x1D)
    /// Money put on the card on a bus.
    public static let busTopUp = ProcessType(0x1F)
    /// A bus or tram ticket bought.
    public static let busTicket = ProcessType(0x23)
    /// Taken back.
    public static let cancellation = ProcessType(0x33)
    /// Something bought.
    public static let purchase = ProcessType(0x46)
    /// Points turned into money.
    public static let pointTopUp = ProcessType(0x48)
    /// Money put on the card at a till.
    public static let tillTopUp = ProcessType(0x49)
    /// A purchase taken back.
    public static let purchaseVoid = ProcessType(0x4A)
    /// Something bought between entry and exit.
    public static let purchaseInside = ProcessType(0x4B)

    public static let names: [CodeName] = [
        CodeName(0x01, "gate exit", "改札出場"),
        CodeName(0x02, "top-up", "チャージ"),
        CodeName(0x03, "ticket purchase", "きっぷ購入"),
        CodeName(0x04, "adjustment", "精算"),
        CodeName(0x05, "adjustment at entry", "乗越精算"),
        CodeName(0x06, "exit at window", "窓口出場"),
        CodeName(0x07, "new issue", "新規"),
        CodeName(0x08, "deduction or refund", "控除・返金"),
        CodeName(0x0D, "bus", "バス"),
        CodeName(0x0C, "bus", "バス"),
        CodeName(0x0F, "bus", "バス"),
        CodeName(0x10, "reissue", "再発行"),
        CodeName(0x11, "reissue", "再発行"),
        CodeName(0x13, "Shinkansen exit", "料金出場(新幹線)"),
        CodeName(0x14, "auto-charge at entry", "オートチャージ(入場)"),
        CodeName(0x15, "auto-charge at exit", "オートチャージ(出場)"),
        CodeName(0x17, "auto-charge", "オートチャージ"),
        CodeName(0x19, "bus adjustment", "バス精算"),
        CodeName(0x1A, "bus adjustment", "バス精算"),
        CodeName(0x1B, "bus adjustment", "バス精算"),
        CodeName(0x1D, "shuttle bus", "シャトルバス"),
        CodeName(0x1F, "top-up on bus", "バスチャージ"),
        CodeName(0x23, "bus or tram ticket", "企画券購入"),
        CodeName(0x33, "cancellation", "取消"),
        CodeName(0x46, "purchase", "物販"),
        CodeName(0x48, "point top-up", "特典・ポイントチャージ"),
        CodeName(0x49, "top-up at till", "入金(レジ)"),
        CodeName(0x4A, "purchase void", "物販取消"),
        CodeName(0x4B, "purchase while inside", "入場物販"),
    ]
}
