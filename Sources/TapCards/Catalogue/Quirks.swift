import TapWire

/// A switch in a set of quirks, described as a table row: its name, its values and its meaning.
///
/// Quirks cover points where sources disagree, or where products and clones differ. A row maps a name and a text to a property
/// of the set, so files, commands and tests need no code per switch.
public struct QuirkSwitch<Quirks: QuirkSet>: Sendable {
    /// The name used in scenario files and on the command line, equal to the property name.
    public let name: String
    /// The allowed values, as text for people.
    public let allowedValues: String
    /// Empty for a range, or if there are too many values to list.
    public let listedValues: [String]
    /// One sentence.
    public let meaning: String
    /// The evidence and its source; empty if ``meaning`` includes it.
    public let evidence: String
    /// The fact this switch decides, if no source documents it for any product.
    let unpublished: CardFact?

    private let read: @Sendable (Quirks) -> String
    private let write: @Sendable (inout Quirks, String) -> Bool
    private let check: @Sendable (Quirks) -> Bool

    init<Value: QuirkValue>(
        _ name: String, _ property: any WritableKeyPath<Quirks, Value> & Sendable, _ allowed: AllowedValues<Value>,
        _ meaning: String, evidence: String = ""
    ) {
        self.init(name, nil, property, allowed, meaning, evidence)
    }

    /// Creates a switch for a behavior that no source documents for any product.
    init<Value: QuirkValue>(
        unpublished fact: CardFact, _ property: any WritableKeyPath<Quirks, Value> & Sendable,
        _ allowed: AllowedValues<Value>, _ meaning: String, evidence: String = ""
    ) {
        self.init(fact.name, fact, property, allowed, meaning, evidence)
    }

    private init<Value: QuirkValue>(
        _ name: String, _ unpublished: CardFact?, _ property: any WritableKeyPath<Quirks, Value> & Sendable,
        _ allowed: AllowedValues<Value>, _ meaning: String, _ evidence: String
    ) {
        self.name = name
        self.unpublished = unpublished
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

    public var defaultValue: String { read(Quirks()) }

    public func value(in quirks: Quirks) -> String { read(quirks) }

    func allows(_ quirks: Quirks) -> Bool { check(quirks) }

    /// Sets the switch; for a value it does not allow, throws ``QuirkError`` and leaves `quirks` unchanged.
    public func set(_ text: String, in quirks: inout Quirks) throws(QuirkError) {
        guard write(&quirks, text) else {
            throw QuirkError(.unknownValue, "the quirk `\(name)` cannot be `\(text)`; it can be \(allowedValues)")
        }
    }
}

/// A type of switch values; parsing and printing their text are inverse operations.
protocol QuirkValue: Hashable, Sendable {
    init?(quirkText: String)
    var quirkText: String { get }
}

extension QuirkValue where Self: RawRepresentable, RawValue == String {
    init?(quirkText: String) { self.init(rawValue: quirkText) }
    var quirkText: String { rawValue }
}

extension Int: QuirkValue {
    init?(quirkText: String) { self.init(quirkText) }
    var quirkText: String { description }
}

extension Bool: QuirkValue {
    init?(quirkText: String) {
        switch quirkText {
        case "true": self = true
        case "false": self = false
        default: return nil
        }
    }

    var quirkText: String { self ? "true" : "false" }
}

struct AllowedValues<Value: QuirkValue>: Sendable {
    let description: String
    /// Empty for a range, or if there are too many values to list.
    let list: [Value]
    let contains: @Sendable (Value) -> Bool

    init(description: String, contains: @escaping @Sendable (Value) -> Bool) {
        self.description = description
        list = []
        self.contains = contains
    }

    private init(_ list: [Value]) {
        description = ListText.choice(list.map(\.quirkText))
        self.list = list
        contains = { list.contains($0) }
    }

    static func any(_ description: String) -> Self {
        Self(description: description) { _ in true }
    }

    static func oneOf(_ values: Value...) -> Self { Self(values) }
}

extension AllowedValues where Value: CaseIterable {
    static var cases: Self { Self(Array(Value.allCases)) }
}

extension AllowedValues where Value: Comparable {
    static func range(_ range: ClosedRange<Value>) -> Self {
        let text = "\(range.lowerBound.quirkText) to \(range.upperBound.quirkText)"
        return Self(description: text) { range.contains($0) }
    }
}

public protocol QuirkSet: Hashable, Sendable {
    init()
    static var switches: [QuirkSwitch<Self>] { get }
    /// The switches whose behavior no source documents for any product.
    static var unpublished: CardFacts { get }
}

extension QuirkSet {
    /// Sets a switch; for an unknown name or value, throws ``QuirkError`` and changes nothing.
    public mutating func set(_ name: String, to text: String) throws(QuirkError) {
        guard let row = Self.switches.first(where: { $0.name == name }) else {
            let names = Self.switches.map(\.name).joined(separator: ", ")
            throw QuirkError(.unknownSwitch, "there is no quirk `\(name)`; the quirks are \(names)")
        }
        try row.set(text, in: &self)
    }
}

/// A quirk switch of any family, for lists and explanations.
public struct CatalogueSwitch: Hashable, Sendable {
    /// The name used in scenario files and on the command line.
    public let name: String
    public let family: CardFamily
    /// The allowed values, as text for people.
    public let allowedValues: String
    public let defaultValue: String
    public let meaning: String
    /// The evidence; empty if ``meaning`` includes it.
    public let evidence: String

    fileprivate init<Quirks>(_ row: QuirkSwitch<Quirks>, of family: CardFamily) {
        self.family = family
        name = row.name
        allowedValues = row.allowedValues
        defaultValue = row.defaultValue
        meaning = row.meaning
        evidence = row.evidence
    }
}

public enum SwitchCatalogue {
    public static let all: [CatalogueSwitch] =
        FeliCaProfile.switches.map { CatalogueSwitch($0, of: .felica) }
        + FeliCaLiteProfile.switches.map { CatalogueSwitch($0, of: .lite) }
        + NTAGQuirks.switches.map { CatalogueSwitch($0, of: .ntag) }

    /// Ignores case.
    public static func named(_ name: String) -> CatalogueSwitch? {
        all.first { $0.name.lowercased() == name.lowercased() }
    }
}

public struct QuirkError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        case unknownSwitch
        case unknownValue
    }

    public let code: Code
    /// Half a sentence: the problem, and what to write instead.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
