/// Decimal numbers of fixed width, as dates, times and codes are written.
enum DecimalText {
    /// The number that exactly `width` digits spell.
    static func number(_ text: some StringProtocol, width: Int) -> Int? {
        guard text.utf8.count == width, width <= 18, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    /// Decimal digits of a number that is not negative, filled with zeros to `width`.
    static func digits(_ value: Int, width: Int) -> String {
        String(value).leftPadded(to: width, with: "0")
    }
}
