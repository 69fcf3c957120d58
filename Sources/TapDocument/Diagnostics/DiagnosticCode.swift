/// The kinds of problems in documents.
///
/// Programs and `explain` identify a kind by its number, which never changes its meaning and is never reused.
public enum DiagnosticCode: String, Hashable, Sendable, CaseIterable {
    // Reading a file.

    case notUTF8 = "S001"
    /// Too many bytes, values, levels or cards, or cards that need too much memory.
    case limitExceeded = "S002"
    case notYAML = "S003"
    /// YAML that scenario files do not support.
    case yamlFeature = "S004"
    case notJSON = "S005"
    /// A key that appears twice in a map.
    case duplicateKey = "S006"
    case emptyFile = "S007"
    /// A YAML file in a build without YAML.
    case noYAML = "S008"
    /// A key that is not a single text.
    case keyNotText = "S009"

    // Keys and structure.

    /// The wrong kind of value, such as a list where a map is expected.
    case wrongKind = "S010"
    case missingKey = "S011"
    case unknownKey = "S012"
    /// None or several keys of a group that requires exactly one.
    case oneKeyOf = "S013"
    case notYet = "S014"
    case nothingWritten = "S015"
    case wrongCount = "S016"

    // Single values.

    case notHex = "S020"
    case wrongLength = "S021"
    case notInteger = "S022"
    case outOfRange = "S023"
    case notBoolean = "S024"
    case unknownWord = "S025"
    case notDuration = "S026"
    case notRange = "S027"
    case notDate = "S028"
    case notCode = "S029"
    case swappedBytes = "S030"
    case notName = "S031"
    /// An unquoted value that other YAML readers interpret differently.
    case readDifferently = "S032"

    // Parameters.

    /// A `${` where no parameter can be substituted.
    case misplacedReference = "S040"
    case unknownParameter = "S041"

    // Cards.

    /// A description that no card can have.
    case impossibleCard = "S050"
    /// A key that belongs to another kind of card or record.
    case misplacedKey = "S051"
    /// Two locations that contradict each other.
    case contradiction = "S052"

    // The meaning of a scenario.

    case wrongFormat = "S060"
    case unknownName = "S061"
    case nameTaken = "S062"
    /// A fault that can never be injected at its trigger.
    case impossibleFault = "S063"
    /// A fault or a step that only an app with Core NFC can meet, in a file with another client.
    case needsApp = "S064"

    // Several files.

    case fileUnreadable = "S070"
    case fileOutside = "S071"
    /// Files that refer to each other in a cycle.
    case fileCycle = "S072"
    /// A reference to another file in a self-contained document.
    case noFiles = "S073"
    case unusedParameter = "S074"
    case noDump = "S075"
    /// A file that does not contain the state of the card.
    case otherState = "S076"
    case noInfoPlist = "S077"
    /// A dump with parts of its card missing.
    case partialDump = "S078"
    case noStationList = "S079"
}

extension DiagnosticCode {
    public var severity: Severity {
        switch self {
        case .swappedBytes, .readDifferently, .unusedParameter, .partialDump, .needsApp: .warning
        default: .error
        }
    }

    /// The title, as a clause.
    public var title: String { entry.title }

    /// The meaning and the remedy, in two sentences.
    public var explanation: String { entry.explanation }

    private var entry: Entry {
        guard let entry = Self.catalogue[self] else { preconditionFailure("\(rawValue) is not in the catalogue") }
        return entry
    }
}

extension DiagnosticCode {
    struct Entry: Sendable {
        let title: String
        let explanation: String

        init(_ title: String, _ explanation: String) {
            self.title = title
            self.explanation = explanation
        }
    }

    static let catalogue: [DiagnosticCode: Entry] = [
        .notUTF8: Entry(
            "the file is not UTF-8",
            "Scenario files are UTF-8 text, with or without a byte order mark. "
                + "Save the file in that encoding; editors call it UTF-8 or Unicode."),
        .limitExceeded: Entry(
            "the file is too large",
            "Files are limited in bytes, values, the nesting of maps and lists, and the number and memory of cards, so "
                + "that no input can exhaust the machine. Split the scenario into several, or move parts of it into files "
                + "and list them under `include`."),
        .notYAML: Entry(
            "the text is not YAML",
            "The line cannot be parsed as YAML, and the rest of the file was not checked. "
                + "The usual causes are wrong indentation, a missing quote, and unquoted text with `: ` or `#`."),
        .yamlFeature: Entry(
            "YAML that scenario files do not support",
            "Scenario files use maps, lists, plain and quoted text, `|` blocks and comments, so that every YAML reader reads "
                + "them alike. Write out anchors, aliases, merge keys, tags, directives, `>` blocks and multiple documents; use "
                + "`params`, `include` and `extends` instead."),
        .notJSON: Entry(
            "the text is not JSON",
            "A file named .json must follow RFC 8259 strictly: no comments, no trailing commas, text in double quotes. "
                + "Fix the error, or rename the file to .yaml for a more relaxed syntax."),
        .duplicateKey: Entry(
            "duplicate key",
            "A map can have a key only once; otherwise it is unclear which value is meant. "
                + "Remove one of them, or combine the values into a list if the key accepts one."),
        .emptyFile: Entry(
            "the file is empty",
            "The file contains nothing except blanks and comments. "
                + "The shortest scenario consists of `format: 1` and a card under `cards`."),
        .noYAML: Entry(
            "this build cannot read YAML",
            "This program was built without the package trait YAML, which requires libyaml. "
                + "Build it with the trait, or use JSON files, which `check --resolved --json` writes."),
        .keyNotText: Entry(
            "a key is not text",
            "Keys of a map are short texts on one line, not lists, maps, blocks or nothing at all. "
                + "Often a `-` or a quote is missing at the start of the line."),
        .wrongKind: Entry(
            "wrong kind of value",
            "The key expects a map, a list or a single value, and the file has another kind. "
                + "Items of a list start with `- ` or are in brackets; entries of a map are `key: value`."),
        .missingKey: Entry(
            "a required key is missing",
            "The map is not valid without this key. "
                + "Add it; `explain` with the name of the key describes it."),
        .unknownKey: Entry(
            "unknown key",
            "The map has no such key; if misspelt keys were ignored, the scenario would test less than it says. "
                + "Correct the key, or start your own keys with `x-`, which are ignored."),
        .oneKeyOf: Entry(
            "wrong combination of keys",
            "Of some groups of keys, a map must have exactly one or at most one, because they are alternatives. "
                + "Keep one of them; in a list, put the others into separate items."),
        .notYet: Entry(
            "a key that is not supported yet",
            "The key belongs to the format, but this version does not support it, and ignoring it would test less "
                + "than the file says. Remove it for now, or use a later version."),
        .nothingWritten: Entry(
            "a key has no value",
            "The value is missing or null, which has no meaning in a scenario. "
                + "Write a value, remove the key, or write an empty value: \"\", [] or {}."),
        .wrongCount: Entry(
            "a list has too few or too many items",
            "The number of items is limited. "
                + "Add or remove items."),
        .notHex: Entry(
            "the text is not hexadecimal",
            "Bytes are pairs of the digits 0 to 9 and A to F, with optional spaces. "
                + "Omit prefixes such as 0x and separators such as colons."),
        .wrongLength: Entry(
            "the wrong number of bytes",
            "The value has a fixed length on the card or in the protocol. "
                + "Write all bytes, including leading and trailing zeros."),
        .notInteger: Entry(
            "the text is not a whole number",
            "Write whole numbers in decimal digits without leading zeros or a plus sign. "
                + "Hexadecimal digits, exponents, underscores and fractions are not allowed, because YAML readers treat "
                + "them differently."),
        .outOfRange: Entry(
            "a number is out of range",
            "The number does not fit its field. "
                + "The hint shows the bounds, which come from the card, the protocol or the tool."),
        .notBoolean: Entry(
            "neither true nor false",
            "The value must be `true` or `false` in lower case. "
                + "Values such as `yes`, `on` or 1 mean different things to different YAML readers."),
        .unknownWord: Entry(
            "unknown value",
            "The value must be one of the words listed in the hint. "
                + "They are in lower case, with underscores between their parts."),
        .notDuration: Entry(
            "the text is not a duration",
            "A duration is a number with a unit: `250us`, `30ms`, `1.5s`. "
                + "If the card has its own deadline, a percentage of it, such as `90%`, is also allowed."),
        .notRange: Entry(
            "the text is not a range",
            "A range is `0..11`, which includes both ends, `1..`, which has no upper end, or a single number. "
                + "The lower end comes first."),
        .notDate: Entry(
            "the text is not a date",
            "A date consists of year, month and day: `2026-11-18`. "
                + "It must exist in the calendar."),
        .notCode: Entry(
            "the text is not a 16-bit code",
            "System, service and area codes have four hexadecimal digits, high byte first: `0003`, `090F`. "
                + "Write leading zeros, and quote the code, because other YAML readers may read it as a number."),
        .swappedBytes: Entry(
            "the bytes of a code seem swapped",
            "The code is unknown, but known with its bytes swapped: service codes are transmitted low byte first and "
                + "written high byte first. Swap the bytes, or ignore the warning if the code is right."),
        .notName: Entry(
            "the text cannot be a name",
            "A name starts with a letter or digit, followed by letters, digits, `_`, `-` and `.`. "
                + "Names are used in reports, file names and references."),
        .readDifferently: Entry(
            "other YAML readers read this differently",
            "Without quotes, other YAML readers and editors read values such as 0003, 12E4, no or 1:30 as numbers or "
                + "booleans; TapSim keeps the text. Quote the value so that all readers agree."),
        .misplacedReference: Entry(
            "misplaced parameter reference",
            "A parameter reference must be a whole value: `\"${params.name}\"` with nothing around it. "
                + "Inside longer text it would not be replaced, so it is rejected."),
        .unknownParameter: Entry(
            "unknown parameter",
            "Neither `params` nor the case defines the parameter. "
                + "Define it under `params`, or correct the name."),
        .impossibleCard: Entry(
            "impossible card",
            "The card violates a rule for its memory: an area, a service or a block that cannot exist, or more data than "
                + "fits. The hint states the rule; to test with broken data, change the bytes of the card instead."),
        .misplacedKey: Entry(
            "key of another kind of card",
            "The key is not available for cards with this IC and template, or for this kind of record. "
                + "Remove it, or change the IC or the template."),
        .contradiction: Entry(
            "contradiction",
            "The file states the same thing in two different ways, and using one of them might not test what "
                + "you intended. Correct one of them, or remove it."),
        .wrongFormat: Entry(
            "unsupported format",
            "A scenario starts with the version of its format, so that later versions read it unchanged. "
                + "This version supports `format: 1`; newer formats need a newer version."),
        .unknownName: Entry(
            "unknown name",
            "The timeline and the expectations refer to cards by their names under `cards`. "
                + "Correct the name, or add the card."),
        .nameTaken: Entry(
            "duplicate name",
            "Names must be unique, so that reports and options can refer to them. "
                + "Rename one of the two."),
        .impossibleFault: Entry(
            "a fault that can never be injected",
            "The fault does not apply to the command, the card, the reader or the transport of its trigger, so the scenario "
                + "would test less than it says. `tapsim explain` with the name of the fault shows where it can be injected."
        ),
        .needsApp: Entry(
            "a scenario that only a test of an app can run",
            "A phone is only simulated for apps that use Core NFC, and this file has another client, so `tapsim run` rejects it. "
                + "Use the file in a test of an app, or remove its steps and faults of a phone."),
        .fileUnreadable: Entry(
            "file cannot be read",
            "Paths under `include`, `extends`, `image` and `info_plist` are relative to the folder of the file that contains them. "
                + "Correct the path, or add the file."),
        .fileOutside: Entry(
            "file outside the scenario's root",
            "A scenario may be untrusted, so it can only read files below the working directory or, if it is elsewhere, below "
                + "its own folder. Move the file there, or run `tapsim` in a folder that contains both."),
        .fileCycle: Entry(
            "files refer to each other in a cycle",
            "A file cannot include or extend itself, not even through other files. "
                + "Move the shared parts into a file that refers to none of the others."),
        .noFiles: Entry(
            "no access to other files",
            "The scenario is read as a single document, for example on a phone, without access to other files. "
                + "Use `tapsim check --resolved --json` to write a self-contained version."),
        .unusedParameter: Entry(
            "unused parameter",
            "The parameter is defined, but no `${params.name}` in the scenario refers to it. "
                + "Remove it, or add the reference where you need the value."),
        .noDump: Entry(
            "not a dump of the card",
            "TapSim reads dumps from Flipper Zero, Proxmark3, libnfc, nfcpy and felica-tool, and raw memory of an NTAG21x. "
                + "Fix the problem in the hint, read the card again, or use another file."),
        .partialDump: Entry(
            "incomplete dump",
            "Readers see PWD and CK as zeros, and cannot read protected data or anything after the card has left. "
                + "Missing parts are as at delivery, missing blocks are zero, and every password is wrong unless you "
                + "set `pwd`."),
        .noStationList: Entry(
            "not a list of stations",
            "`settings.stations` names a CSV file in UTF-8 whose first line names the columns area, line, station and name, "
                + "as in public lists. Correct the row in the hint, or the path."),
        .noInfoPlist: Entry(
            "not an Info.plist",
            "`phone.info_plist` names the app's Info.plist in XML, as in its Xcode project; its declarations determine which "
                + "cards the phone finds. Correct the path or the entry, or write `system_codes` and `usage` instead."),
        .otherState: Entry(
            "not the state of this card",
            "The `persist` file keeps the changes that runs make to a card, and only applies to a card with the same IC and "
                + "identifier. Delete the file to start over, or use a separate file for each card."),
    ]
}
