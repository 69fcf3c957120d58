/// The number of an Edy card, first block of service 110B, in bytes 2 to 9.
///
/// Source: observation of cards (felicalib wiki).
public struct EdyIdentification: BlockRecord {
    private enum Layout {
        static let number = BitField.bigEndian(2...9)
    }

    public static let name = "Edy identification"
    public var stored: BlockData

    public init(_ stored: BlockData) {
        self.stored = stored
    }

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
