/// A log: a subsystem and a category within it.
public final class OSLog: Sendable {
    /// The subsystem, usually the bundle identifier of an app.
    let subsystem: String
    /// The part of the subsystem.
    let category: String
    let isSilent: Bool

    public convenience init(subsystem: String, category: String) {
        self.init(subsystem: subsystem, category: category, isSilent: false)
    }

    private init(subsystem: String, category: String, isSilent: Bool) {
        self.subsystem = subsystem
        self.category = category
        self.isSilent = isSilent
    }

    /// The log without a name.
    public static let `default` = OSLog(subsystem: "", category: "", isSilent: false)
    /// A log that writes nothing.
    public static let disabled = OSLog(subsystem: "", category: "", isSilent: true)

    /// Writes a line, unless the log is silent.
    func write(_ type: OSLogType, _ text: String) {
        guard !isSilent else { return }
        let place = [subsystem, category].filter { !$0.isEmpty }.map { $0 + " " }.joined()
        LogOutput.current.write("\(place)\(type.name): \(text)")
    }
}

/// The level of a line in the log.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    /// The number of the level, as on Apple platforms.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public init(_ rawValue: UInt8) {
        self.init(rawValue: rawValue)
    }

    /// The level of notices.
    public static let `default` = Self(0x00)
    /// Helpful but nonessential information.
    public static let info = Self(0x01)
    /// Information for development.
    public static let debug = Self(0x02)
    /// A failure in the program.
    public static let error = Self(0x10)
    /// A bug of the program itself.
    public static let fault = Self(0x11)

    var name: String {
        switch self {
        case .default: "notice"
        case .info: "info"
        case .debug: "debug"
        case .error: "error"
        case .fault: "fault"
        default: "level \(rawValue)"
        }
    }
}
