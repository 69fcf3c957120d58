/// One switch of a set of quirks, as a row of a table: a name, the values it can have, and what it decides.
///
/// Quirks are where sources disagree, or where products and clones differ. The set is a plain struct; a row leads from a
/// name and a text to one of its properties, so that files, commands and tests need no code of their own for each switch.
public struct QuirkSwitch<Quirks: QuirkSet>: Sendable {
    /// The name in scenario files and on the command line, that of the property.
    public let name: String
    /// What can be set, for people.
    public let allowedValues: String
    /// The values as text; empty where they are a range or too many to list.
    public let listedValues: [String]
    /// What the switch decides, one sentence.
    public let meaning: String
    /// What is known about it and from where, or empty where ``meaning`` tells that as well.
    public let evidence: String

    private let read: @Sendable (Quirks) -> String
    private let write: @Sendable (inout Quirks, String) -> Bool
    private let check: @Sendable (Quirks) -> Bool

    init<Value: QuirkValue>(
        _ name: String, _ property: any WritableKeyPath<Quirks, Value> & Sendable, _ allowed: AllowedValues<Value>,
        _ meaning: String, evidence: String = ""
    ) {
        self.name = name
        self.meaning = meaning
        self.evidence = evidence
        allowedValues = allowed.description
        listedValues = allowed.list.map(\.quirkText)
        read = { $0[keyPath: property].quirkText }
        check = { allowed.contains($0[keyPath: property]) }
        write = { quirks, text in
            guard let value = Value(quirkText: text), allowed.contains(value) else { return false }
            quirks[keyPath: property] = value
            return true
        }
    }

    /// The value of a set in which nothing is set.
    public var defaultValue: String { read(Quirks()) }

    /// How the switch stands in `quirks`, as text.
    public func value(in quirks: Quirks) -> String { read(quirks) }

    /// Whether the value in `quirks` is one that can be set.
    func allows(_ quirks: Quirks) -> Bool { check(quirks) }

    /// Sets the switch in `quirks`.
    ///
    /// - Throws: ``QuirkError`` for a value the switch does not have; `quirks` is unchanged.
    public func set(_ text: String, in quirks: inout Quirks) throws(QuirkError) {
        guard write(&quirks, text) else {
            throw QuirkError(.unknownValue, "the quirk `\(name)` cannot be `\(text)`; it can be \(allowedValues)")
        }
    }
}
