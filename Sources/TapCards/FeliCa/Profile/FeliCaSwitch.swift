import TapWire

/// One property of a ``FeliCaProfile`` as text: its name, its values, what it means and why it is there.
///
/// Scenario files set switches by name and value; lists of switches are printed from the same table.
public struct FeliCaSwitch: Sendable {
    /// The name, that of the property.
    public let name: String
    /// What can be set, for people.
    public let allowedValues: String
    /// What it decides, a sentence.
    public let meaning: String
    /// What is known about it, and from where.
    public let evidence: String

    private let read: @Sendable (FeliCaProfile) -> String
    private let write: @Sendable (inout FeliCaProfile, String) -> Bool
    private let check: @Sendable (FeliCaProfile) -> Bool

    /// Creates a switch for a property.
    init<Value: FeliCaSwitchValue>(
        _ name: String, _ path: any WritableKeyPath<FeliCaProfile, Value> & Sendable,
        _ allowed: FeliCaAllowedValues<Value>,
        meaning: String, evidence: String
    ) {
        self.name = name
        self.meaning = meaning
        self.evidence = evidence
        allowedValues = allowed.description
        read = { $0[keyPath: path].switchText }
        check = { allowed.contains($0[keyPath: path]) }
        write = { profile, text in
            guard let value = Value(switchText: text), allowed.contains(value) else { return false }
            profile[keyPath: path] = value
            return true
        }
    }

    /// The value of a profile that sets nothing.
    public var defaultValue: String { read(FeliCaProfile()) }

    /// The value in a profile.
    public func text(in profile: FeliCaProfile) -> String { read(profile) }

    /// Whether the value in a profile is one that can be set.
    func allows(_ profile: FeliCaProfile) -> Bool { check(profile) }

    /// Sets the value in a profile.
    ///
    /// - Throws: ``FeliCaSwitchError`` for a value the switch does not have.
    public func set(_ text: String, in profile: inout FeliCaProfile) throws(FeliCaSwitchError) {
        guard write(&profile, text) else {
            throw FeliCaSwitchError(
                .unknownValue, "The switch \(name) cannot be set to `\(text)`; choose \(allowedValues).")
        }
    }
}

extension FeliCaProfile {
    /// Sets a switch by name.
    ///
    /// - Throws: ``FeliCaSwitchError`` for a name or a value that does not exist; the profile is unchanged.
    public mutating func set(_ name: String, to text: String) throws(FeliCaSwitchError) {
        guard let entry = Self.switches.first(where: { $0.name == name }) else {
            let names = Self.switches.map(\.name).joined(separator: ", ")
            throw FeliCaSwitchError(.unknownSwitch, "There is no switch `\(name)`; there are \(names).")
        }
        try entry.set(text, in: &self)
    }
}
