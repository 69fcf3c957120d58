#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Sockets and folders that have to go when this process ends, by a signal or by itself.
///
/// A signal handler may touch only plain memory and call `unlink` and `rmdir`, hence a fixed table of zero-terminated
/// texts instead of a collection.
@safe
public enum EndingPaths {
    /// How many there can be at once; what is beyond stays behind, should a signal come.
    static let capacity = 256
    /// Bytes of the longest path, its zero included; a longer one stays behind.
    static let pathSize = 512

    @safe
    private struct Table: @unchecked Sendable {
        let memory: UnsafeMutablePointer<CChar>

        init() {
            unsafe memory = .allocate(capacity: capacity * pathSize)
            unsafe memory.initialize(repeating: 0, count: capacity * pathSize)
        }
    }

    private static let table = Lock(Table())
    // Written once before a handler is installed, then only read.
    private nonisolated(unsafe) static var handlerMemory: UnsafeMutablePointer<CChar>?

    /// Notes the path of a socket or of a folder with nothing but noted sockets in it.
    static func add(_ path: String) {
        let text = path.utf8CString
        guard text.count <= pathSize else { return }
        table.withLock { table in
            for index in 0..<capacity where unsafe table.memory[index * pathSize] == 0 {
                // The first byte comes last, so that a handler meets a whole path or none.
                for offset in text.indices.reversed() { unsafe table.memory[index * pathSize + offset] = text[offset] }
                return
            }
        }
    }

    /// Forgets a path, which is gone.
    static func remove(_ path: String) {
        table.withLock { table in
            for index in 0..<capacity where unsafe String(cString: table.memory + index * pathSize) == path {
                unsafe table.memory[index * pathSize] = 0
            }
        }
    }

    /// Lets what is noted go when this process ends by itself, where nobody closes it: a child of it that has not started
    /// another program leaves everything as it is.
    ///
    /// A second call does nothing.
    public static func removeAtExit() {
        _ = exitHandler
    }

    private static let exitHandler: Void = {
        prepareForHandler()
        _ = owner
        atexit {
            if getpid() == owner { removeInHandler() }
        }
    }()

    private static let owner = getpid()

    /// Makes the table known to signal handlers.
    static func prepareForHandler() {
        table.withLock { table in unsafe handlerMemory = unsafe table.memory }
    }

    /// Removes what is noted; called in a signal handler.
    static func removeInHandler() {
        guard let memory = unsafe handlerMemory else { return }
        for index in 0..<capacity where unsafe memory[index * pathSize] != 0 {
            _ = unsafe unlink(memory + index * pathSize)
        }
        // What is left are folders, empty by now.
        for index in 0..<capacity where unsafe memory[index * pathSize] != 0 {
            _ = unsafe rmdir(memory + index * pathSize)
        }
    }
}
