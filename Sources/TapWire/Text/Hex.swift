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
        let text = Array(text.utf8)[...]
        return try bytes(text.span)
    }

    /// The bytes that text in UTF-8 spells.
    ///
    /// - Parameters:
    ///   - text: Digits and blanks.
    ///   - takesOddDigit: Whether a last digit without another one is a byte of its own.
    static func bytes(_ text: Span<UInt8>, takesOddDigit: Bool = false) throws(Problem) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity((text.count + 1) / 2)
        var high: UInt8?
        for index in text.indices where !isBlank(text[index]) {
            guard let digit = value(of: text[index]) else { throw firstStranger(in: text) }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        if let high {
            guard takesOddDigit else { throw .oddDigits(count: bytes.count * 2 + 1) }
            bytes.append(high)
        }
        return bytes
    }

    /// Whether a character may stand between digits.
    public static func isBlank(_ character: UInt8) -> Bool {
        character == UInt8(ascii: " ") || character == UInt8(ascii: "\t")
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// The first character that is neither a digit nor a blank; a person counts characters, not bytes.
    private static func firstStranger(in text: Span<UInt8>) -> Problem {
        let text = unsafe text.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        for (offset, character) in text.enumerated() {
            guard let byte = character.asciiValue, isBlank(byte) || value(of: byte) != nil else {
                return .notADigit(character, at: offset)
            }
        }
        preconditionFailure("a byte that is no digit is part of a character that is none")
    }

    /// Upper-case digits of `bytes`, two a byte.
    ///
    /// - Parameters:
    ///   - bytes: What to print.
    ///   - separator: Put between bytes.
    public static func text(_ bytes: some Collection<UInt8>, separator: String = "") -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * (2 + separator.utf8.count))
        for byte in bytes {
            if !text.isEmpty { text += separator.utf8 }
            append(byte, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the two upper-case digits of a byte to text in UTF-8.
    static func append(_ byte: UInt8, to text: inout [UInt8]) {
        text.append(digit(byte >> 4))
        text.append(digit(byte & 0x0F))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    /// Upper-case digits of a number, filled with zeros to `width`.
    public static func digits(_ value: some BinaryInteger, width: Int) -> String {
        String(value, radix: 16, uppercase: true).leftPadded(to: width, with: "0")
    }
}
