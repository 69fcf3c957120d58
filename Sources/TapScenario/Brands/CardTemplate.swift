import TapCards
import TapDocument

/// A kind of card that fills in whatever a file leaves out: a brand, or a tag.
///
/// Each template is a value. Brands with their own record formats have their own files.
struct CardTemplate: RawRepresentable, CaseIterable, Hashable, Sendable {
    /// All templates, in listing order.
    static let allCases = [
        suica, icoca, pasmo, toica, manaca, kitaca, sugoca, nimoca, hayakaken, pitapa, welcomeSuica, icsca,
        iruca, paspy, sapica, okica, edy, edyAmpm, nanaco, waon, waonLocal, ryuto, octopus, luluca,
        felicaLite, ndef, blank,
    ]

    /// The name in files.
    let rawValue: String
    let summary: String
    /// The families of its cards, starting with the family of the default IC.
    let families: [CardFamily]
    /// The known generations of its cards, in the order of the source; some tags have none.
    let generations: [CardGeneration]
    /// The generation to use if `generation` is omitted, counted from 1.
    let defaultGeneration: Int
    /// The history of its cards, or `nil` for cards without a history.
    let history: HistoryForm?
    /// Keys for the contents, in addition to the history keys.
    private let ownKeys: [String]
    /// A Boolean value that indicates whether its cards hold an NDEF message.
    let isNDEF: Bool
    /// Generates the contents; if `nil`, all blocks of the directory are zero.
    let fill: (@Sendable (inout CardDecoder) -> DirectoryContent)?

    init(
        _ name: String, _ summary: String, families: [CardFamily] = [.felica], keys: [String] = [],
        history: HistoryForm? = nil, isNDEF: Bool = false, defaultGeneration: Int = 1,
        _ generations: [CardGeneration] = [], fill: (@Sendable (inout CardDecoder) -> DirectoryContent)? = nil
    ) {
        rawValue = name
        self.summary = summary
        self.families = families
        ownKeys = keys
        self.history = history
        self.isNDEF = isNDEF
        self.defaultGeneration = defaultGeneration
        self.generations = generations
        self.fill = fill
    }

    init?(rawValue: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = known
    }

    /// The content of a tag with an NDEF message if `ndef` is omitted.
    static let defaultURI = "https://example.com"

    /// Keys that this template has and some other templates do not.
    var keys: [String] {
        typealias Keys = CardLanguage
        return (generations.isEmpty ? [] : [Keys.generation.name])
            + (history == nil ? [] : [Keys.balance.name, Keys.trips.name, Keys.history.name]) + ownKeys
    }

    /// A Boolean value that indicates whether the template fills in contents; otherwise all blocks are zero.
    var hasContents: Bool { fill != nil || families.contains(.lite) }

    /// The generation used in phones, counted from 1, or `nil` if none is known.
    ///
    /// Cards on a phone's IC have it if `generation` is omitted.
    var phoneGeneration: Int? {
        generations.firstIndex { FeliCaIC.named($0.ic.value ?? "")?.isPhone ?? false }.map { $0 + 1 }
    }

    /// The generation with a number, or the default generation if there is no such number; `nil` for a template without
    /// generations.
    func generation(_ number: Int?) -> CardGeneration? {
        let index = (number ?? defaultGeneration) - 1
        if generations.indices.contains(index) { return generations[index] }
        return generations.isEmpty ? nil : generations[defaultGeneration - 1]
    }

    /// The name of the IC of its cards if `ic` is omitted.
    func defaultIC(generation number: Int?) -> String { generation(number)?.ic.value ?? "NTAG215" }
}

extension CardDecoder {
    /// The systems that a template fills in; empty without a template.
    mutating func systems(of template: CardTemplate?, on ic: FeliCaIC) -> [FeliCaSystemDefinition] {
        let number = map[CardLanguage.generation] ?? (ic.isPhone ? template?.phoneGeneration : nil)
        guard let template, let generation = template.generation(number) else { return [] }
        return generation.directory.systems(holding: template.fill?(&self) ?? DirectoryContent())
    }
}

// Tags, and a brand whose blocks are unknown.

extension CardTemplate {
    static let felicaLite = CardTemplate(
        "felica-lite", "A FeliCa Lite-S with an NDEF message, with both systems of such cards.",
        families: [.lite], isNDEF: true,
        [
            CardGeneration(
                .inferred(
                    "FeliCa Lite-S", "the list does not distinguish Lite and Lite-S; the PMm of Lite-S is known"),
                """
                12FC  0000-FFFE 0009 000B
                88B4  0000-FFFE 0009 000B
                """)
        ])

    static let ndef = CardTemplate(
        "ndef", "A tag with an NDEF message: an NTAG or, if `ic` says so, a FeliCa Lite-S or another FeliCa card.",
        families: [.ntag, .lite, .felica], isNDEF: true)

    static let blank = CardTemplate(
        "blank", "An NTAG as delivered or, if `ic` says so, a FeliCa Lite-S.", families: [.ntag, .lite])

    static let luluca = CardTemplate(
        "luluca", "A card of the Shizuoka railway, with all blocks zero.",
        [
            CardGeneration(
                .unstated,
                """
                04A6  0000-FFFE 0040-027F 0048 004B 0088 008B 00CC 00CF 010C 010F 0280-077F 0288 028B 02C8 02CB
                      0780-0C7F 0788 078B 07C8 07CB 0C80-FFFE
                """)
        ])
}
