/// How a frame is written as text: hexadecimal digits, and `:` with a number of bits where it ends inside a byte.
///
/// `3004`, `26:7`, `A:4`. Blanks may stand between digits. With a number of bits and an odd number of digits the last
/// digit is a byte of its own.
public enum FrameText {
    /// Why text is no frame.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// What is wrong, a half sentence.
        public let description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// Reads bytes and a number of bits; unused bits of the last byte are kept as written.
    public static func parse(_ text: some StringProtocol) throws(Problem) -> (bytes: [UInt8], bitCount: Int) {
        var bytes: [UInt8] = []
        let bitCount = try parse(Array(text.utf8)[...], into: &bytes)
        return (bytes, bitCount)
    }

    /// Reads text in UTF-8 as ``parse(_:)`` does.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - bytes: Becomes the bytes, in its own memory where that is large enough.
    /// - Returns: The number of bits.
    public static func parse(_ text: ArraySlice<UInt8>, into bytes: inout [UInt8]) throws(Problem) -> Int {
        let reading = Hex.read(text.span, into: &bytes)
        let end = text.startIndex + reading.end
        let hasBitCount = end < text.endIndex
        guard !hasBitCount || text[end] == UInt8(ascii: ":") else {
            let digits = text.prefix { $0 != UInt8(ascii: ":") }
            throw Problem(description: Hex.firstStranger(in: digits.span).description)
        }
        guard hasBitCount || !reading.isOdd else {
            throw Problem(description: Hex.Problem.oddDigits(count: reading.digitCount).description)
        }
        guard bytes.count <= FrameBuffer.capacity else {
            throw Problem(
                description: "a frame has at most \(FrameBuffer.capacity) bytes, this one \(bytes.count)")
        }
        guard hasBitCount else { return bytes.count * 8 }
        return try bitCount(String(decoding: text[(end + 1)...], as: UTF8.self), of: bytes)
    }

    private static func bitCount(_ text: String, of bytes: [UInt8]) throws(Problem) -> Int {
        let range = max(0, (bytes.count - 1) * 8 + 1)...bytes.count * 8
        guard let bits = Int(text.filter { $0 != " " }), bytes.isEmpty ? bits == 0 : range.contains(bits) else {
            throw Problem(description: "`\(text)` is no number of bits in the last of \(bytes.count) bytes")
        }
        return bits
    }

    /// Writes bytes, the last of which may hold fewer than eight bits.
    public static func text(_ bytes: [UInt8], bitCount: Int) -> String {
        var text: [UInt8] = []
        append(bytes, bitCount: bitCount, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends what ``text(_:bitCount:)`` writes to text in UTF-8.
    public static func append(_ bytes: [UInt8], bitCount: Int, to text: inout [UInt8]) {
        let bytes = bytes[...]
        Hex.append(bytes.span, to: &text)
        guard bitCount % 8 != 0 else { return }
        if bitCount <= 4 { text.remove(at: text.count - 2) }
        text += ":\(bitCount)".utf8
    }
}
