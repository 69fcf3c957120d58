import TapWire

/// The declarations of an app's Info.plist about reading cards.
///
/// Source: Apple, Information Property List, NFCReaderUsageDescription and
/// com.apple.developer.nfc.readersession.felica.systemcodes.
package struct InfoPlist {
    package static let maximumBytes = 1 << 18

    /// The FeliCa system codes, in the order of the file; empty if the file declares none.
    package let systemCodes: [SystemCode]
    /// The app's reason for reading cards; empty if it gives none.
    package let usage: String

    private static let systemCodesKey = "com.apple.developer.nfc.readersession.felica.systemcodes"
    private static let usageKey = "NFCReaderUsageDescription"

    package init(reading bytes: [UInt8]) throws(InfoPlistProblem) {
        if bytes.starts(with: Array("bplist".utf8)) {
            throw InfoPlistProblem(
                "is a binary property list", hint: "convert it to XML with `plutil -convert xml1`")
        }
        guard bytes.count <= Self.maximumBytes else {
            throw InfoPlistProblem("is too large", hint: "at most \(Self.maximumBytes) bytes are allowed")
        }
        guard let list = PropertyList(reading: String(decoding: bytes, as: UTF8.self)), case .map = list else {
            throw InfoPlistProblem("is not an XML property list", hint: "specify the Info.plist of the app")
        }
        systemCodes = try Self.systemCodes(list[Self.systemCodesKey])
        switch list[Self.usageKey] {
        case .text(let text)?: usage = text
        case nil: usage = ""
        default: throw InfoPlistProblem("has no string under \(Self.usageKey)", hint: "make the value a string")
        }
    }

    private static func systemCodes(_ value: PropertyList?) throws(InfoPlistProblem) -> [SystemCode] {
        guard let value else { return [] }
        guard case .list(let items) = value, items.count <= PhoneLanguage.maximumSystemCodes else {
            throw InfoPlistProblem(
                "has no array of system codes under \(systemCodesKey)",
                hint: "make the value an array of at most \(PhoneLanguage.maximumSystemCodes) strings")
        }
        var codes: [SystemCode] = []
        for item in items {
            guard case .text(let text) = item, let code = SystemCode(digits: text) else {
                let name = if case .text(let text) = item { "`\(text)`" } else { "a value that is not a string" }
                throw InfoPlistProblem(
                    "declares \(name) as a system code", hint: "a system code is four hexadecimal digits, such as 0003")
            }
            codes.append(code)
        }
        return codes
    }
}

/// The reason why a file is not a usable Info.plist.
package struct InfoPlistProblem: Error, Hashable {
    /// The problem, as a phrase that follows the path.
    package let message: String
    package let hint: String

    init(_ message: String, hint: String) {
        self.message = message
        self.hint = hint
    }
}

/// A value of an XML property list, with the types that an Info.plist needs.
///
/// Source: the document type of property lists, PropertyList-1.0.dtd.
indirect enum PropertyList {
    /// A `string`.
    case text(String)
    /// An `array`.
    case list([PropertyList])
    /// A `dict`, with its keys in order.
    case map([(key: String, value: PropertyList)])
    /// Anything else: a number, a date, data, true or false.
    case other

    private static let maximumDepth = 32

    /// Parses a property list; returns `nil` if the text is not a property list.
    init?(reading text: String) {
        var scanner = PropertyListScanner(text)
        guard case .open("plist", isEmpty: false)? = scanner.nextTag(),
            case .open(let name, let isEmpty)? = scanner.nextTag(),
            let value = Self.value(name, isEmpty, &scanner, depth: 0)
        else { return nil }
        self = value
    }

    subscript(key: String) -> PropertyList? {
        guard case .map(let entries) = self else { return nil }
        return entries.first { $0.key == key }?.value
    }

    private static func value(
        _ name: String, _ isEmpty: Bool, _ scanner: inout PropertyListScanner, depth: Int
    ) -> PropertyList? {
        guard depth < maximumDepth else { return nil }
        switch name {
        case "dict": return isEmpty ? .map([]) : map(&scanner, depth: depth)
        case "array": return isEmpty ? .list([]) : list(&scanner, depth: depth)
        case "string": return isEmpty ? .text("") : scanner.text(until: name).map { .text($0) }
        case "integer", "real", "date", "data", "true", "false":
            return isEmpty || scanner.text(until: name) != nil ? .other : nil
        default: return nil
        }
    }

    private static func list(_ scanner: inout PropertyListScanner, depth: Int) -> PropertyList? {
        var items: [PropertyList] = []
        while let tag = scanner.nextTag() {
            switch tag {
            case .close("array"): return .list(items)
            case .open(let name, let isEmpty):
                guard let item = value(name, isEmpty, &scanner, depth: depth + 1) else { return nil }
                items.append(item)
            case .close: return nil
            }
        }
        return nil
    }

    private static func map(_ scanner: inout PropertyListScanner, depth: Int) -> PropertyList? {
        var entries: [(key: String, value: PropertyList)] = []
        while let tag = scanner.nextTag() {
            switch tag {
            case .close("dict"): return .map(entries)
            case .open("key", let isEmpty):
                guard let key = isEmpty ? "" : scanner.text(until: "key"),
                    case .open(let name, let isEmptyValue)? = scanner.nextTag(),
                    let value = value(name, isEmptyValue, &scanner, depth: depth + 1)
                else { return nil }
                entries.append((key, value))
            default: return nil
            }
        }
        return nil
    }
}

/// A scanner for the tags and texts of a property list.
struct PropertyListScanner {
    enum Tag {
        /// The start of an element, or an empty element.
        case open(String, isEmpty: Bool)
        /// The end of an element.
        case close(String)
    }

    private var rest: ArraySlice<UInt8>

    init(_ text: String) {
        rest = Array(text.utf8)[...]
    }

    /// The next tag; skips declarations, comments and text before it.
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

    /// The text from the start tag that was just read to the end tag.
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

    /// Resolves numeric entities and the five XML entities; any other `&` stays as it is.
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
