/// A set of quirks with its table of switches.
public protocol QuirkSet: Hashable, Sendable {
    init()
    /// The table.
    static var switches: [QuirkSwitch<Self>] { get }
}

extension QuirkSet {
    /// Sets the switch called `name`.
    ///
    /// - Throws: ``QuirkError`` if there is no such switch or it cannot have the value; nothing has changed then.
    public mutating func set(_ name: String, to text: String) throws(QuirkError) {
        guard let row = Self.switches.first(where: { $0.name == name }) else {
            let names = Self.switches.map(\.name).joined(separator: ", ")
            throw QuirkError(.unknownSwitch, "there is no quirk `\(name)`; there are \(names)")
        }
        try row.set(text, in: &self)
    }
}
