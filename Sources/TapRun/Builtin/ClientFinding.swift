import TapClient
import TapScenario
import TapWire

/// What a built-in client found: the result that scenarios judge, and the text that a person reads.
protocol ClientFinding {
    /// The result, as `expect.result` points into it.
    var node: Node { get }
    /// The text, line by line.
    var lines: [String] { get }
}

extension Node {
    /// The text of a value, or null where there is none.
    static func text(of value: (some CustomStringConvertible)?) -> Node {
        value.map { .text($0.description) } ?? .null
    }

    /// A number, or null where there is none.
    static func number(of value: Int?) -> Node {
        value.map { .number($0) } ?? .null
    }
}

extension Type2Tag {
    /// The UID and the IC, for the first line of a text.
    var heading: String { "UID \(Hex.text(selection.uid.bytes))   \(product?.rawValue ?? "Type 2 tag")" }
}

/// An amount of yen as a person writes it, with its sign: `+1000`, `-210`; nothing for an unknown one.
func yenText(_ amount: Int?) -> String {
    amount.map { $0 > 0 ? "+\($0)" : "\($0)" } ?? ""
}
