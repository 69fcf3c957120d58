import TapWire
import TestSupport
import Testing

/// A line of a vector file: bytes in hexadecimal, ` | `, and their meaning.
///
/// `41*300` stands for three hundred bytes 41.
struct WireVector: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let says: String

    var testDescription: String { says }

    /// Reads the vectors of `Vectors/<name>`.
    ///
    /// Each line must have both parts.
    static func file(_ name: String) -> [WireVector] {
        VectorFile.lines(name, alongside: targetFile).map { line in
            let parts = line.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let bytes = bytes(String(parts[0])) else {
                fatalError("\(name) has a line that is no vector: \(line)")
            }
            return WireVector(bytes: bytes, says: parts[1].drop { $0 == " " }.description)
        }
    }

    /// A path in the target's folder, next to `Vectors`.
    private static let targetFile = String(#filePath.dropLast("Support/WireVector.swift".count)) + "Vectors.swift"

    /// Parses bytes in the notation of vectors; returns `nil` if they are invalid.
    static func bytes(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        for word in text.split(separator: " ") {
            let parts = word.split(separator: "*")
            guard let part = try? Hex.bytes(parts[0]), let count = parts.count == 1 ? 1 : Int(parts[1]) else {
                return nil
            }
            for _ in 0..<count { bytes += part }
        }
        return bytes
    }
}
