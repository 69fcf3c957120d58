/// A block that begins with a card number: nanaco (558B) and WAON (684F).
///
/// Source: observation of cards (felicalib wiki).
public struct CardNumberBlock: BlockRecord {
    private enum Layout {
        static let number = BitField.bigEndian(0...7)
    }

    public static let name = "card number block"
    public var stored: BlockData

    public init(_ stored: BlockData) {
        self.stored = stored
    }

    public init(number: CardNumber) {
        self.init(.zero)
        self.number = number
    }

    /// The card number.
    public var number: CardNumber {
        get { CardNumber(stored[Layout.number]) }
        set { stored[Layout.number] = newValue.rawValue }
    }
}
