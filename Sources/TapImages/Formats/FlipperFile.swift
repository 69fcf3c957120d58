import TapDocument
import TapWire

/// A `.nfc` file of Flipper Zero, with lines `key: value` and comments after `#`.
///
/// Source: "NFC Flipper File Formats" in the documentation of the Flipper Zero firmware.
struct FlipperFile {
    /// The first line of every such file.
    static let heading = "Filetype: Flipper NFC device"
    /// The supported versions.
    ///
    /// Version 2 has the bytes of ATQA in wire order; 3 and 4 have the high byte first. Version 4 names the family where the
    /// others name the card.
    private static let versions = 2...4

    struct Line {
        let number: Int
        let key: Substring
        let value: Substring
    }

    let lines: [Line]
    let version: Int
    /// The number of the line after the last one with content.
    let end: Int

    init(_ file: SourceFile) throws(ImageProblem) {
        var lines: [Line] = []
        for number in 1...file.lineCount {
            let line = file.text(ofLine: number)
            if line.hasPrefix("#") { continue }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            // Skip the directory trees that are drawn next to the values.
            guard parts.count == 2, parts[0].first?.isLetter == true else { continue }
            lines.append(Line(number: number, key: parts[0], value: parts[1].drop { $0 == " " }))
        }
        self.lines = lines
        end = (lines.last?.number ?? 0) + 1
        guard let stated = lines.first(where: { $0.key == "Version" }) else {
            throw ImageProblem("the file ends before `Version`", line: end, hint: "export it again")
        }
        guard let version = Int(stated.value), Self.versions.contains(version) else {
            throw ImageProblem(
                "the file has version `\(PrintableText.line(stated.value))`", line: stated.number,
                hint: "use version \(Self.versions.lowerBound) to \(Self.versions.upperBound)")
        }
        self.version = version
    }

    func image() throws(ImageProblem) -> CardImage {
        let kind = try required("Device type")
        if kind.value == "FeliCa" { return try FlipperFeliCa(self).image() }
        let type = line("NTAG/Ultralight type") ?? kind
        guard let product = NTAGProduct(rawValue: String(type.value)) else {
            throw ImageProblem(
                "the type of the card is `\(PrintableText.line(type.value))`, which is not supported",
                line: type.number,
                hint: "supported types are NTAG213, NTAG215, NTAG216 and FeliCa")
        }
        return CardImage(.tag(try FlipperTag(self, product).image()), .flipper)
    }
}

extension FlipperFile {
    /// The first line with a key.
    func line(_ key: String) -> Line? { lines.first { $0.key == key } }

    /// The first line with a required key.
    func required(_ key: String) throws(ImageProblem) -> Line {
        guard let line = line(key) else { throw missing(key) }
        return line
    }

    func missing(_ key: String) -> ImageProblem {
        ImageProblem("the file ends before `\(key)`", line: end, hint: "export it again")
    }

    /// The hexadecimal bytes of a line, or `nil` for question marks, which stand for bytes that were not read.
    func bytes(_ line: Line, count: Int) throws(ImageProblem) -> [UInt8]? {
        if line.value.contains("?") { return nil }
        guard let bytes = try? Hex.bytes(line.value), bytes.count == count else {
            throw ImageProblem(
                "`\(line.key)` needs \(CountText.of(count, "byte")) in hexadecimal", line: line.number,
                hint: "export it again")
        }
        return bytes
    }

    func bytes(_ key: String, count: Int) throws(ImageProblem) -> [UInt8]? {
        guard let line = line(key) else { return nil }
        return try bytes(line, count: count)
    }

    func number(_ line: Line, atMost most: Int) throws(ImageProblem) -> Int {
        guard let number = Int(line.value), 0...most ~= number else {
            throw ImageProblem(
                "`\(line.key)` needs a number up to \(most)", line: line.number, hint: "export it again")
        }
        return number
    }

    func number(_ key: String, atMost most: Int) throws(ImageProblem) -> Int? {
        guard let line = line(key) else { return nil }
        return try number(line, atMost: most)
    }
}
