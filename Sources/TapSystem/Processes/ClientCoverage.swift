#if canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

/// The parts of its code that a client has run, if it was built with AFL++ (`afl-clang-fast`, `afl-gcc-fast`) or counts in the
/// same way.
///
/// Such a program finds shared memory through a variable, and counts in a byte per edge of its control flow how often it took
/// the edge. Other programs ignore the variable. Source: AFL++, `config.h`, `SHM_ENV_VAR`, and
/// `instrumentation/afl-compiler-rt.o.c`.
public final class ClientCoverage: Sendable {
    /// The size of the memory in bytes: as many edges as a program of some hundred thousand lines has.
    private static let byteCount = 1 << 18

    @safe
    private struct Memory: @unchecked Sendable {
        let words: UnsafeMutablePointer<UInt64>
    }

    private let memory: Memory
    private let number: Int32

    /// - Throws: ``SystemError`` if the system provides no shared memory.
    public init() throws(SystemError) {
        #if os(Linux)
            number = shmget(0, Self.byteCount, IPC_CREAT | 0o600)
            guard number >= 0 else { throw SystemError("make shared memory") }
            let address = unsafe shmat(number, nil, 0)
            let error = SystemError("use shared memory")
            // The memory is freed with the last process that uses it.
            _ = shmctl(number, IPC_RMID, nil)
            guard let address = unsafe address, Int(bitPattern: address) != -1 else { throw error }
            unsafe memory = Memory(words: address.bindMemory(to: UInt64.self, capacity: Self.byteCount / 8))
        #else
            throw SystemError("share memory with a client", errno: ENOSYS)
        #endif
    }

    deinit {
        #if os(Linux)
            _ = unsafe shmdt(memory.words)
        #endif
    }

    /// The variables that lead a client to the memory.
    public var variables: [(name: String, value: String)] {
        [("__AFL_SHM_ID", "\(number)"), ("AFL_MAP_SIZE", "\(Self.byteCount)")]
    }

    /// Returns the edges since the last call, each with its rough count, and clears them.
    public func take() -> Set<UInt32> {
        var edges: Set<UInt32> = []
        for index in 0..<Self.byteCount / 8 {
            let word = unsafe memory.words[index]
            guard word != 0 else { continue }
            unsafe memory.words[index] = 0
            for byte in 0..<8 {
                let count = UInt8(truncatingIfNeeded: word >> (8 * byte))
                if count != 0 { edges.insert(UInt32(index * 8 + byte) << 4 | Self.size(of: count)) }
            }
        }
        return edges
    }

    /// Returns a rough count: once, twice, three times, and then powers of two, so that one more round of a loop is nothing
    /// new.
    private static func size(of count: UInt8) -> UInt32 {
        count < 4 ? UInt32(count) : UInt32(UInt8.bitWidth - count.leadingZeroBitCount) + 1
    }
}
