import TapWire

/// How a frame is written as a line of text: hexadecimal digits, and `:` with a number of bits where it ends in a byte.
///
/// `3004`, `26:7`, `A:4`. With an odd number of digits the last one is a byte of its own.
enum LineFrame {
    /// Why a line is no frame, a half sentence.
    struct Problem: Error {
        let message: String
    }

    /// Reads bytes and a number of bits.
    static func parse(_ line: Substring) throws(Problem) -> (bytes: [UInt8], bitCount: Int) {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var digits = parts[0].filter { $0 != " " && $0 != "\t" }
        let isOdd = digits.count % 2 == 1
        if isOdd, parts.count == 2, let last = digits.popLast() { digits += "0\(last)" }
        let bytes: [UInt8]
        do { bytes = try Hex.bytes(digits) } catch { throw Problem(message: "\(error)") }
        guard bytes.count <= FrameBuffer.capacity else {
            throw Problem(message: "a frame has at most \(FrameBuffer.capacity) bytes, this one \(bytes.count)")
        }
        guard parts.count == 2 else { return (bytes, bytes.count * 8) }
        let range = max(0, (bytes.count - 1) * 8 + 1)...bytes.count * 8
        guard let bits = Int(parts[1].filter { $0 != " " }), bytes.isEmpty ? bits == 0 : range.contains(bits) else {
            throw Problem(message: "`\(parts[1])` is no number of bits in the last of \(bytes.count) bytes")
        }
        return (bytes, bits)
    }

    /// Writes a frame.
    static func text(_ bytes: [UInt8], bitCount: Int) -> String {
        if bitCount % 8 == 0 { return Hex.text(bytes) }
        let digits = Hex.text(bytes)
        return bitCount <= 4 ? "\(digits.suffix(1)):\(bitCount)" : "\(digits):\(bitCount)"
    }
}
