import TapCards
import TapDocument
import TapWire

/// The language of `cards`: the keys of a map that describes a card.
public enum CardLanguage {
    public static let table = KeyTable(
        "a card",
        [ic.key, template.key, generation.key] + firstKeys + felicaKeys + LiteTables.keys + ntagKeys + applicationKeys
            + [quirks.key] + keepingKeys,
        meant: { node in
            node.text.flatMap(CardTemplate.init).map { "{template: \($0.rawValue)}" }
        })

    /// Keys that only cards of some families have.
    static let familyKeys: [(keys: [Key], families: [CardFamily])] = [
        ([idm.key, pmm.key, time.key], [.felica, .lite]), (felicaKeys, [.felica]), (LiteTables.keys, [.lite]),
        ([uid.key] + ntagKeys, [.ntag]),
    ]

    static let ic = TypedKey(
        "ic", .value(.scalar(ICRule())), "The IC, by its name in the catalogue.", synonyms: ["chip", "type", "product"])
    static let template = TypedKey(
        "template", FieldForm<CardTemplate>.word, "The kind of card, which provides everything that the file omits.",
        synonyms: ["kind", "card_type"])

    static let generation = TypedKey(
        "generation", FieldForm<Int>.integer(1...9),
        "The generation of the card; `tapsim explain suica` lists the generations of a template. If `ic` is the IC of a "
            + "phone, the default is the generation in phones.")

    /// Keys for identifiers, timing and content that files write first, for any family.
    private static let firstKeys = [image.key, idm.key, pmm.key, uid.key, time.key, ndef.key]

    static let felicaKeys = [systems.key] + FeliCaTables.reports.keys.keys

    static let idm = TypedKey(
        "idm", .idm, "The IDm of system 0; other systems have their number in the first digit.")
    static let pmm = TypedKey("pmm", .pmm, "The PMm. Default: that of the IC.")
    static let time = TypedKey(
        "time", FieldForm<FeliCaTime>.words(["typical": .typical, "pmm": .pmm, "worst": .worst]),
        "The response time: `typical` is a quarter of the time that the PMm allows, and a sixteenth for reads (no source "
            + "has measured times); `pmm` is the whole time; `worst` adds known delays of the chip beyond it. If omitted, "
            + "`typical`. Polling has its own time slots.",
        synonyms: ["timing", "speed"])
    static let systems = TypedKey(
        "systems",
        .value(.map(of: CodeRule("a system code", known: KnownCodes.systems), to: .map(FeliCaTables.system.keys))),
        "The systems by code, starting with system 0.", synonyms: ["system", "system_code", "system_codes"])

    /// Keys of NTAG21x besides the UID.
    static let ntagKeys = [
        preset.key, capabilityContainer.key, pages.key, staticLocks.key, dynamicLocks.key, config.key,
    ]

    static let uid = TypedKey("uid", .hex(7...7), "The UID, starting with UID0.", synonyms: ["id", "serial"])
    static let image = TypedKey(
        "image", .value(ScenarioLanguage.path),
        "A dump of the card from Flipper Zero, Proxmark3, libnfc and others; other keys change its contents.",
        synonyms: ["dump", "file", "bin", "nfc"])
    static let preset = TypedKey(
        "preset", .ntagPreset, "A predefined tag for common tests; other keys change its contents.", synonyms: ["state"]
    )
    static let capabilityContainer = TypedKey(
        "capability_container", .hex(4...4), "The capability container, page 3.", synonyms: ["cc", "capabilities"])
    static let ndef = TypedKey(
        "ndef", .value(.variants([.scalar(NDEFTables.message), .list(of: .map(NDEFTables.record))])),
        "The NDEF message as a list of records, or the whole message in hexadecimal.", synonyms: ["records", "message"])
    static let pages = TypedKey(
        "pages",
        .value(.map(of: IntegerRule(0...NTAGTables.highestPage), to: .variants([.hex(4), .list(of: .hex(4))]))),
        "Single pages by number, or lists of pages by their first number; they override other keys.",
        synonyms: ["page", "memory"])
    static let staticLocks = TypedKey(
        "static_locks", .hex(2...2), "The static lock bytes: page 2, bytes 2 and 3.", synonyms: ["locks", "lock"])
    static let dynamicLocks = TypedKey(
        "dynamic_locks", .hex(3...3), "The dynamic lock bytes and the block-lock bits.")
    static let config = TypedKey(
        "config", .value(.map(NTAGTables.configuration.keys)), "The password, protection, counter and mirror.",
        synonyms: ["cfg"])

    /// Keys for the contents of known applications.
    static let applicationKeys = [
        number.key, balance.key, debt.key, points.key, history.key, trips.key, historyBlocks.key, gates.key,
    ]

    /// Keys that only some templates have.
    static let templateKeys = [generation.key] + applicationKeys

    static let number = TypedKey(
        "number", .rule(CardNumberRule()), "The card number.", synonyms: ["card_number"])
    static let balance = TypedKey(
        "balance", FieldForm<Int>.integer(-1_000...Int(UInt32.max)),
        "The balance in yen; for an Octopus, in tenths of a dollar, negative for a debt.",
        synonyms: ["amount", "money", "value"])
    static let debt = TypedKey(
        "debt", FieldForm<Int>.integer(0...1_000),
        "The debt limit of an Octopus in tenths of a dollar, which is the offset of its balance: 500 by default, 350 for a "
            + "card last used before October 2017. The card does not store this limit.")
    static let points = TypedKey("points", FieldForm<Int>.integer(0...0xFF_FFFF), "The points on the card.")
    static let history = TypedKey(
        "history", .value(.list(of: .map(HistoryTables.record), count: 0...TransitTemplate.history.count)),
        "The newest history records, newest first.", synonyms: ["transactions"])
    static let trips = TypedKey(
        "trips", FieldForm<Int>.integer(0...TransitTemplate.history.count),
        "The number of history records; records that `history` does not state are generated and older.",
        synonyms: ["entries", "history_count"])
    static let historyBlocks = TypedKey(
        "history_blocks", FieldForm<Int>.integer(2...2 * TransitTemplate.history.count),
        "The number of blocks of the WAON history 680B, two for each record. Default: 10, because public readers read 6 and "
            + "9; no public source states the number on real cards.")
    static let gates = TypedKey(
        "gates", .value(.list(of: .map(HistoryTables.gate), count: 0...TransitTemplate.gateCount)),
        "The gate log, newest first. If omitted, it is derived from the history.")

    static let quirks = TypedKey(
        "quirks", .value(.map(of: SwitchNameRule(), to: .value)),
        "Switches by name, for behaviour that differs from other cards with this IC.",
        synonyms: ["switches", "profile"])

    private static let keepingKeys = [
        persist.key, Key("recorded", notYet: "use `recording`, with `card` if there are several cards"),
    ]

    static let persist = TypedKey(
        "persist", .value(ScenarioLanguage.path),
        "A file that keeps the state of the card from one run to the next.",
        synonyms: ["keep", "save", "persistent", "state_file"])

    package static let dumpKey = image.name

    package static let balanceKey = balance.name

    public static let pathKeys = ([image.key] + keepingKeys).filter(\.isPath).map(\.name)

    public static let templates: [CardTemplateInfo] = CardTemplate.allCases.map { CardTemplateInfo($0) }

    /// Builds a card from a checked map.
    ///
    /// - Parameters:
    ///   - map: The map, read with ``table``.
    ///   - name: The name of the card, which determines its random values.
    ///   - seed: The seed of the run, from which omitted identifiers and histories are drawn.
    ///   - files: Resolves the path of a dump, or `nil` if other files are not accessible.
    ///   - diagnostics: Receives impossible cards and contradictions.
    /// - Returns: The card, or `nil` if there is an error.
    public static func decode(
        _ map: MapReader, named name: String, seed: UInt64, files: (any ReferencedFiles)? = nil,
        into diagnostics: inout Diagnostics
    ) -> CardDefinition? {
        let random = SeededGenerator(seed: seed).fork("card \(name)")
        var decoder = CardDecoder(map, random: random, files: files, diagnostics)
        let card = decoder.decode()
        diagnostics = decoder.diagnostics
        return decoder.isClean ? card : nil
    }
}

extension Key {
    fileprivate var isPath: Bool {
        guard case .scalar(let rule) = shape else { return false }
        return rule is PathRule
    }
}

struct ICRule: ScalarRule {
    let noun = "the name of an IC"

    func parse(_ text: String) throws(ScalarProblem) -> CatalogueIC {
        if let ic = ICCatalogue.named(text) { return ic }
        let names = ICCatalogue.all.flatMap { [$0.name] + $0.aliases }
        throw ScalarProblem(
            .unknownWord, "cannot be `\(text)`",
            hint: Spelling.suggestion(
                for: text, among: names, before: "ICs are RC-S962, NTAG215 and others in the catalogue"))
    }

    var schema: ScalarSchema { ScalarSchema(.any) }
}

struct SwitchNameRule: ScalarRule {
    let noun = "the name of a switch"

    func parse(_ text: String) throws(ScalarProblem) -> String {
        let names = SwitchCatalogue.all.map(\.name)
        if names.contains(text) { return text }
        throw ScalarProblem(
            .unknownWord, "is not a switch",
            hint: Spelling.suggestion(for: text, among: names, before: "no card has a switch with this name"))
    }

    var schema: ScalarSchema { ScalarSchema(.words(SwitchCatalogue.all.map(\.name))) }
}

/// A key version: four hexadecimal digits, or `none` for a node without such a key.
struct KeyVersionRule: ScalarRule {
    private let code = CodeRule("a key version")
    let noun = "a key version, or `none`"

    func parse(_ text: String) throws(ScalarProblem) -> UInt16? {
        if text == "none" { return nil }
        return try code.parse(text)
    }

    var schema: ScalarSchema { ScalarSchema(.pattern("none|\\s*([0-9A-Fa-f]\\s*){4}"), numbers: .any) }
    var needsQuotes: Bool { true }
}

/// A station: line and station in decimal, such as `001-204`; ``NamedStations`` has already replaced names with codes.
struct StationRule: ScalarRule {
    let noun = "a station such as `001-204`"

    func parse(_ text: String) throws(ScalarProblem) -> StationCode {
        if let code = StationCode(text) { return code }
        throw ScalarProblem(
            .notCode, "is not a station",
            hint:
                "expected three decimal digits each for line and station, such as `001-204`, or a name in the list of "
                + "`settings.stations` or `--stations`")
    }

    var schema: ScalarSchema { ScalarSchema(.any) }
}

/// A time of day: `07:44` or `07:44:30`.
struct ClockTimeRule: ScalarRule {
    let noun = "a time of day such as `07:44`"

    func parse(_ text: String) throws(ScalarProblem) -> ClockTime {
        if let time = ClockTime(text) { return time }
        throw ScalarProblem(.notDate, "is not a time of day", hint: "expected hours and minutes: \"07:44\"")
    }

    var schema: ScalarSchema { ScalarSchema(.pattern("[0-9]{2}:[0-9]{2}(:[0-9]{2})?"), numbers: .any) }
    var needsQuotes: Bool { true }
}

struct CardNumberRule: ScalarRule {
    let noun = "a card number of 16 digits"

    func parse(_ text: String) throws(ScalarProblem) -> CardNumber {
        if let number = CardNumber(text) { return number }
        throw ScalarProblem(
            .wrongLength, "is not a card number", hint: "expected 16 decimal digits, with optional spaces")
    }

    var schema: ScalarSchema { ScalarSchema(.pattern("([0-9] ?){16}"), numbers: .any) }
    var needsQuotes: Bool { true }
}

/// Known codes, for detecting codes with swapped bytes.
enum KnownCodes {
    static let systems: [UInt16] = SystemCode.known.map(\.code.rawValue)

    /// Service codes of the applications that are decoded here, and of NDEF tags.
    static let services: [UInt16] =
        KnownApplication.all.flatMap(\.services).map(\.code.rawValue)

    static let serviceRule = CodeRule("a service code", known: services, exists: isOnCard)

    /// Returns whether a card of a template has a service with the code; IruCa, for example, has C808 as well as 08C8.
    private static func isOnCard(_ code: UInt16) -> Bool {
        CardTemplate.allCases.contains { template in
            template.generations.contains { $0.directory.systems.contains { $0.services.contains(NodeCode(code)) } }
        }
    }
}

extension FieldForm where Value == SystemCode {
    static var systemCode: Self {
        Self(.code("a system code", known: KnownCodes.systems), read: { SystemCode($0.code) }) { .text($0.description) }
    }
}
