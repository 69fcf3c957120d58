import TapDocument
import TapWire

/// A location in a JSON value: `/trips/0/balance`; as an extension of RFC 6901, `length` of a list is the number of its items.
public struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    /// The names in the pointer, unescaped.
    let names: [String]

    /// Parses a pointer, which is empty or starts with `/`; returns `nil` otherwise.
    public init?(_ text: String) {
        guard text.isEmpty || text.hasPrefix("/") else { return nil }
        description = text
        names = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { Self.unescape($0) }
    }

    /// Escapes a name for use in a pointer.
    package static func escaped(_ name: String) -> String {
        name.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    private static func unescape(_ name: Substring) -> String {
        var text = ""
        var isEscape = false
        for character in name {
            switch (isEscape, character) {
            case (true, "0"): text += "~"
            case (true, "1"): text += "/"
            case (true, _): text += "~\(character)"
            case (false, "~"): break
            case (false, _): text.append(character)
            }
            isEscape = !isEscape && character == "~"
        }
        return isEscape ? text + "~" : text
    }

    public enum Target: Hashable, Sendable {
        case value(Node)
        /// Nothing, with the reason as a phrase: `/trips has 2 items`.
        case nothing(String)
    }

    public func target(in root: Node) -> Target {
        var node = root
        var path = ""
        for name in names {
            guard let next = Self.step(from: node, to: name) else {
                return .nothing("\(path.isEmpty ? "the result" : "`\(path)`") \(Self.content(of: node))")
            }
            node = next
            path += "/\(name)"
        }
        return .value(node)
    }

    private static func step(from node: Node, to name: String) -> Node? {
        switch node {
        case .scalar: nil
        case .map: node[name]
        case .list(let list): name == "length" ? .number(list.items.count) : Int(name).flatMap { node[$0] }
        }
    }

    private static func content(of node: Node) -> String {
        switch node {
        case .scalar: return "is a single value"
        case .list(let list): return "has \(CountText.of(list.items.count, "item"))"
        case .map(let map):
            let names = map.entries.map(\.key.text)
            return names.isEmpty ? "is empty" : "has \(names.prefix(12).joined(separator: ", "))"
        }
    }
}

struct JSONPointerRule: ScalarRule {
    var noun: String { "a location in the result such as `/trips/length`" }

    func parse(_ text: String) throws(ScalarProblem) -> JSONPointer {
        guard let pointer = JSONPointer(text) else {
            throw ScalarProblem(.notName, "is not a location in the result", hint: "start with a slash: `/\(text)`")
        }
        return pointer
    }

    var schema: ScalarSchema { ScalarSchema(.pattern("(/.*)?"), admitsNull: true) }
}
