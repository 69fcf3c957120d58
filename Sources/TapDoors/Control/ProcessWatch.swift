#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Another process, whose end can be seen.
public struct ProcessWatch: Hashable, Sendable {
    private let number: pid_t
    private let isParent: Bool

    /// The process that started this one, taken before it can have ended.
    ///
    /// Its end is seen at once and for certain: the system gives an orphan another parent.
    public static var parent: ProcessWatch { ProcessWatch(number: getppid(), isParent: true) }

    /// A process by its number, or nothing if there is none.
    public init?(_ number: Int32) {
        self.init(number: number, isParent: false)
        guard number > 0, isRunning else { return nil }
    }

    private init(number: pid_t, isParent: Bool) {
        self.number = number
        self.isParent = isParent
    }

    /// Whether it has not ended.
    public var isRunning: Bool {
        if isParent { return getppid() == number }
        guard kill(number, 0) == 0 || SystemError.currentErrno() == EPERM else { return false }
        return !hasEndedUnseen
    }

    /// Whether it has ended and its own parent has not asked how: `kill` still finds it then.
    ///
    /// Where there is no `/proc`, such a process counts as running.
    private var hasEndedUnseen: Bool {
        guard let file = unsafe fopen("/proc/\(number)/stat", "r") else { return false }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        // NUMBER (NAME) STATE …, where the name may hold anything. Source: proc(5), /proc/PID/stat.
        guard let end = bytes.prefix(count).lastIndex(of: UInt8(ascii: ")")), end + 2 < count else { return false }
        return "ZX".utf8.contains(bytes[end + 2])
    }
}
