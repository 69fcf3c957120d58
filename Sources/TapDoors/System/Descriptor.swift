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
        return Self.taken { unsafe write(number, copy, copy.count) }
    }

    /// Writes bytes to a socket as ``send(_:)`` does; a closed one raises no signal.
    ///
    /// - Parameters:
    ///   - bytes: What to write.
    ///   - canWait: Whether a blocking socket may let the thread wait until there is room.
    func sendToSocket(_ bytes: ArraySlice<UInt8>, canWait: Bool = true) -> Int? {
        let copy = Array(bytes)
        let flags = canWait ? 0 : Int32(MSG_DONTWAIT)
        #if canImport(Darwin)
            return Self.taken { unsafe Darwin.send(number, copy, copy.count, flags) }
        #elseif canImport(Musl)
            return Self.taken { unsafe Musl.send(number, copy, copy.count, flags | MSG_NOSIGNAL) }
        #else
            return Self.taken { unsafe Glibc.send(number, copy, copy.count, flags | Int32(MSG_NOSIGNAL)) }
        #endif
    }

    /// Keeps a socket from raising SIGPIPE, where the system has that as a property of the socket.
    func dropSignalOfBrokenPipe() {
        #if canImport(Darwin)
            var isOn: Int32 = 1
            _ = unsafe setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// Tries a call until it is not interrupted; 0 where it would have to wait, nothing where it fails.
    private static func taken(_ call: () -> Int) -> Int? {
        while true {
            let count = call()
            if count >= 0 { return count }
            switch SystemError.currentErrno() {
            case EINTR: continue
            case EAGAIN: return 0
            default: return nil
            }
        }
    }
}
