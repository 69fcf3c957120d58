/// How a frame is written as text: hexadecimal digits, and `:` with a number of bits where it ends inside a byte.
///
/// `3004`, `26:7`, `A:4`. Blanks may stand between digits. With a number of bits and an odd number of digits the last
/// digit is a byte of its own.
public enum FrameText {
    /// Why text is no frame.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// What is wrong, a half sentence.
        public let description: String
    }

    /// Reads bytes and a number of bits; unused bits of the last byte are kept as written.
    public static func parse(_ text: some StringProtocol) throws(Problem) -> (bytes: [UInt8], bitCount: Int) {
        let parts = String(text).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var digits = parts[0].filter { $0 != " " && $0 != "\t" }
        let isOdd = digits.count % 2 == 1
        if isOdd, parts.count == 2, let last = digits.popLast() { digits += "0\(last)" }
        let bytes: [UInt8]
        do { bytes = try Hex.bytes(digits) } catch { throw Problem(description: "\(error)") }
        guard bytes.count <= FrameBuffer.capacity else {
            throw Problem(
                description: "a frame has at most \(FrameBuffer.capacity) bytes, this one \(bytes.count)")
        }
        guard parts.count == 2 else { return (bytes, bytes.count * 8) }
        let range = max(0, (bytes.count - 1) * 8 + 1)...bytes.count * 8
        guard let bits = Int(parts[1].filter { $0 != " " }), bytes.isEmpty ? bits == 0 : range.contains(bits) else {
            throw Problem(description: "`\(parts[1])` is no number of bits in the last of \(bytes.count) bytes")
        }
        return (bytes, bits)
    }

    /// Writes bytes, the last of which may hold fewer than eight bits.
    public static func text(_ bytes: [UInt8], bitCount: Int) -> String {
        if bitCount % 8 == 0 { return Hex.text(bytes) }
        let digits = Hex.text(bytes)
        return bitCount <= 4 ? "\(digits.suffix(1)):\(bitCount)" : "\(digits):\(bitCount)"
    }
}
