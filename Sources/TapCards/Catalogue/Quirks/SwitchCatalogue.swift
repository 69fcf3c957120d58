/// A quirk switch of either family, for lists and explanations.
public struct CatalogueSwitch: Hashable, Sendable {
    /// The name in scenario files and on the command line.
    public let name: String
    /// The family of cards that has it.
    public let family: CardFamily
    /// What can be set, for people.
    public let allowedValues: String
    /// The value where nothing is set.
    public let defaultValue: String
    /// What it decides and what is known about it.
    public let meaning: String
    /// Who says what about it, or empty where ``meaning`` tells that as well.
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

/// The switches of all families.
public enum SwitchCatalogue {
    /// Every switch, family by family.
    public static let all: [CatalogueSwitch] =
        FeliCaProfile.switches.map { CatalogueSwitch($0, of: .felica) }
        + NTAGQuirks.switches.map { CatalogueSwitch($0, of: .ntag) }

    /// The switch with a name, capital letters or not.
    public static func named(_ name: String) -> CatalogueSwitch? {
        all.first { $0.name.lowercased() == name.lowercased() }
    }
}
