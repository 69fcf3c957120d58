/// Writes messages to the log; here to standard error, a line for each.
public struct Logger: Sendable {
    private let log: OSLog

    /// A logger without a name.
    public init() {
        self.init(.default)
    }

    public init(subsystem: String, category: String) {
        self.init(OSLog(subsystem: subsystem, category: category))
    }

    /// Takes the place in the log from elsewhere.
    public init(_ log: OSLog) {
        self.log = log
    }

    /// Writes at the level of notices.
    public func log(_ message: OSLogMessage) {
        log(level: .default, message)
    }

    /// Writes at a level.
    public func log(level: OSLogType, _ message: OSLogMessage) {
        log.write(level, message.text)
    }

    /// Writes at the level for development, as `debug` does.
    public func trace(_ message: OSLogMessage) {
        log(level: .debug, message)
    }

    /// Writes at the level for development.
    public func debug(_ message: OSLogMessage) {
        log(level: .debug, message)
    }

    /// Writes what helps but is not needed.
    public func info(_ message: OSLogMessage) {
        log(level: .info, message)
    }

    /// Writes at the level of notices.
    public func notice(_ message: OSLogMessage) {
        log(level: .default, message)
    }

    /// Writes at the level of errors, as `error` does.
    public func warning(_ message: OSLogMessage) {
        log(level: .error, message)
    }

    /// Writes that something failed.
    public func error(_ message: OSLogMessage) {
        log(level: .error, message)
    }

    /// Writes that the program itself is wrong, as `fault` does.
    public func critical(_ message: OSLogMessage) {
        log(level: .fault, message)
    }

    /// Writes that the program itself is wrong.
    public func fault(_ message: OSLogMessage) {
        log(level: .fault, message)
    }
}
