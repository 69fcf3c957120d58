import TapReaders
import TapScenario

/// What `--model` and `--door` make of the readers of a case.
struct ReaderArguments {
    /// The options, for verbs that take them.
    static let options: [Option] = [
        .value("--model", "MODEL", "The reader model in place of the scenario's, such as acr122u."),
        .value(
            "--door", "DOOR", "Open only this door: pcsc, nfcpy, libnfc, or vpcd[:PORT] of the system's PC/SC service."),
    ]

    private let model: ReaderModel?
    private let door: (kind: ReaderSpec.Door, port: UInt16?)?

    /// Reads the options.
    ///
    /// - Throws: ``UsageError`` for a word that names no model or door.
    init(_ arguments: Arguments) throws(UsageError) {
        model = try arguments.word("--model")
        door = try arguments.value("--door").map { text throws(UsageError) in try Self.door(text) }
    }

    /// Whether either is given.
    var isGiven: Bool { model != nil || door != nil }

    /// The case with the reader asked for.
    func applied(to scenarioCase: ScenarioCase) -> ScenarioCase {
        guard isGiven else { return scenarioCase }
        return scenarioCase.changingReaders { reader in
            if let model { reader.model = model }
            if let door { (reader.door, reader.port) = (door.kind, door.port ?? reader.port) }
        }
    }

    /// The words that ask for the same again.
    var words: [String] {
        (model.map { ["--model", $0.rawValue] } ?? []) + (doorText.map { ["--door", $0] } ?? [])
    }

    private var doorText: String? {
        door.map { door in door.kind.rawValue + (door.port.map { ":\($0)" } ?? "") }
    }

    /// A door, with the port of vpcd behind a colon.
    private static func door(_ text: String) throws(UsageError) -> (kind: ReaderSpec.Door, port: UInt16?) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let kind: ReaderSpec.Door = try Arguments.word(parts[0], of: "--door")
        guard parts.count == 2 else { return (kind, nil) }
        guard kind == .vpcd, let port = UInt16(parts[1]), port > 0 else {
            throw UsageError("`--door` takes a port from 1 to 65535 behind vpcd only, not `\(text)`")
        }
        return (kind, port)
    }
}
