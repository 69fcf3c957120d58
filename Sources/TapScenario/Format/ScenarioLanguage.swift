/// The keys of a scenario file and of its cases.
enum ScenarioLanguage {
    /// Most cases of a file; each is checked and made on its own.
    static let maximumCases = 500

    static let table = KeyTable(
        "a scenario",
        [
            Key("format", .integer(1...1), "The version of the format, 1; the first key.", isRequired: true),
            Key("scenario", .name("the name of a scenario"), "The name in reports; by default that of the file."),
            Key("title", .text, "What the scenario is about.", synonyms: ["description"]),
            Key("tags", tags, "Words to choose scenarios by.", synonyms: ["tag", "labels"]),
            Key("params", Parameters.shape, "Values that the file uses as `${params.name}`.", synonyms: ["parameters"]),
            Key(
                "include", includes, "Files whose cards, readers and faults are added.",
                synonyms: ["includes", "import", "imports", "require", "use"]),
            Key(
                "extends", path,
                "A file whose cards, readers, client, timeline, settings and parameters are the ground of this one.",
                synonyms: ["extend", "parent", "inherits", "inherit", "base", "from"]),
            Key("settings", .map(ScenarioSettings.table), "Seed, clock, pace and limits.", synonyms: ["options"]),
            Key(
                "cards", .map(of: NameRule("the name of a card"), to: .map(CardLanguage.table)),
                "The cards by name; a scenario has its own or those of other files.", synonyms: ["card"]),
            Key("reader", ReaderLanguage.shape, "The reader before which the cards lie.", synonyms: ["device"]),
            Key(
                "readers", ReaderLanguage.named, "Readers by name; cards come before the first unless they are told.",
                synonyms: ["devices"]),
            Key("client", .map(ClientLanguage.table), "What reads the cards.", synonyms: ["program", "run"]),
            Key("taps", TapsLanguage.shape, "Visits of the cards to one client that stays.", synonyms: ["visits"]),
            Key("timeline", TimelineLanguage.shape, "When cards come and go.", synonyms: ["steps"]),
            Key("faults", FaultLanguage.shape, "What goes wrong, and when.", synonyms: ["fault", "errors"]),
            Key("recording", notYet: "describe the card instead"),
            Key(
                "phone", PhoneLanguage.shape, "The iPhone of an app that reads the cards with Core NFC.",
                synonyms: ["iphone", "core_nfc", "corenfc"]),
            Key("expect", .map(ExpectLanguage.table), "What has to come out.", synonyms: ["expected", "assert"]),
            Key(
                "cases", .list(of: .map(testCase), count: 1...maximumCases), "Variations, each its own test.",
                synonyms: ["tests"]),
        ], atMostOne: ["reader", "readers"])

    static let testCase = KeyTable(
        "a case",
        [
            Key("name", .text, "What the case is called.", synonyms: ["title"]),
            Key("tags", tags, "Words to choose it by, beside those of the file."),
            Key("params", Parameters.shape, "Parameters of its own, over those of the file."),
            Key("client", .map(ClientLanguage.table), "A client of its own."),
            Key("faults", FaultLanguage.shape, "Faults in place of the file's.", synonyms: ["fault", "errors"]),
            Key("taps", TapsLanguage.shape, "Visits in place of the file's.", synonyms: ["visits"]),
            Key("timeline", TimelineLanguage.shape, "A timeline in place of the file's."),
            Key("phone", PhoneLanguage.shape, "What is other about the phone than the file says."),
            Key("expect", .map(ExpectLanguage.table), "Expectations in place of the file's."),
            Key("skip", .boolean, "Whether the case is left out.", standard: "false"),
        ])

    private static let tags = Shape.list(of: .name("a tag"))
    /// The path of a file, from the folder of the file in which it is written.
    static let path = Shape.scalar(PathRule())
    /// Files that are included.
    static let includes = Shape.variants([path, .list(of: path, count: 1...Composer.maximumFiles)])
}
