import TapDocument
import TapWire

/// A binary dump in hexadecimal, such as Proxmark3's `.eml` with four bytes per line and comments after `#`.
///
/// Source: the notes on file formats of the Proxmark3 client.
enum HexadecimalDump {
    private static let bytesPerLine = 4

    static func image(_ file: SourceFile) throws(ImageProblem) -> CardImage {
        var bytes: [UInt8] = []
        for number in 1...file.lineCount {
            do throws(Hex.Problem) {
                bytes += try Hex.bytes(file.text(ofLine: number).prefix { $0 != "#" })
            } catch {
                guard !bytes.isEmpty else {
                    throw ImageProblem(
                        "the format of the file is unknown", line: number,
                        hint: ImageFormat.readFormats)
                }
                throw ImageProblem(
                    "the line is not hexadecimal: \(error)", line: number,
                    hint: "correct it, or read the tag again")
            }
        }
        return CardImage(try MemoryDump.image(bytes).content, .eml)
    }

    static func text(_ bytes: [UInt8]) -> String {
        stride(from: 0, to: bytes.count, by: bytesPerLine).map { start in
            Hex.text(bytes[start..<min(start + bytesPerLine, bytes.count)]) + "\n"
        }.joined()
    }
}
