/// Counts with their nouns.
package enum CountText {
    /// The number and the noun: `1 block`, `3 blocks`.
    ///
    /// The plural defaults to `one` with an s.
    package static func of(_ count: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
        count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
    }
}

/// Lists of alternatives.
package enum ListText {
    /// The parts, separated by commas and a final `or`: `a, b or c`.
    package static func choice(_ parts: [String]) -> String { joined(parts, "or") }

    /// The parts, separated by commas and a final `and`: `a, b and c`.
    package static func all(_ parts: [String]) -> String { joined(parts, "and") }

    private static func joined(_ parts: [String], _ conjunction: String) -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }

    /// As many parts as fit into a line, separated by commas; an ellipsis stands for the rest.
    ///
    /// - Parameter isChoice: A Boolean value that indicates whether `or` precedes the last part if all of them fit.
    package static func fitting(_ parts: [String], isChoice: Bool = false) -> String {
        let width = 100
        let whole = isChoice ? choice(parts) : parts.joined(separator: ", ")
        guard whole.count > width else { return whole }
        var text = ""
        for part in parts {
            guard text.count + part.count + 3 <= width else { break }
            text += "\(part), "
        }
        return text + "…"
    }
}

/// A value that people also know by names other than its own, such as product names or names in Japanese.
package protocol OtherwiseNamed {
    /// The other names, in letters from a to z: kana are compared by their romanization.
    var otherNames: [String] { get }
}

/// Lists of numbers with ranges: `4, 7 to 9`.
package enum RangeText {
    package static func of(_ numbers: some Sequence<Int>, _ text: (Int) -> String = { "\($0)" }) -> String {
        var ranges: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map { range in
            range.count == 1 ? text(range.lowerBound) : "\(text(range.lowerBound)) to \(text(range.upperBound))"
        }.joined(separator: ", ")
    }
}

/// Durations as written in files.
package enum DurationText {
    /// A duration in the largest unit that needs no fraction: `250us`, `30ms`, `2s`.
    package static func of(_ duration: Duration) -> String {
        let nanoseconds = duration.wholeNanoseconds
        if nanoseconds % 1_000_000_000 == 0 { return "\(nanoseconds / 1_000_000_000)s" }
        if nanoseconds % 1_000_000 == 0 { return "\(nanoseconds / 1_000_000)ms" }
        if nanoseconds % 1_000 == 0 { return "\(nanoseconds / 1_000)us" }
        return "\(nanoseconds)ns"
    }
}

/// Fixed-width decimal numbers, as in dates, times and codes.
enum DecimalText {
    /// The number written with exactly `width` digits.
    static func number(_ text: some StringProtocol, width: Int) -> Int? {
        guard text.utf8.count == width, width <= 18, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    /// Decimal digits of a non-negative number, padded with zeros to `width`.
    static func digits(_ value: Int, width: Int) -> String {
        String(value).leftPadded(to: width, with: "0")
    }
}

extension String {
    /// The text right-aligned in `width` columns; longer text is not truncated.
    package func leftPadded(to width: Int, with filler: Character = " ") -> String {
        String(repeating: filler, count: max(0, width - count)) + self
    }

    /// The text left-aligned in `width` columns; longer text is not truncated.
    package func rightPadded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

/// Text from outside made safe to print: names, arguments, client output and card contents.
package enum PrintableText {
    /// The longest line of text that is shown, in characters.
    private static let maximumLength = 300

    /// Returns whether a character can move, hide or reorder the text around it, or control a terminal.
    ///
    /// Such characters are the C0 and C1 controls, DEL, directional marks and overrides (U+061C, U+200E, U+200F, U+202A–202E,
    /// U+2066–2069), line separators, and every other character without a glyph except the two joiners, which emoji and some
    /// scripts need. Lone surrogates never get here: invalid UTF-8 has already become U+FFFD.
    package static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: false
        case 0x200C, 0x200D: false
        default: [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
    }

    /// A printable form of a character: U+FFFD for a harmful one; tabs are kept.
    package static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        isHarmful(scalar) && scalar != "\t" ? "\u{FFFD}" : scalar
    }

    /// Text with every harmful character, line breaks included, replaced by U+FFFD; tabs are kept.
    package static func visible(_ text: some StringProtocol) -> String {
        var visible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { visible.append(Self.visible(scalar)) }
        return String(visible)
    }

    /// Text like ``visible(_:)``, truncated if the line is too long to read.
    package static func line(_ text: some StringProtocol) -> String {
        let line = visible(text.prefix(maximumLength))
        return text.count > maximumLength ? line + " …" : line
    }
}

/// Text from bytes that must be well formed: nothing is replaced, so the text encodes to the same bytes.
enum StrictText {
    /// Decodes UTF-8; `offset` is the position of the bytes in the value being read.
    static func utf8(_ bytes: [UInt8], at offset: Int, in name: String) throws(WireError) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        if let index = firstDifference(bytes, Array(text.utf8)) {
            throw WireError(.wrongValue, at: offset + index, in: name, "not UTF-8")
        }
        return text
    }

    /// Decodes UTF-16; each code unit is two bytes of the value being read.
    static func utf16(_ units: [UInt16], at offset: Int, in name: String) throws(WireError) -> String {
        let text = String(decoding: units, as: UTF16.self)
        if let index = firstDifference(units, Array(text.utf16)) {
            throw WireError(.wrongValue, at: offset + 2 * index, in: name, "an unpaired surrogate")
        }
        return text
    }

    static func ascii(_ bytes: [UInt8], at offset: Int, in name: String) throws(WireError) -> String {
        if let index = bytes.firstIndex(where: { $0 >= 0x80 }) {
            throw WireError(.wrongValue, at: offset + index, in: name, "not ASCII")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The index of the first repair made by decoding.
    ///
    /// Repaired text never encodes to the original malformed input.
    private static func firstDifference<Unit: Equatable>(_ given: [Unit], _ spelled: [Unit]) -> Int? {
        if given == spelled { return nil }
        return zip(given, spelled).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            ?? min(given.count, spelled.count)
    }
}
