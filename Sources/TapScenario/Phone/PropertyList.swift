/// A value of a property list in XML, as far as an Info.plist needs it.
///
/// Source: the document type that property lists name, PropertyList-1.0.dtd.
indirect enum PropertyList {
    /// A `string`.
    case text(String)
    /// An `array`.
    case list([PropertyList])
    /// A `dict`, its keys in their order.
    case map([(key: String, value: PropertyList)])
    /// Anything else: a number, a date, data, true or false.
    case other

    /// Deepest nesting that is read.
    private static let maximumDepth = 32

    /// Reads a property list, or nothing if the text is none.
    init?(reading text: String) {
        var scanner = PropertyListScanner(text)
        guard case .open("plist", isEmpty: false)? = scanner.nextTag(),
            case .open(let name, let isEmpty)? = scanner.nextTag(),
            let value = Self.value(name, isEmpty, &scanner, depth: 0)
        else { return nil }
        self = value
    }

    /// The value of a key of a `dict`.
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
