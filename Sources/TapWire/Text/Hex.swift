/// Hexadecimal text, with blanks anywhere between digits.
public enum Hex {
    /// Why text is not hexadecimal bytes.
    public enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// A character that is neither a digit nor a blank, with its index in characters.
        case notADigit(Character, at: Int)
        /// A digit is missing: bytes have two.
        case oddDigits(count: Int)

        /// The problem as a sentence.
        public var description: String {
            switch self {
            case .notADigit(let character, let offset):
                "`\(character)` at position \(offset + 1) is not a hexadecimal digit"
            case .oddDigits(let count):
                "\(count) hexadecimal digits make no whole bytes; add or remove one digit"
            }
        }
    }

    /// The bytes that `text` spells.
    public static func bytes(_ text: some StringProtocol) throws(Problem) -> [UInt8] {
        var bytes: [UInt8] = []
        var high: UInt8?
        var digits = 0
        var offset = 0
        for character in text {
            defer { offset += 1 }
            if character == " " || character == "\t" { continue }
            guard character.isASCII, let value = character.hexDigitValue else {
                throw .notADigit(character, at: offset)
            }
            digits += 1
            let digit = UInt8(truncatingIfNeeded: value)
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        guard high == nil else { throw .oddDigits(count: digits) }
        return bytes
    }

    /// Upper-case digits of `bytes`, two a byte.
    ///
    /// - Parameters:
    ///   - bytes: What to print.
    ///   - separator: Put between bytes.
    public static func text(_ bytes: some Collection<UInt8>, separator: String = "") -> String {
        var text = ""
        text.reserveCapacity(bytes.count * (2 + separator.utf8.count))
        for byte in bytes {
            if !text.isEmpty { text += separator }
            text += digits(byte, width: 2)
        }
        return text
    }

    /// Upper-case digits of a number, filled with zeros to `width`.
    public static func digits(_ value: some BinaryInteger, width: Int) -> String {
        String(value, radix: 16, uppercase: true).leftPadded(to: width, with: "0")
    }
}
