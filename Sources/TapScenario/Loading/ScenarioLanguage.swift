import TapDocument

package enum ScenarioKey: String {
    case format, scenario, title, tags, params, include, extends, settings, cards, reader, readers, client, taps
    case timeline, faults, recording, phone, expect, cases
    /// Keys that only a case has.
    case name, skip
}

extension Node {
    package subscript(key: ScenarioKey) -> Node? { self[key.rawValue] }
}

extension NodeMap {
    package subscript(key: ScenarioKey) -> Node? { self[key.rawValue] }

    func entry(_ key: ScenarioKey) -> Entry? { entry(key.rawValue) }

    func removing(_ keys: [ScenarioKey]) -> NodeMap { removing(keys.map(\.rawValue)) }
}

extension MapReader {
    subscript(key: ScenarioKey) -> ValueReader? { self[key.rawValue] }
}

/// The language of the keys of a scenario file and of its cases.
enum ScenarioLanguage {
    /// The maximum number of cases in a file; each case is checked and built separately.
    static let maximumCases = 500
    /// The maximum number of values in all cases of a file, counting shared values for each case, with parameters
    /// substituted.
    static let maximumCaseValues = 200_000

    static let table = KeyTable(
        "a scenario",
        [
            key(.format, .integer(1...1), "The version of the format, 1; the first key.", isRequired: true),
            key(.scenario, .name("the name of a scenario"), "The name in reports; by default that of the file."),
            key(.title, .text, "What the scenario is about.", synonyms: ["description"]),
            key(.tags, tags, "Words to choose scenarios by.", synonyms: ["tag", "labels"]),
            key(.params, Parameters.shape, "Values that the file uses as `${params.name}`.", synonyms: ["parameters"]),
            key(
                .include, includes, "Files whose cards, readers and faults are added.",
                synonyms: ["includes", "import", "imports", "require", "use"]),
            key(
                .extends, path,
                "A file whose cards, readers, client, timeline, settings and parameters are the ground of this one.",
                synonyms: ["extend", "parent", "inherits", "inherit", "base", "from"]),
            key(.settings, .map(ScenarioSettings.table.keys), "Seed, clock, pace and limits.", synonyms: ["options"]),
            key(
                .cards, .map(of: NameRule("the name of a card"), to: .map(CardLanguage.table)),
                "The cards by name; a scenario has its own or those of other files.", synonyms: ["card"]),
            key(.reader, ReaderLanguage.shape, "The reader before which the cards lie.", synonyms: ["device"]),
            key(
                .readers, ReaderLanguage.named, "Readers by name; cards come before the first unless they are told.",
                synonyms: ["devices"]),
            key(.client, .map(ClientLanguage.table.keys), "What reads the cards.", synonyms: ["program", "run"]),
            key(.taps, VisitPlan.shape, "Visits of the cards to one client that stays.", synonyms: ["visits"]),
            key(.timeline, TimelineLanguage.shape, "When cards come and go.", synonyms: ["steps"]),
            key(.faults, FaultLanguage.shape, "What goes wrong, and when.", synonyms: ["fault", "errors"]),
            key(
                .recording, .map(RecordingLanguage.table),
                "What a card was once asked and answered; it answers so again.", synonyms: ["replay"]),
            key(
                .phone, PhoneLanguage.shape, "The iPhone of an app that reads the cards with Core NFC.",
                synonyms: ["iphone", "core_nfc", "corenfc"]),
            key(.expect, .map(ExpectLanguage.table.keys), "What has to come out.", synonyms: ["expected", "assert"]),
            key(
                .cases, .list(of: .map(testCase), count: 1...maximumCases), "Variations, each its own test.",
                synonyms: ["tests"]),
        ], atMostOne: alternatives.map(\.rawValue))

    /// Alternative keys for the same content.
    static let alternatives: [ScenarioKey] = [.reader, .readers]

    static let testCase = KeyTable(
        "a case",
        [
            key(.name, .text, "What the case is called.", synonyms: ["title"]),
            key(.tags, tags, "Words to choose it by, beside those of the file."),
            key(.params, Parameters.shape, "Parameters of its own, over those of the file."),
            key(.client, .map(ClientLanguage.table.keys), "A client of its own."),
            key(.faults, FaultLanguage.shape, "Faults in place of the file's.", synonyms: ["fault", "errors"]),
            key(.taps, VisitPlan.shape, "Visits in place of the file's.", synonyms: ["visits"]),
            key(.timeline, TimelineLanguage.shape, "A timeline in place of the file's."),
            key(.phone, PhoneLanguage.shape, "What is other about the phone than the file says."),
            key(.expect, .map(ExpectLanguage.table.keys), "Expectations in place of the file's."),
            key(.skip, .boolean, "Whether the case is left out.", standard: "false"),
        ])

    private static let tags = Shape.list(of: .name("a tag"))
    /// The path of a file, relative to the folder of the file that names it.
    static let path = Shape.scalar(PathRule())
    static let includes = Shape.variants([path, .list(of: path, count: 1...Composer.maximumFiles)])

    private static func key(
        _ key: ScenarioKey, _ shape: Shape, _ summary: String, isRequired: Bool = false, standard: String? = nil,
        synonyms: [String] = []
    ) -> Key {
        Key(key.rawValue, shape, summary, isRequired: isRequired, standard: standard, synonyms: synonyms)
    }
}
