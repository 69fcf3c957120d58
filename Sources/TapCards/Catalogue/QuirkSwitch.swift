/// One switch of a set of quirks, as a row of a table: a name, the values it can have, and what it decides.
///
/// Quirks are where sources disagree or where a clone differs. The set is a plain struct; a row leads from a name and
/// a text to one of its properties, so that files, commands and tests need no code of their own for each switch.
public struct QuirkSwitch<Quirks: Sendable>: Sendable {
    /// The name in scenario files and on the command line.
    public let name: String
    /// The values as text, the default first.
    public let allowedValues: [String]
    /// What the switch decides and what is known about it, one sentence.
    public let meaning: String

    private let read: @Sendable (Quirks) -> String
    private let write: @Sendable (inout Quirks, String) -> Bool

    /// Creates a row for a property.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - property: Where the value is kept.
    ///   - allowed: The values, the default first.
    ///   - meaning: What the switch decides, one sentence.
    public init<Value: QuirkValue>(
        _ name: String, _ property: any WritableKeyPath<Quirks, Value> & Sendable, _ allowed: [Value], _ meaning: String
    ) {
        self.name = name
        self.allowedValues = allowed.map(\.text)
        self.meaning = meaning
        read = { $0[keyPath: property].text }
        write = { quirks, text in
            guard let value = allowed.first(where: { $0.text == text }) else { return false }
            quirks[keyPath: property] = value
            return true
        }
    }

    /// The default, as text.
    public var defaultValue: String { allowedValues.first ?? "" }

    /// How the switch stands in `quirks`, as text.
    public func value(in quirks: Quirks) -> String { read(quirks) }

    /// Sets the switch in `quirks`.
    ///
    /// - Throws: ``QuirkError/unknownValue(_:switch:allowed:)`` if the switch cannot have the value.
    public func set(_ text: String, in quirks: inout Quirks) throws(QuirkError) {
        guard write(&quirks, text) else { throw .unknownValue(text, switch: name, allowed: allowedValues) }
    }
}

/// A set of quirks with its table of switches.
public protocol QuirkSet: Hashable, Sendable {
    /// The table.
    static var switches: [QuirkSwitch<Self>] { get }
}

extension QuirkSet {
    /// Sets the switch called `name`.
    ///
    /// - Throws: ``QuirkError`` if there is no such switch or it cannot have the value.
    public mutating func set(_ name: String, to text: String) throws(QuirkError) {
        guard let row = Self.switches.first(where: { $0.name == name }) else {
            throw .unknownSwitch(name, known: Self.switches.map(\.name))
        }
        try row.set(text, in: &self)
    }
}

/// A value of a switch, with the text that stands for it.
public protocol QuirkValue: Sendable {
    /// The text.
    var text: String { get }
}

extension QuirkValue where Self: RawRepresentable<String> {
    /// The raw value.
    public var text: String { rawValue }
}

extension Bool: QuirkValue {
    /// `true` or `false`.
    public var text: String { self ? "true" : "false" }
}

/// Why a switch cannot be set.
public enum QuirkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no such switch.
    case unknownSwitch(String, known: [String])
    /// The switch cannot have the value.
    case unknownValue(String, switch: String, allowed: [String])

    /// The error as a sentence.
    public var description: String {
        switch self {
        case .unknownSwitch(let name, let known):
            "there is no quirk `\(name)`; there are \(known.joined(separator: ", "))"
        case .unknownValue(let text, let name, let allowed):
            "the quirk `\(name)` cannot be `\(text)`; it can be \(allowed.joined(separator: ", "))"
        }
    }
}
