import TapWire

/// Meaningless texts with the length of the originals: all letters become the same letter, and all digits the same digit.
///
/// Punctuation, languages, schemes and types stay, so that readers of the text find the same structure. Identifiers of the
/// session are replaced by those of its placeholders.
struct TextPlaceholders {
    /// The text forms of identifiers, with their replacements.
    let identifiers: [(old: [UInt8], new: [UInt8])]

    private static let lower = UInt8(ascii: "x")
    private static let upper = UInt8(ascii: "X")
    private static let digit = UInt8(ascii: "0")
    /// The replacements for characters by their length in UTF-8: é, 〇 and 𠀀.
    private static let wide: [Int: [UInt8]] = [2: [0xC3, 0xA9], 3: [0xE3, 0x80, 0x87], 4: [0xF0, 0xA0, 0x80, 0x80]]

    /// The placeholder for a text in UTF-8.
    func text(_ bytes: [UInt8]) -> [UInt8] {
        var new: [UInt8] = []
        while new.count < bytes.count {
            let rest = bytes[new.count...]
            let known = identifiers.first { rest.starts(with: $0.old) }
            new += known?.new ?? Self.character(rest)
        }
        return new
    }

    /// The replacement for the first character of some bytes.
    private static func character(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let first = bytes[bytes.startIndex]
        switch first {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): return [lower]
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): return [upper]
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return [digit]
        case ..<0x80: return [first]
        default:
            let count = min(max(1, (~first).leadingZeroBitCount), bytes.count)
            return wide[count] ?? Array(repeating: upper, count: count)
        }
    }

    /// The placeholder for a URI, which keeps its scheme.
    func uri(_ bytes: [UInt8], hasScheme: Bool) -> [UInt8] {
        var head = 0
        if hasScheme, let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[..<colon].allSatisfy(Self.isInScheme) {
            head = colon + 1
        }
        var new = bytes.prefix(head) + text(Array(bytes.dropFirst(head)))
        // An escaped byte stays an escaped byte: %41.
        for index in new.indices.dropLast(2) where bytes[index] == UInt8(ascii: "%") {
            new[index + 1] = UInt8(ascii: "4")
            new[index + 2] = UInt8(ascii: "1")
        }
        return Array(new)
    }

    private static func isInScheme(_ byte: UInt8) -> Bool {
        let character = Character(UnicodeScalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber || "+-.".contains(character))
    }

    /// The placeholder for a text in UTF-16, with or without a byte order mark.
    private func utf16(_ bytes: [UInt8]) -> [UInt8] {
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        var new = bytes
        for start in stride(from: 0, to: bytes.count - 1, by: 2) {
            let (high, low) = isLittle ? (start + 1, start) : (start, start + 1)
            switch bytes[high] {
            case 0: new[low] = Self.character([bytes[low] & 0x7F])[0]
            case 0xFE where bytes[low] == 0xFF: break
            case 0xD8...0xDB: (new[high], new[low]) = (0xD8, 0x40)
            case 0xDC...0xDF: (new[high], new[low]) = (0xDC, 0x00)
            default: (new[high], new[low]) = (0x30, 0x07)
            }
        }
        return new
    }

    /// The placeholder for bytes that may or may not be text.
    func anything(_ bytes: [UInt8]) -> [UInt8] {
        let isText =
            String(validating: bytes, as: UTF8.self) != nil
            && bytes.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        return isText ? text(bytes) : Self.masked(bytes)
    }

    /// The bytes with everything except 00 and FF masked.
    static func masked(_ bytes: [UInt8]) -> [UInt8] { bytes.map { $0 == 0 || $0 == 0xFF ? $0 : upper } }
}

// NDEF.

extension TextPlaceholders {
    /// A message with scrubbed records, or `nil` for bytes that are not a message.
    func message(_ bytes: [UInt8]) -> [UInt8]? {
        guard let message = try? NDEFMessage(parsing: bytes),
            let records = try? message.records.map({ record throws(WireError) in try self.record(record) })
        else { return nil }
        return NDEFMessage(records).bytes
    }

    private func record(_ record: NDEFRecord) throws(WireError) -> NDEFRecord {
        let isURI = record.format == .absoluteURI
        return try NDEFRecord(
            format: record.format, type: isURI ? uri(record.type, hasScheme: true) : record.type,
            id: record.id.map(text), payload: payload(of: record), isChunked: record.isChunked, isLong: record.isLong)
    }

    /// Records of a smart poster for its action, size and type, which stay.
    private static let structural = ["act", "s", "t"].map { Array($0.utf8) }

    private func payload(of record: NDEFRecord) -> [UInt8] {
        let payload = record.payload
        guard record.format == .wellKnown, !record.isChunked, let first = payload.first else {
            return anything(payload)
        }
        switch record.type {
        case NDEFRecord.WellKnownType.uri:
            return [first] + uri(Array(payload.dropFirst()), hasScheme: first == URIPrefix.none.rawValue)
        case NDEFRecord.WellKnownType.text:
            let head = 1 + Int(first & 0x3F)
            let said = Array(payload.dropFirst(head))
            return payload.prefix(head) + (first & 0x80 == 0 ? anything(said) : utf16(said))
        case NDEFRecord.WellKnownType.smartPoster: return message(payload) ?? anything(payload)
        case let type where Self.structural.contains(type): return payload
        default: return anything(payload)
        }
    }
}
