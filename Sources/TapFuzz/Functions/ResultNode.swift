import TapDocument
import TapWire

extension Node {
    /// The maximum depth of inspected values; deeper values are represented by their description.
    private static let deepest = 12
    /// The maximum number of inspected items in a list.
    private static let mostItems = 10_000

    /// Creates a node from a client's result, to compare and show it: texts, numbers and bytes as they are, lists and
    /// properties item by item, other values by their description.
    init(describing value: Any) { self.init(describing: value, depth: 0) }

    private init(describing value: Any, depth: Int) {
        switch value {
        case let text as String: self = .text(text)
        case let flag as Bool: self = .boolean(flag)
        case let number as any FixedWidthInteger: self = Self.whole(number)
        case let bytes as Set<UInt8>: self = Self.bytes(bytes.sorted())
        case let bytes as any Sequence<UInt8>: self = Self.bytes(bytes)
        default: self = Self.composite(value, depth)
        }
    }

    private static func bytes(_ value: some Sequence<UInt8>) -> Node { .text(Hex.text(Array(value.prefix(mostItems)))) }

    private static func whole(_ value: some FixedWidthInteger) -> Node {
        Int(exactly: value).map { .number($0) } ?? .text("\(value)")
    }

    private static func composite(_ value: Any, _ depth: Int) -> Node {
        let mirror = Mirror(reflecting: value)
        guard depth < deepest else { return .text(String(describing: value)) }
        let nodes = { (children: Mirror.Children) in children.map { Node(describing: $0.value, depth: depth + 1) } }
        // The order differs from run to run, so the first items would differ too.
        if [.set, .dictionary].contains(mirror.displayStyle) {
            let sorted = nodes(mirror.children).sorted { JSONWriter.text($0) < JSONWriter.text($1) }
            return .list(Array(sorted.prefix(mostItems)))
        }
        let children = mirror.children.prefix(mostItems)
        let items = { children.map { Node(describing: $0.value, depth: depth + 1) } }
        switch mirror.displayStyle {
        case .optional: return items().first ?? .null
        case .collection: return .list(items())
        case .tuple where children.isEmpty: return .null
        case .tuple: return .list(items())
        case .enum where children.isEmpty: return .text("\(value)")
        default: break
        }
        if let described = value as? any CustomStringConvertible { return .text(described.description) }
        guard !children.isEmpty else { return .text(String(describing: value)) }
        return .map(
            zip(children, items()).enumerated().map { index, child in (child.0.label ?? "\(index)", child.1) })
    }

    var isNull: Bool {
        if case .scalar(let scalar) = self { scalar.form == .null } else { false }
    }
}
