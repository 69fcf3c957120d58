/// The kinds of trouble a document can have.
///
/// The number is what programs and `explain` know; it never gets another meaning and is never used again.
public enum DiagnosticCode: String, Hashable, Sendable, CaseIterable {
    // Reading a file.

    /// Bytes that are not UTF-8.
    case notUTF8 = "S001"
    /// Too many bytes, values, levels or cards, or cards of too much memory.
    case limitExceeded = "S002"
    /// Text that is not YAML.
    case notYAML = "S003"
    /// YAML that scenario files do not use.
    case yamlFeature = "S004"
    /// Text that is not JSON.
    case notJSON = "S005"
    /// A key twice in one map.
    case duplicateKey = "S006"
    /// A file without content.
    case emptyFile = "S007"
    /// A YAML file in a build without YAML.
    case noYAML = "S008"
    /// A key that is not a single text.
    case keyNotText = "S009"

    // Keys and structure.

    /// A list where a map is needed, and the like.
    case wrongKind = "S010"
    /// A required key that is not there.
    case missingKey = "S011"
    /// A key the map does not have.
    case unknownKey = "S012"
    /// None or several of keys of which one is needed.
    case oneKeyOf = "S013"
    /// A key of the language that is not supported yet.
    case notYet = "S014"
    /// Nothing behind a key.
    case nothingWritten = "S015"
    /// A list with too few or too many items.
    case wrongCount = "S016"

    // Single values.

    /// Text that is not hexadecimal.
    case notHex = "S020"
    /// The wrong number of bytes.
    case wrongLength = "S021"
    /// Text that is not a whole number.
    case notInteger = "S022"
    /// A number outside its bounds.
    case outOfRange = "S023"
    /// Neither true nor false.
    case notBoolean = "S024"
    /// Not one of the words.
    case unknownWord = "S025"
    /// Text that is not a duration.
    case notDuration = "S026"
    /// Text that is not a range.
    case notRange = "S027"
    /// Text that is not a date.
    case notDate = "S028"
    /// Text that is not a 16-bit code.
    case notCode = "S029"
    /// A code whose bytes seem swapped.
    case swappedBytes = "S030"
    /// Text that cannot be a name.
    case notName = "S031"
    /// An unquoted value that other YAML readers take for something else.
    case readDifferently = "S032"

    // Parameters.

    /// `${` where nothing can be filled in.
    case misplacedReference = "S040"
    /// A parameter that is not defined.
    case unknownParameter = "S041"

    // Cards.

    /// A description no card can have.
    case impossibleCard = "S050"
    /// A key that another kind of card or record has.
    case misplacedKey = "S051"
    /// Two places that do not go together.
    case contradiction = "S052"

    // What a scenario means.

    /// A format that this version does not read.
    case wrongFormat = "S060"
    /// A name that nothing has.
    case unknownName = "S061"
    /// A name that something else has.
    case nameTaken = "S062"
    /// A fault that can never strike where it is told to.
    case impossibleFault = "S063"

    // Several files.

    /// A file that is not there or cannot be read.
    case fileUnreadable = "S070"
    /// A file outside the scenario's root.
    case fileOutside = "S071"
    /// Files that name one another in a circle.
    case fileCycle = "S072"
    /// Another file where there is none.
    case noFiles = "S073"
    /// A parameter that nothing uses.
    case unusedParameter = "S074"
    /// A file that is no dump of the card.
    case noDump = "S075"
    /// A file that does not hold the state of the card.
    case otherState = "S076"
    /// A file that is no Info.plist.
    case noInfoPlist = "S077"
    /// A dump that does not have all of its tag.
    case partialDump = "S078"
}

extension DiagnosticCode {
    /// How grave it is.
    public var severity: Severity {
        switch self {
        case .swappedBytes, .readDifferently, .unusedParameter, .partialDump: .warning
        default: .error
        }
    }

    /// What it is called, half a sentence.
    public var title: String { entry.title }

    /// What it means and what to do about it, two sentences.
    public var explanation: String { entry.explanation }

    private var entry: Entry {
        guard let entry = Self.catalogue[self] else { preconditionFailure("\(rawValue) is not in the catalogue") }
        return entry
    }
}
