import TapWire

/// A log about cards: their visits, and the lines that could not be used.
///
/// Every line has one of three outcomes. It contributes to a session; it is known to be irrelevant to cards (set-up of a
/// reader, remarks of the program) and skipped; or it is listed in ``unplaced``. A line is listed if its format indicates
/// bytes of a program, reader or card that make no exchange, or if its kind is unknown and it contains ``LogLine/leastBytes``
/// consecutive hexadecimal bytes.
public struct ImportedLog: Sendable {
    public let format: LogFormat
    /// The visits of cards to which something was sent, in the order of the log.
    public let sessions: [RecordedSession]
    /// The first lines that could not be used, at most ``LogBounds/unusedLineLimit``.
    public let unusedLines: [UnusedLine]
    /// The total number of lines that could not be used.
    public let unusedLineCount: Int
    /// Conclusions about ambiguous parts of the log, as sentences.
    public let notes: [String]

    /// Parses a log.
    ///
    /// - Parameters:
    ///   - bytes: At most ``LogBounds/bytes`` and ``LogBounds/lines``. Exchanges do not include bytes that are not UTF-8.
    ///   - format: The format, or `nil` to detect it.
    /// - Throws: ``LogError``, also if the log contains no exchange.
    public init(reading bytes: [UInt8], as format: LogFormat? = nil) throws(LogError) {
        let breaks = bytes.count <= LogBounds.bytes ? bytes.count { $0 == UInt8(ascii: "\n") } : .max
        guard breaks < LogBounds.lines else { throw LogError(.tooLarge) }
        let lines = LogLine.lines(of: bytes)
        guard lines.contains(where: { !$0.isEmpty }) else { throw LogError(.empty) }
        guard let format = format ?? LogFormat.of(lines) else { throw LogError(.unknownFormat) }
        let found = format.read(lines)
        guard !found.sessions.isEmpty else {
            throw LogError(.noExchange(format, unusedLines: found.unusedLines.first, count: found.unusedLineCount))
        }
        self.format = format
        sessions = found.sessions
        unusedLines = found.unusedLines
        unusedLineCount = found.unusedLineCount
        notes = found.notes
    }
}

public struct UnusedLine: Hashable, Sendable, CustomStringConvertible {
    /// The number of the line, counted from 1.
    public let number: Int
    /// The displayable text of the line, truncated if it is long.
    public let text: String
    /// The reason, as a clause.
    public let reason: String

    public var description: String { "line \(number): \(reason): \(text)" }
}

public struct LogError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        case tooLarge
        case empty
        case unknownFormat
        /// The log has the given format, but nothing in it was sent to a card.
        case noExchange(LogFormat, unusedLines: UnusedLine?, count: Int)
    }

    public let code: Code

    init(_ code: Code) {
        self.code = code
    }

    public var message: String {
        switch code {
        case .tooLarge: "the log is too large"
        case .empty: "the log is empty"
        case .unknownFormat: "the log format is unknown"
        case .noExchange(let format, _, _): "no command to a card was found in \(format.title)"
        }
    }

    public var hint: String {
        switch code {
        case .tooLarge: "cut the log; at most \(LogBounds.bytes) bytes and \(LogBounds.lines) lines are allowed"
        case .empty: "check that the program wrote the log, and check its log level"
        case .unknownFormat: "supported formats are: \(LogFormat.allCases.map(\.title).joined(separator: "; "))"
        case .noExchange(_, let line?, let count):
            "\(CountText.of(count, "line")) could not be used; the first is \(line)"
        case .noExchange(_, nil, _): "log a program while it reads a card, or specify the format"
        }
    }

    public var description: String { "\(message); \(hint)" }
}

public enum LogBounds {
    /// The maximum size of a log in bytes; libnfc writes 700 bytes per exchange.
    public static let bytes = 16 << 20
    public static let lines = 500_000
    /// The maximum number of bytes of a line that are read: an extended APDU in hexadecimal.
    public static let lineLength = 256 << 10
    public static let unusedLineLimit = 1_000
    public static let sessions = 1_000
}
