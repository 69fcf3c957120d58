#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The environment variables of this process, and its number.
public enum ProcessEnvironment {
    /// All variables, in the order of the system.
    public static var current: [(name: String, value: String)] {
        var variables: [(name: String, value: String)] = []
        #if canImport(Darwin)
            var entry = unsafe _NSGetEnviron().pointee
        #else
            var entry = unsafe environ
        #endif
        while let text = unsafe entry.pointee {
            let parts = unsafe String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables.append((String(parts[0]), String(parts[1]))) }
            unsafe entry += 1
        }
        return variables
    }

    /// The value of a variable.
    public static subscript(name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// Sets a variable for this process and those it starts.
    public static func set(_ name: String, to value: String) {
        unsafe setenv(name, value, 1)
    }

    /// The number by which the system knows this process.
    public static var processNumber: Int32 { getpid() }
}
