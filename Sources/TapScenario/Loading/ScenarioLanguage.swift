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
            key(
                .format, .integer(1...1), "The version of the format: 1. This must be the first key.", isRequired: true),
            key(.scenario, .name("the name of a scenario"), "The name in reports. Default: the name of the file."),
            key(.title, .text, "A short description of the scenario.", synonyms: ["description"]),
            key(.tags, tags, "Words for selecting scenarios.", synonyms: ["tag", "labels"]),
            key(
                .params, Parameters.shape, "Values that the file can use as `${params.name}`.", synonyms: ["parameters"]
            ),
            key(
                .include, includes, "Files whose cards, readers and faults are added.",
                synonyms: ["includes", "import", "imports", "require", "use"]),
            key(
                .extends, path,
                "A file whose cards, readers, client, timeline, settings and parameters this file inherits.",
                synonyms: ["extend", "parent", "inherits", "inherit", "base", "from"]),
            key(.settings, .map(ScenarioSettings.table.keys), "Seed, clock, pace and limits.", synonyms: ["options"]),
            key(
                .cards, .map(of: NameRule("the name of a card"), to: .map(CardLanguage.table)),
                "The cards by name; required unless an included or extended file defines cards.", synonyms: ["card"]),
            key(.reader, ReaderLanguage.shape, "The reader on which the cards are placed.", synonyms: ["device"]),
            key(
                .readers, ReaderLanguage.named,
                "Readers by name; a card is placed on the first one unless the timeline names another.",
                synonyms: ["devices"]),
            key(
                .client, .map(ClientLanguage.table.keys), "The program that reads the cards.",
                synonyms: ["program", "run"]),
            key(
                .taps, VisitPlan.shape, "The number of times the cards are presented to a client that keeps running.",
                synonyms: ["visits"]),
            key(.timeline, TimelineLanguage.shape, "When cards are placed and removed.", synonyms: ["steps"]),
            key(.faults, FaultLanguage.shape, "The faults to inject, and when.", synonyms: ["fault", "errors"]),
            key(
                .recording, .map(RecordingLanguage.table),
                "Recorded exchanges of a card, replayed by the card.", synonyms: ["replay"]),
            key(
                .phone, PhoneLanguage.shape, "The iPhone that runs an app that reads the cards with Core NFC.",
                synonyms: ["iphone", "core_nfc", "corenfc"]),
            key(.expect, .map(ExpectLanguage.table.keys), "The expected results.", synonyms: ["expected", "assert"]),
            key(
                .cases, .list(of: .map(testCase), count: 1...maximumCases),
                "Variations of the scenario; each is a separate test.",
                synonyms: ["tests"]),
        ], atMostOne: alternatives.map(\.rawValue))

    /// Alternative keys for the same content.
    static let alternatives: [ScenarioKey] = [.reader, .readers]

    static let testCase = KeyTable(
        "a case",
        [
            key(.name, .text, "The name of the case.", synonyms: ["title"]),
            key(.tags, tags, "Words for selecting the case, in addition to those of the file."),
            key(.params, Parameters.shape, "Parameters of the case; they override those of the file."),
            key(.client, .map(ClientLanguage.table.keys), "The client of the case, instead of the file's."),
            key(.faults, FaultLanguage.shape, "Faults, instead of the file's.", synonyms: ["fault", "errors"]),
            key(.taps, VisitPlan.shape, "Visits, instead of the file's.", synonyms: ["visits"]),
            key(.timeline, TimelineLanguage.shape, "A timeline, instead of the file's."),
            key(.phone, PhoneLanguage.shape, "Values of the phone that differ from the file's."),
            key(.expect, .map(ExpectLanguage.table.keys), "Expectations, instead of the file's."),
            key(.skip, .boolean, "Whether to skip the case.", standard: "false"),
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
