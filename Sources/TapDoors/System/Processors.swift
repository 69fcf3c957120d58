#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The processors of this machine.
public enum Processors {
    /// Most runs at a time that anybody may ask for.
    public static let maximumJobs = 256

    /// How many are there for this process; at least one.
    public static var count: Int { min(maximumJobs, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
