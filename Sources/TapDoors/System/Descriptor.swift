#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file descriptor that is closed once, at the latest when nobody holds it, and never inherited by a client.
final class Descriptor: Sendable {
    private let open: Lock<Int32>

    /// Takes ownership of a descriptor.
    init(owning number: Int32) {
        open = Lock(number)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    deinit {
        shut()
    }

    /// The number of the descriptor; -1, which every call refuses, once it is closed.
    var number: Int32 { open.withLock { $0 } }

    /// Closes the descriptor; a second call does nothing.
    func shut() {
        open.withLock { number in
            if number >= 0 { _ = close(number) }
            number = -1
        }
    }

    /// Makes a pipe.
    ///
    /// - Throws: ``SystemError``.
    static func makePipe() throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        let status = unsafe pipe(&ends)
        guard status == 0 else { throw SystemError("make a pipe") }
        return (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
    }

    /// Makes reading and writing return at once.
    func setNonBlocking() {
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    }

    /// What a read gave.
    enum ReadResult {
        case bytes([UInt8])
        case end
        case nothingYet
    }

    /// Reads up to a number of bytes; an error other than a missing byte counts as the end.
    func receive(upTo count: Int) -> ReadResult {
        var buffer = [UInt8](repeating: 0, count: count)
        while true {
            let received = unsafe read(number, &buffer, count)
            if received > 0 { return .bytes(Array(buffer.prefix(received))) }
            if received == 0 { return .end }
            switch SystemError.currentErrno() {
            case EINTR: continue
            case EAGAIN: return .nothingYet
            default: return .end
            }
        }
    }

    /// Writes bytes; returns how many the system took, or nothing if the other side is gone.
    func send(_ bytes: ArraySlice<UInt8>) -> Int? {
        let copy = Array(bytes)
        while true {
            let sent = unsafe write(number, copy, copy.count)
            if sent >= 0 { return sent }
            switch SystemError.currentErrno() {
            case EINTR: continue
            case EAGAIN: return 0
            default: return nil
            }
        }
    }
}
