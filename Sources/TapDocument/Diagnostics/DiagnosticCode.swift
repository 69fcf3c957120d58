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
            "A file has bounds on its bytes, its values, the nesting of its maps and lists, and the number and memory of "
                + "its cards, so that no input can exhaust the machine. Split the scenario into several, or into files "
                + "that one names under `include`."),
        .notYAML: Entry(
            "the text is not YAML",
            "The line cannot be read as YAML; nothing behind it was looked at. "
                + "The usual causes are indentation, a missing quote, and text with `: ` or `#` that needs quotes."),
        .yamlFeature: Entry(
            "YAML that scenario files do not use",
            "Scenario files are maps, lists, plain and quoted text, `|` blocks and comments, so that they read the "
                + "same everywhere. Anchors, aliases, merge keys, tags, directives, `>` blocks and several documents "
                + "in one file have to be written out; `params`, `include` and `extends` do their work."),
        .notJSON: Entry(
            "the text is not JSON",
            "A file named .json is read strictly as RFC 8259 says: no comments, no trailing commas, text in double "
                + "quotes. Mend the place, or name the file .yaml to write more freely."),
        .duplicateKey: Entry(
            "a key is written twice",
            "A map has each key once; which of two values was meant cannot be known. "
                + "Remove one, or put both values into one list where the key takes a list."),
        .emptyFile: Entry(
            "the file is empty",
            "The file has no content but blanks and comments. "
                + "The shortest scenario is `format: 1` and a card under `cards`."),
        .noYAML: Entry(
            "this build cannot read YAML",
            "The program was built without the package trait YAML, which needs libyaml. "
                + "Build it with the trait, or give it JSON, as `check --resolved --json` writes it."),
        .keyNotText: Entry(
            "a key is not text",
            "Keys of a map are short text on one line; a list, a map, a block or nothing at all cannot be a key. "
                + "Often a `-` or a quote is missing in front of the line."),
        .wrongKind: Entry(
            "a map, a list or a single value is needed here",
            "The key takes another structure than the one written. "
                + "Items of a list begin with `- ` or stand in brackets, entries of a map are `key: value`."),
        .missingKey: Entry(
            "a required key is missing",
            "The map means nothing without this key. "
                + "Add it; `explain` with the name of the key says what it holds."),
        .unknownKey: Entry(
            "unknown key",
            "The map has no key of this name; a misspelt key would otherwise be ignored and the scenario would test "
                + "less than it says. Correct it, or let your own keys begin with `x-`, which are kept and ignored."),
        .oneKeyOf: Entry(
            "one key of several is needed",
            "Of some keys a map holds exactly one, or at most one, since each says the same thing in another way. "
                + "Keep one of them; put the others into maps of their own where the place is a list."),
        .notYet: Entry(
            "a key that is not supported yet",
            "The key belongs to the format, but this version does not act on it, and ignoring it would test less "
                + "than the file says. Leave it out for now, or use a later version."),
        .nothingWritten: Entry(
            "nothing is written behind a key",
            "The key stands alone, or its value is null, which means nothing in a scenario. "
                + "Write a value, remove the key, or say what is empty: \"\", [] or {}."),
        .wrongCount: Entry(
            "a list has too few or too many items",
            "The list has a least and a largest number of items. "
                + "Add or remove some."),
        .notHex: Entry(
            "the text is not hexadecimal",
            "Bytes are pairs of the digits 0 to 9 and A to F, with blanks wherever they help. "
                + "Prefixes such as 0x and separators such as colons are left out."),
        .wrongLength: Entry(
            "the wrong number of bytes",
            "The value has a fixed length on the card or on the wire. "
                + "Write all bytes, leading and trailing zeros included."),
        .notInteger: Entry(
            "the text is not a whole number",
            "Whole numbers are decimal digits without leading zeros, signs only in front of negative ones. "
                + "Hexadecimal, exponents, underscores and fractions are not read here, since readers differ on them."),
        .outOfRange: Entry(
            "a number is out of range",
            "The number does not fit the field it stands for. "
                + "The bounds are those of the card, the protocol or the tool, as the hint says."),
        .notBoolean: Entry(
            "neither true nor false",
            "The key is a switch and takes `true` or `false` in small letters. "
                + "Words such as `yes`, `on` or 1 mean different things to different YAML readers."),
        .unknownWord: Entry(
            "not one of the words that are known here",
            "The key takes one of a few words, listed in the hint. "
                + "They are written in small letters, with an underscore between parts."),
        .notDuration: Entry(
            "the text is not a duration",
            "Durations are a number with its unit: `250us`, `30ms`, `1.5s`. "
                + "Where a card has a deadline of its own, a share of it such as `90%` may be written as well."),
        .notRange: Entry(
            "the text is not a range",
            "A range is `0..11` with both ends included, `1..` without an upper end, or a single number. "
                + "The lower end comes first."),
        .notDate: Entry(
            "the text is not a date",
            "Dates are written as year, month and day: `2026-11-18`. "
                + "The day has to exist in the calendar."),
        .notCode: Entry(
            "the text is not a 16-bit code",
            "System, service and area codes are four hexadecimal digits, as people say them: `0003`, `090F`. "
                + "Write leading zeros, and quote the code, since other YAML readers take it for a number."),
        .swappedBytes: Entry(
            "the bytes of a code seem swapped",
            "The code is not known, but it is with its two bytes swapped: service codes travel low byte first and "
                + "are written high byte first. Swap them, or ignore the warning if the code is meant."),
        .notName: Entry(
            "the text cannot be a name",
            "Names begin with a letter or digit and go on with letters, digits, `_`, `-` and `.`. "
                + "They are used in reports, file names and references, so they stay simple."),
        .readDifferently: Entry(
            "other YAML readers take this for something else",
            "Without quotes, YAML readers and editors take values such as 0003, 12E4, no or 1:30 for numbers or "
                + "booleans; here the text is kept. Quote it, so that everybody reads the same."),
        .misplacedReference: Entry(
            "`${` where nothing can be filled in",
            "A parameter fills a whole value: `\"${params.name}\"` and nothing around it. "
                + "Inside longer text it is not replaced, so it is refused rather than kept by accident."),
        .unknownParameter: Entry(
            "a parameter that is not defined",
            "The value refers to a parameter that neither `params` nor the case defines. "
                + "Define it under `params`, or correct the name."),
        .impossibleCard: Entry(
            "no card can be like this",
            "The card breaks a rule of its memory: an area, a service or a block that cannot be there, or more than "
                + "there is room for. The hint says which rule; a test of broken data changes the bytes instead."),
        .misplacedKey: Entry(
            "a key that another kind of card has",
            "The key is known, but not for a card with this IC and template, or not for this kind of record. "
                + "Leave it out, or change the IC or the template."),
        .contradiction: Entry(
            "two places do not go together",
            "The same thing is said twice and differently, and taking one of them would test something else than "
                + "the file says. Correct one, or leave it out."),
        .wrongFormat: Entry(
            "a format that this version does not read",
            "A scenario begins with the version of its format, so that its meaning never changes under it. "
                + "This version reads `format: 1`; newer files need a newer version."),
        .unknownName: Entry(
            "a name that nothing has",
            "The timeline and the expectations speak of cards by the names they have under `cards`. "
                + "Correct the name, or add the card."),
        .nameTaken: Entry(
            "a name that is taken",
            "A name stands for one thing, so that reports and options can tell things apart. "
                + "Give one of the two another name."),
        .impossibleFault: Entry(
            "a fault that can never be injected",
            "The fault does not fit the command, the card, the reader or the transport it is injected at, so the scenario "
                + "would test less than it says. `tapsim explain` with the name of the fault tells where it is injected."
        ),
        .needsApp: Entry(
            "a scenario that only a test of an app can run",
            "A phone is simulated for apps that read with Core NFC, and the client of the file is none, so `tapsim run` refuses it. "
                + "Use the file in a test of an app, or leave out what it says of a phone."),
        .fileUnreadable: Entry(
            "a file that cannot be read",
            "Paths under `include`, `extends`, `image` and `info_plist` begin at the folder of the file in which they are written. "
                + "Correct the path, or add the file."),
        .fileOutside: Entry(
            "a file outside the scenario's root",
            "A scenario may come from an untrusted source, so it reads only files below the working directory, or below its own "
                + "folder where it lies elsewhere. Move the file there, or start from a folder above both."),
        .fileCycle: Entry(
            "files that name one another in a circle",
            "A file cannot include or extend itself, not even by way of others. "
                + "Put what they share into a file that names none of them."),
        .noFiles: Entry(
            "another file is needed where there is none",
            "The scenario is read as one document, as on a telephone, and can reach no other file. "
                + "Write it out with `tapsim check --resolved --json`, which puts everything into one."),
        .unusedParameter: Entry(
            "a parameter that nothing uses",
            "The parameter is defined and no `${params.name}` of the scenario takes its value. "
                + "Remove it, or put the reference where the value was meant to go."),
        .noDump: Entry(
            "a file that is no dump of the card",
            "Dumps are read of Flipper Zero, Proxmark3, libnfc, nfcpy and felica-tool, and of the memory of an NTAG21x as "
                + "it is. The hint says what does not fit; read the card once more, or name another file."),
        .partialDump: Entry(
            "a dump that does not have all of its card",
            "Readers read PWD and CK as zeros and nothing that is protected or comes after the card has left. "
                + "What is missing is as at delivery, blocks are zeros, and no password is right until `pwd` tells it."),
        .noStationList: Entry(
            "a file that is no list of stations",
            "Under `settings.stations` stands a CSV file in UTF-8 whose first line names the columns area, line, station and "
                + "name, as public lists have them. The hint says what does not fit; correct the row or the path."),
        .noInfoPlist: Entry(
            "a file that is no Info.plist",
            "Under `phone.info_plist` stands the Info.plist of the app in XML, as it lies in its project; what it "
                + "declares about reading cards decides what the phone finds. Correct the path or the entry, or write "
                + "`system_codes` and `usage` in its place."),
        .otherState: Entry(
            "a file that does not hold the state of the card",
            "Under `persist` a card keeps what runs have written on it, and only a card of the same IC and identifier "
                + "takes that over. Remove the file to start again, or give each card a file of its own."),
    ]
}
