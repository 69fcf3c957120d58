/// Writes messages to the log; here to standard error, one line each.
public struct Logger: Sendable {
    private let log: OSLog

    /// Creates a logger without a name.
    public init() {
        self.init(.default)
    }

    public init(subsystem: String, category: String) {
        self.init(OSLog(subsystem: subsystem, category: category))
    }

    /// Creates a logger for an existing log.
    public init(_ log: OSLog) {
        self.log = log
    }

    /// Writes a message at the notice level.
    public func log(_ message: OSLogMessage) {
        log(level: .default, message)
    }

    /// Writes a message at a level.
    public func log(level: OSLogType, _ message: OSLogMessage) {
        log.write(level, message.text)
    }

    /// Writes a message at the debug level, as `debug` does.
    public func trace(_ message: OSLogMessage) {
        log(level: .debug, message)
    }

    /// Writes a message at the debug level.
    public func debug(_ message: OSLogMessage) {
        log(level: .debug, message)
    }

    /// Writes helpful but nonessential information.
    public func info(_ message: OSLogMessage) {
        log(level: .info, message)
    }

    /// Writes a message at the notice level.
    public func notice(_ message: OSLogMessage) {
        log(level: .default, message)
    }

    /// Writes a message at the error level, as `error` does.
    public func warning(_ message: OSLogMessage) {
        log(level: .error, message)
    }

    /// Writes a message at the error level.
    public func error(_ message: OSLogMessage) {
        log(level: .error, message)
    }

    /// Writes a message at the fault level, for bugs of the program, as `fault` does.
    public func critical(_ message: OSLogMessage) {
        log(level: .fault, message)
    }

    /// Writes a message at the fault level, for bugs of the program.
    public func fault(_ message: OSLogMessage) {
        log(level: .fault, message)
    }
}
