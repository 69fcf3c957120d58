import TapScenario

/// A card for a test, in the words of a scenario file.
///
/// Every builder writes the keys that a file has under `cards`, and they are read as those of a file are: a value that
/// no card can have fails the test at the line of its trait. ``with(_:)`` reaches the keys that a builder does not name.
///
/// ```swift
/// let card: VirtualCard = .suica(balance: 3120).with(["history": [["kind": "fare-gate", "amount": -210]]])
/// let same: VirtualCard = "suica:balance=3120"
/// ```
public struct VirtualCard: Hashable, Sendable {
    /// A template or an IC, with keys where it came from a text.
    private let argument: String
    /// Keys of the card that are not in the argument, or in place of those that are.
    private var keys: NodeMap
    /// The name in reports where the test gives it none; that of the template or the IC without it.
    private let name: String?

    /// Creates a card.
    ///
    /// - Parameters:
    ///   - argument: The name of a template or an IC, such as `suica` or `NTAG215`; keys may follow it as in
    ///     `tapsim serve --card`: `suica:balance=3120,trips=3`.
    ///   - keys: Keys of a card of a scenario file.
    ///   - name: The name in reports where the test gives it none; that of the template or the IC without it.
    public init(_ argument: String, _ keys: KeyValuePairs<String, Node> = [:], name: String? = nil) {
        self.init(argument, Node(keys), name: name)
    }

    init(_ argument: String, _ keys: Node, name: String? = nil) {
        self.argument = argument
        self.keys = NodeMap(keys.entries)
        self.name = name
    }

    /// The card with other values for keys of a scenario file, such as `quirks`, `history` or `pages`.
    public func with(_ keys: KeyValuePairs<String, Node>) -> VirtualCard {
        var copy = self
        copy.keys = NodeMap(Node(keys).entries + self.keys.entries)
        return copy
    }

    /// The card as a file has it, and its name.
    func resolved() throws(CardArgument.Problem) -> (name: String, node: Node) {
        let written = try CardArgument(argument)
        let entries = written.node.entries
        let node = NodeMap(entries.prefix(1) + keys.entries + entries.dropFirst())
        return (name ?? written.name.lowercased(), .map(node))
    }
}

extension VirtualCard: ExpressibleByStringLiteral {
    /// A card as `tapsim serve --card` takes it: `suica:balance=3120,trips=3`.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension Node {
    /// A map as a literal has it.
    init(_ entries: KeyValuePairs<String, Node>) {
        self = .map(entries.map { (key: $0.key, value: $0.value) })
    }
}
