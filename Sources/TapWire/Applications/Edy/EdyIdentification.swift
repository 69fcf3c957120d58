/// The number of an Edy card, first block of service 110B, in bytes 2 to 9.
///
/// Source: observation of cards (felicalib wiki).
public struct EdyIdentification: BlockRecord {
    private enum Layout {
        static let number = BitField.bigEndian(2...9)
    }

    /// What the record is.
    public static let name = "Edy identification"
    /// The bytes as they lie on the card.
    public var stored: BlockData

    /// Takes the bytes as they lie on the card.
    public init(_ stored: BlockData) {
        self.stored = stored
    }

    /// Creates a record.
    public init(number: CardNumber) {
        self.init(.zero)
        self.number = number
    }

    /// The Edy number.
    public var number: CardNumber {
        get { CardNumber(stored[Layout.number]) }
        set { stored[Layout.number] = newValue.rawValue }
    }
}
