/// The block of a purse service: the balance, the last payment and the ID of its command.
///
/// A command block has the same layout; its first four bytes are the amount of a decrement or cashback, or the new value for
/// direct access. Source: FeliCa Card User's Manual, excerpted edition, "purse service".
package struct PurseBlock: BlockRecord {
    package struct Fields: RecordFields, Sendable {
        /// The purse value: the balance.
        package let value = Field<UInt32>("purse value", .littleEndian(0...3), unit: "yen", privacy: .open)
        /// The cashback data: the part of the last decrement that may still be paid back.
        package let cashback = Field<UInt32>("cashback data", .littleEndian(4...7), unit: "yen", privacy: .open)
        /// The four bytes of user data, high byte first.
        package let userData = Field<UInt32>(raw: "user data", .bigEndian(8...11), privacy: .data)
        /// The four bytes of the execution ID, high byte first; a command that repeats the ID changes nothing.
        package let executionID = Field<UInt32>(raw: "execution ID", .bigEndian(12...15), privacy: .data)

        package var listed: [any RecordField] { [value, cashback, userData, executionID] }
    }

    package static let fields = Fields()

    package static let name = "purse block"
    package var stored: BlockData

    package init(_ stored: BlockData) {
        self.stored = stored
    }

    package init(value: UInt32, cashback: UInt32 = 0, userData: UInt32 = 0, executionID: UInt32 = 0) {
        self.init(.zero)
        self.value = value
        self.cashback = cashback
        self.userData = userData
        self.executionID = executionID
    }
}

/// A block that begins with a card number: nanaco (558B) and WAON (684F).
///
/// Source: observation of cards (felicalib wiki).
package struct CardNumberBlock: BlockRecord {
    package struct Fields: RecordFields, Sendable {
        package let number = Field<CardNumber>("card number", .bigEndian(0...7), privacy: .cardNumber)

        package var listed: [any RecordField] { [number] }
    }

    package static let fields = Fields()

    package static let name = "card number block"
    package var stored: BlockData

    package init(_ stored: BlockData) {
        self.stored = stored
    }

    package init(number: CardNumber) {
        self.init(.zero)
        self.number = number
    }
}

/// A card number of sixteen decimal digits, two per byte.
public struct CardNumber: OpenCode, CustomStringConvertible {
    /// The eight bytes as a number, byte 0 highest; nibbles above 9 are kept.
    public let rawValue: UInt64

    public init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Reads sixteen decimal digits, optionally separated by blanks.
    package init?(_ text: some StringProtocol) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") }
        guard digits.count == 16, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rawValue = digits.reduce(0) { $0 << 4 | UInt64($1 - 0x30) }
    }

    package var isDecimal: Bool {
        description.utf8.allSatisfy { $0 <= UInt8(ascii: "9") }
    }
}

extension RecordLayout {
    static let purse = RecordLayout(PurseBlock.self, .balance)
    static let cardNumber = RecordLayout(CardNumberBlock.self, .number)
}
