/// A log format, named as for `--format`.
public enum LogFormat: String, Hashable, Sendable, CaseIterable {
    case trace
    case libnfc
    case nfcpy
    case pcscSpy = "pcsc-spy"
    case pcscd
    case proxmark3
    case opensc = "opensc-tool"
    case hex

    /// The name of the format for people.
    public var title: String {
        switch self {
        case .trace: "trace.jsonl of TapSim"
        case .libnfc: "the log of libnfc (LIBNFC_LOG_LEVEL=3)"
        case .nfcpy: "the debug log of nfcpy"
        case .pcscSpy: "the output of pcsc-spy"
        case .pcscd: "the log of pcscd --apdu"
        case .proxmark3: "the output of Proxmark3 (hf felica, trace list)"
        case .opensc: "the output of opensc-tool -s"
        case .hex: "hexadecimal lines with > and <"
        }
    }

    /// The format of a file according to its content, or `nil` if it is not a log.
    public static func of(_ bytes: [UInt8]) -> LogFormat? { of(LogLine.lines(of: bytes)) }

    /// The first format, in the order above, that a line of the log has, or `nil` if there is none.
    static func of(_ lines: [LogLine]) -> LogFormat? {
        allCases.first { format in lines.contains { format.has($0) } }
    }

    /// Returns whether a line can only come from this program.
    private func has(_ line: LogLine) -> Bool {
        switch self {
        case .trace: TraceLog.has(line)
        case .libnfc: LibnfcLog.has(line)
        case .nfcpy: NfcpyLine(line)?.isFrame ?? false
        case .pcscSpy: PCSCSpyLog.has(line)
        case .pcscd: PCSCDLog.has(line)
        case .proxmark3: ProxmarkLog.has(line)
        case .opensc: OpenSCLog.has(line)
        case .hex: MarkedHex(line) != nil
        }
    }

    func read(_ lines: [LogLine]) -> SessionCollector {
        switch self {
        case .trace: collect(TraceLog(), lines)
        case .libnfc: collect(LibnfcLog(), lines)
        case .nfcpy: collect(NfcpyLog(lines), lines)
        case .pcscSpy: collect(PCSCSpyLog(), lines)
        case .pcscd: collect(PCSCDLog(), lines)
        case .proxmark3: collect(ProxmarkLog(), lines)
        case .opensc: collect(OpenSCLog(), lines)
        case .hex: collect(HexLog(), lines)
        }
    }

    private func collect(_ reader: some LogReader, _ lines: [LogLine]) -> SessionCollector {
        var reader = reader
        for line in lines { reader.take(line) }
        reader.finish()
        return reader.sessions
    }
}

/// A parser for the lines of a format, in order.
protocol LogReader {
    var sessions: SessionCollector { get }

    mutating func take(_ line: LogLine)
    /// Ends the log; pending commands stay unanswered.
    mutating func finish()
}
