/// Hexadecimal text, with optional blanks between digits.
public enum Hex {
    /// The reason text is not hexadecimal bytes.
    public enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// A character that is neither a digit nor a blank, with its index in characters.
        case notADigit(Character, at: Int)
        /// An odd number of digits; a byte has two.
        case oddDigits(count: Int)

        public var description: String {
            switch self {
            case .notADigit(let character, let offset):
                "`\(character)` at position \(offset + 1) is not a hexadecimal digit"
            case .oddDigits(let count):
                "\(count) hexadecimal digits are not whole bytes; add or remove one digit"
            }
        }
    }

    public static func bytes(_ text: some StringProtocol) throws(Problem) -> [UInt8] {
        let text = Array(text.utf8)[...]
        var bytes: [UInt8] = []
        let reading = read(text.span, into: &bytes)
        guard reading.end == text.count else { throw firstStranger(in: text.span) }
        guard !reading.isOdd else { throw .oddDigits(count: reading.digitCount) }
        return bytes
    }

    struct Reading {
        let digitCount: Int
        /// The index of the first character that is neither a digit nor a blank, or the end of the text.
        let end: Int

        /// A Boolean value that indicates whether the last digit is a byte of its own.
        var isOdd: Bool { digitCount % 2 != 0 }
    }

    /// Reads UTF-8 digits and blanks up to the first other character; a single last digit becomes a byte of its own.
    static func read(_ text: Span<UInt8>, into bytes: inout [UInt8]) -> Reading {
        bytes.removeAll(keepingCapacity: true)
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: (text.count + 1) / 2) { places in
            var (byte, digitCount, index) = (UInt8(0), 0, 0)
            while index < text.count {
                let digit = value(of: text[index])
                if digit < 16 {
                    // The first digit stays in `byte` until the second digit shifts it up; older digits are shifted out.
                    byte = byte << 4 | digit
                    unsafe places[digitCount >> 1] = byte
                    digitCount &+= 1
                } else if !isBlank(text[index]) {
                    break
                }
                index &+= 1
            }
            let reading = Reading(digitCount: digitCount, end: index)
            if reading.isOdd { unsafe places[digitCount >> 1] = byte & 0x0F }
            unsafe bytes.append(contentsOf: UnsafeMutableBufferPointer(rebasing: places[..<((digitCount + 1) / 2)]))
            return reading
        }
    }

    package static func isBlank(_ character: UInt8) -> Bool {
        character == UInt8(ascii: " ") || character == UInt8(ascii: "\t")
    }

    /// The value of a digit, or a value above all digits for any other character.
    @inline(__always)
    private static func value(of character: UInt8) -> UInt8 {
        let number = character &- UInt8(ascii: "0")
        let letter = (character | 0x20) &- UInt8(ascii: "a")
        return number < 10 ? number : letter < 6 ? letter &+ 10 : .max
    }

    /// The first character that is neither a digit nor a blank.
    ///
    /// Its position is counted in characters, as a person would count.
    static func firstStranger(in text: Span<UInt8>) -> Problem {
        let text = unsafe text.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        for (offset, character) in text.enumerated() {
            guard let byte = character.asciiValue, isBlank(byte) || value(of: byte) < 16 else {
                return .notADigit(character, at: offset)
            }
        }
        preconditionFailure("a byte that is not a digit belongs to a character that is not a digit")
    }

    /// Upper-case digits of `bytes`, two per byte.
    public static func text(_ bytes: some Collection<UInt8>, separator: String = "") -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * (2 + separator.utf8.count))
        for byte in bytes {
            if !text.isEmpty { text += separator.utf8 }
            text.append(digit(byte >> 4))
            text.append(digit(byte & 0x0F))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the upper-case digits of bytes to UTF-8 text.
    static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * bytes.count) { digits in
            for index in bytes.indices {
                unsafe digits[2 &* index] = digit(bytes[index] >> 4)
                unsafe digits[2 &* index &+ 1] = digit(bytes[index] & 0x0F)
            }
            unsafe text.append(contentsOf: digits)
        }
    }

    @inline(__always)
    private static func digit(_ value: UInt8) -> UInt8 {
        value &+ (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") &- 10)
    }

    /// Upper-case digits of a number, padded with zeros to `width`.
    public static func digits(_ value: some BinaryInteger, width: Int) -> String {
        String(value, radix: 16, uppercase: true).leftPadded(to: width, with: "0")
    }
}
