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
}

/// The switches of all families.
public enum SwitchCatalogue {
    /// Every switch, family by family.
    public static let all: [CatalogueSwitch] =
        FeliCaProfile.switches.map {
            CatalogueSwitch(
                name: $0.name, family: .felica, allowedValues: $0.allowedValues, defaultValue: $0.defaultValue,
                meaning: $0.meaning, evidence: $0.evidence)
        }
        + NTAGQuirks.switches.map {
            CatalogueSwitch(
                name: $0.name, family: .ntag, allowedValues: $0.allowedValues.joined(separator: " or "),
                defaultValue: $0.defaultValue, meaning: $0.meaning, evidence: "")
        }

    /// The switch with a name, capital letters or not.
    public static func named(_ name: String) -> CatalogueSwitch? {
        all.first { $0.name.lowercased() == name.lowercased() }
    }
}
