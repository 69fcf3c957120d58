import TapWire

/// A line of a log, without escape sequences for colours and without trailing blanks.
struct LogLine: Hashable, Sendable {
    /// The number of the line, counted from 1.
    let number: Int
    let bytes: [UInt8]
    /// A Boolean value that indicates whether the line was truncated at ``LogBounds/lineLength``.
    let isCut: Bool

    /// The minimum number of consecutive hexadecimal bytes that make an unknown line look like bytes of a card.
    static let leastBytes = 4

    /// The lines of a file, ended by LF or CR LF.
    static func lines(of bytes: [UInt8]) -> [LogLine] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
            .map { LogLine(number: $0.offset + 1, $0.element) }
    }

    private init(number: Int, _ raw: ArraySlice<UInt8>) {
        self.number = number
        isCut = raw.count > LogBounds.lineLength
        var bytes = Self.withoutEscapes(raw.prefix(LogBounds.lineLength))
        while let last = bytes.last, last == UInt8(ascii: "\r") || Hex.isBlank(last) { bytes.removeLast() }
        self.bytes = bytes
    }

    private static let escape: UInt8 = 0x1B

    /// Removes `ESC [ … letter` sequences, which set colours in terminals.
    private static func withoutEscapes(_ raw: ArraySlice<UInt8>) -> [UInt8] {
        guard raw.contains(escape) else { return Array(raw) }
        var bytes: [UInt8] = []
        var rest = raw
        while let byte = rest.popFirst() {
            guard byte == escape, rest.first == UInt8(ascii: "[") else {
                bytes.append(byte)
                continue
            }
            rest = rest.dropFirst().drop { !(0x40...0x7E).contains($0) }.dropFirst()
        }
        return bytes
    }

    var isEmpty: Bool { bytes.isEmpty }

    /// The index of the first character that is not a blank.
    var start: Int { bytes.firstIndex { !Hex.isBlank($0) } ?? bytes.count }

    func has(_ word: String, at place: Int) -> Bool { place <= bytes.count && bytes[place...].starts(with: word.utf8) }

    /// The index after the first occurrence of a word.
    func place(after word: String, from start: Int = 0) -> Int? {
        guard let first = word.utf8.first else { return nil }
        var rest = bytes[min(start, bytes.count)...]
        while let place = rest.firstIndex(of: first) {
            if has(word, at: place) { return place + word.utf8.count }
            rest = rest[(place + 1)...]
        }
        return nil
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
    }

    /// The text from an index to a character, or to the end.
    func text(from place: Int, to end: Unicode.Scalar) -> String {
        let rest = bytes[min(place, bytes.count)...]
        return String(decoding: rest.prefix { $0 != UInt8(truncatingIfNeeded: end.value) }, as: UTF8.self)
    }

    /// The bytes of the hexadecimal text at an index, and the end of the text.
    ///
    /// Blanks, commas, single colons and hyphens may separate digits, brackets may surround them, and `0x` may precede them.
    /// The text ends at a word that does not consist of pairs of digits, or at a colon between blanks.
    func hex(from place: Int) -> (bytes: [UInt8], end: Int) {
        var found: [UInt8] = []
        var place = place
        while place < bytes.count {
            let byte = bytes[place]
            if Self.separators.contains(byte) {
                if byte == UInt8(ascii: ":"), isBlank(place - 1), isBlank(place + 1) { break }
                place += 1
                continue
            }
            var word = bytes[place...].prefix(while: Self.isWord)
            let end = word.endIndex
            if word.starts(with: "0x".utf8) || word.starts(with: "0X".utf8) { word = word.dropFirst(2) }
            guard !word.isEmpty, word.count % 2 == 0, word.allSatisfy({ Self.value(of: $0) < 16 }) else { break }
            for index in stride(from: word.startIndex, to: word.endIndex, by: 2) {
                found.append(Self.value(of: word[index]) << 4 | Self.value(of: word[index + 1]))
            }
            place = end
        }
        return (found, place)
    }

    private func isBlank(_ place: Int) -> Bool { bytes.indices.contains(place) && Hex.isBlank(bytes[place]) }

    private static let separators = Set(" \t,:;-[](){}'\"".utf8)

    /// Returns whether a byte belongs to a word: letters, digits, non-ASCII characters, and the marks in names.
    static func isWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte >= 0x80
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
    }

    /// The value of a hexadecimal digit; 16 or more for other characters.
    static func value(of character: UInt8) -> UInt8 {
        let (number, letter) = (character &- UInt8(ascii: "0"), (character | 0x20) &- UInt8(ascii: "a"))
        return number < 10 ? number : letter < 6 ? letter + 10 : .max
    }

    /// A Boolean value that indicates whether it contains at least ``leastBytes`` consecutive hexadecimal bytes.
    var looksLikeBytes: Bool {
        var place = 0
        while place < bytes.count {
            if Self.isWord(bytes[place]) {
                let (found, end) = hex(from: place)
                if found.count >= Self.leastBytes { return true }
                place = max(end, place + bytes[place...].prefix(while: Self.isWord).count)
            } else {
                place += 1
            }
        }
        return false
    }

    /// The decimal number at an index, with at most nine digits, and its end.
    func number(at place: Int) -> (value: Int, end: Int)? {
        guard place < bytes.count else { return nil }
        let digits = bytes[place...].prefix { (0x30...0x39).contains($0) }
        guard 1...9 ~= digits.count else { return nil }
        return (digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }, digits.endIndex)
    }

    /// The seconds at an index, with decimals after a point or a comma: `0.008`.
    func seconds(at place: Int) -> Duration? {
        guard let (whole, end) = number(at: place) else { return nil }
        guard end < bytes.count, ".,".utf8.contains(bytes[end]), let (fraction, last) = number(at: end + 1) else {
            return .seconds(whole)
        }
        let scale = (last - end - 1..<9).reduce(1) { value, _ in value * 10 }
        return .seconds(whole) + .nanoseconds(fraction * scale)
    }
}
