/// The tags and texts of a property list, one after the other.
struct PropertyListScanner {
    /// A tag.
    enum Tag {
        /// The beginning of an element, or all of it.
        case open(String, isEmpty: Bool)
        /// The end of an element.
        case close(String)
    }

    private var rest: ArraySlice<UInt8>

    init(_ text: String) {
        rest = Array(text.utf8)[...]
    }

    /// The next tag; declarations and comments before it are passed over, and so is text, of which none counts there.
    mutating func nextTag() -> Tag? {
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            if rest.starts(with: Array("!--".utf8)) {
                guard skip(past: "-->") else { return nil }
            } else if let first = rest.first, first == UInt8(ascii: "?") || first == UInt8(ascii: "!") {
                guard skip(past: ">") else { return nil }
            } else {
                return tag()
            }
        }
        return nil
    }

    /// The text of an element whose beginning was read, up to its end.
    mutating func text(until name: String) -> String? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "<")) else { return nil }
        let raw = rest[..<end]
        rest = rest[end...]
        guard case .close(name)? = nextTag() else { return nil }
        return Self.unescaped(String(decoding: raw, as: UTF8.self))
    }

    private mutating func tag() -> Tag? {
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        var words = rest[..<end]
        rest = rest[(end + 1)...]
        let isClose = words.first == UInt8(ascii: "/")
        let isEmpty = words.last == UInt8(ascii: "/")
        if isClose { words = words.dropFirst() }
        if isEmpty { words = words.dropLast() }
        let name = words.prefix { $0 > UInt8(ascii: " ") }
        guard !name.isEmpty else { return nil }
        let text = String(decoding: name, as: UTF8.self)
        return isClose ? .close(text) : .open(text, isEmpty: isEmpty)
    }

    private mutating func skip(past end: String) -> Bool {
        let end = Array(end.utf8)
        while rest.count >= end.count {
            if rest.starts(with: end) {
                rest = rest.dropFirst(end.count)
                return true
            }
            rest = rest.dropFirst()
        }
        return false
    }

    /// A text with the five entities of XML and numeric ones resolved; what else begins with `&` stays.
    private static func unescaped(_ text: String) -> String {
        guard text.contains("&") else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[start...]
            guard let end = rest.prefix(12).firstIndex(of: ";"),
                let character = entity(rest[rest.index(after: start)..<end])
            else {
                result.append("&")
                rest = rest.dropFirst()
                continue
            }
            result.unicodeScalars.append(character)
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func entity(_ name: Substring) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.hasPrefix("#") else { return nil }
            let isHex = name.hasPrefix("#x")
            return UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10).flatMap(Unicode.Scalar.init)
        }
    }
}
