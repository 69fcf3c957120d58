import TapWire

/// What the log of a program tells of cards: their visits, and the lines that found no place.
///
/// Every line is one of three: it goes into a session; it is known to say nothing of a card (set-up of a reader, remarks
/// of the program) and is passed over; or it is listed in ``unplaced``. Listed is a line that the format writes for bytes of
/// a program, reader or card and of which no exchange can be made, and a line of no known kind with
/// ``LogLine/leastBytes`` bytes of hexadecimal in a row.
public struct ImportedLog: Sendable {
    public let format: LogFormat
    /// The visits of cards to which something was sent, in the order of the log.
    public let sessions: [RecordedSession]
    /// The first lines without a place, at most ``LogBounds/unplacedLines``.
    public let unplaced: [UnplacedLine]
    /// How many there are in all.
    public let unplacedCount: Int
    /// What was concluded where a log may be read in two ways; sentences.
    public let notes: [String]

    /// Reads the bytes of a log.
    ///
    /// - Parameters:
    ///   - bytes: At most ``LogBounds/bytes`` and ``LogBounds/lines``; what is not UTF-8 is part of no exchange.
    ///   - format: Its format, where that is not to be told by the content.
    /// - Throws: ``LogError``, also where no exchange is in it.
    public init(reading bytes: [UInt8], as format: LogFormat? = nil) throws(LogError) {
        let breaks = bytes.count <= LogBounds.bytes ? bytes.count { $0 == UInt8(ascii: "\n") } : .max
        guard breaks < LogBounds.lines else { throw LogError(.tooLarge) }
        let lines = LogLine.lines(of: bytes)
        guard lines.contains(where: { !$0.isEmpty }) else { throw LogError(.empty) }
        guard let format = format ?? LogFormat.of(lines) else { throw LogError(.unknownFormat) }
        let found = format.read(lines)
        guard !found.sessions.isEmpty else {
            throw LogError(.noExchange(format, unplaced: found.unplaced.first, count: found.unplacedCount))
        }
        self.format = format
        sessions = found.sessions
        unplaced = found.unplaced
        unplacedCount = found.unplacedCount
        notes = found.notes
    }
}

/// A line of a log that went into no session.
public struct UnplacedLine: Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    public let number: Int
    /// The line without what cannot be shown, cut where it is long.
    public let text: String
    /// Why, half a sentence.
    public let reason: String

    public var description: String { "line \(number): \(reason): \(text)" }
}

/// Why a file is no log that can be read.
public struct LogError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        case tooLarge
        case empty
        case unknownFormat
        /// It is a log of the format, and nothing in it was sent to a card.
        case noExchange(LogFormat, unplaced: UnplacedLine?, count: Int)
    }

    public let code: Code

    init(_ code: Code) {
        self.code = code
    }

    /// What is wrong, half a sentence.
    public var message: String {
        switch code {
        case .tooLarge: "the log is too large"
        case .empty: "the log is empty"
        case .unknownFormat: "the file is not a log of a known format"
        case .noExchange(let format, _, _): "nothing was sent to a card, as far as \(format.title) tells"
        }
    }

    /// What to do about it, half a sentence.
    public var hint: String {
        switch code {
        case .tooLarge: "a log has at most \(LogBounds.bytes) bytes and \(LogBounds.lines) lines; cut it"
        case .empty: "check that the program wrote it, and at which level it logs"
        case .unknownFormat: "these are read: \(LogFormat.allCases.map(\.title).joined(separator: "; "))"
        case .noExchange(_, let line?, let count):
            "\(CountText.of(count, "line")) could not be used, the first: \(line)"
        case .noExchange(_, nil, _): "log a program while it reads a card, or say which format it is"
        }
    }

    public var description: String { "\(message); \(hint)" }
}

/// Most of what is read of a log.
public enum LogBounds {
    /// Most bytes of a log; one of libnfc has 700 for an exchange.
    public static let bytes = 16 << 20
    public static let lines = 500_000
    /// Most bytes of a line that are looked at: an extended APDU in hexadecimal.
    public static let lineLength = 256 << 10
    public static let unplacedLines = 1_000
    /// Most visits of cards.
    public static let sessions = 1_000
}
