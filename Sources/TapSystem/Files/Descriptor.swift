#if os(Linux)
    import CLinux
#endif
import TapWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file descriptor that is closed once, at the latest with its last reference, and never inherited by a client.
package final class Descriptor: Sendable {
    private let open: Lock<Int32>

    package init(owning number: Int32) {
        open = Lock(number)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    deinit {
        shut()
    }

    /// The number of the descriptor; -1, which every call rejects, once it is closed.
    package var number: Int32 { open.withLock { $0 } }

    /// Closes the descriptor; a second call does nothing.
    func shut() {
        open.withLock { number in
            if number >= 0 { _ = close(number) }
            number = -1
        }
    }

    static func makePipe() throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        #if os(Linux)
            // The flag is set at creation, so that no client that starts meanwhile inherits the pipe.
            let status = unsafe make_pipe(&ends, O_CLOEXEC)
        #else
            let status = unsafe pipe(&ends)
        #endif
        guard status == 0 else { throw SystemError("make a pipe") }
        return (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
    }

    package enum SocketKind {
        case stream
        case datagrams
    }

    /// Opens a socket that is neither bound nor connected; writing to it raises no signal if the other end is closed.
    package static func makeSocket(
        _ family: Int32, _ kind: SocketKind, _ name: String, protocol: Int32 = 0
    ) throws(SystemError) -> Descriptor {
        let type = kind == .stream ? SOCK_STREAM : SOCK_DGRAM
        #if os(Linux)
            let number = socket(family, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), `protocol`)
        #else
            let number = socket(family, type, `protocol`)
        #endif
        guard number >= 0 else { throw SystemError("open a \(name)") }
        let descriptor = Descriptor(owning: number)
        descriptor.dropSignalOfBrokenPipe()
        return descriptor
    }

    /// Makes reading and writing return at once.
    package func setNonBlocking() {
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    }

    package enum ReadResult {
        case bytes([UInt8])
        case end
        case nothingYet
    }

    /// Reads up to a number of bytes; an error other than EAGAIN counts as the end.
    package func receive(upTo count: Int) -> ReadResult {
        while true {
            var (received, error) = (0, Int32(0))
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
                received = unsafe read(number, buffer.baseAddress, count)
                error = SystemError.currentErrno()
                length = max(0, received)
            }
            if received > 0 { return .bytes(bytes) }
            if received == 0 { return .end }
            switch error {
            case EINTR: continue
            case EAGAIN: return .nothingYet
            default: return .end
            }
        }
    }

    /// Writes bytes; returns the number of bytes the system accepted, or `nil` if the other end is closed.
    package func send(_ bytes: ArraySlice<UInt8>) -> Int? {
        let copy = Array(bytes)
        return Self.taken { unsafe write(number, copy, copy.count) }
    }

    /// Writes bytes to a socket as ``send(_:)`` does; a closed socket raises no signal.
    ///
    /// - Parameter canWait: A Boolean value that indicates whether a blocking socket may wait for room.
    func sendToSocket(_ bytes: ArraySlice<UInt8>, canWait: Bool = true) -> Int? {
        Self.taken {
            unsafe bytes.withUnsafeBytes { unsafe sendOnSocket(number, $0, flags: canWait ? 0 : Int32(MSG_DONTWAIT)) }
        }
    }

    /// Keeps a socket from raising SIGPIPE, on systems where that is a property of the socket.
    func dropSignalOfBrokenPipe() {
        #if canImport(Darwin)
            var isOn: Int32 = 1
            _ = unsafe setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// Repeats a call while it is interrupted; returns 0 if the call would have to wait, `nil` if it fails.
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

package enum Readiness {
    package enum Interest {
        case reading
        case writing
    }

    /// Waits until one of the descriptors is ready or closed.
    ///
    /// - Parameters:
    ///   - descriptors: The descriptors to wait for; `nil` is never ready.
    ///   - timeout: The maximum time to wait; `nil` for no limit.
    /// - Returns: For each descriptor, `true` if it is ready.
    package static func wait(for descriptors: [(Descriptor?, Interest)], timeout: Duration?) -> [Bool] {
        var entries = descriptors.map { descriptor, interest in
            pollfd(fd: descriptor?.number ?? -1, events: Int16(interest == .reading ? POLLIN : POLLOUT), revents: 0)
        }
        let count = nfds_t(entries.count)
        let ready = unsafe poll(&entries, count, milliseconds(timeout))
        guard ready > 0 else { return descriptors.map { _ in false } }
        return entries.map { $0.revents != 0 }
    }

    /// Rounds up, so that a short wait is not a busy loop; -1 for no limit.
    private static func milliseconds(_ timeout: Duration?) -> Int32 {
        guard let timeout else { return -1 }
        let (seconds, attoseconds) = timeout.components
        let milliseconds = max(0, seconds) * 1_000 + (max(0, attoseconds) + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(clamping: milliseconds)
    }
}

/// Wakes the thread that runs a client; it may be rung from any thread, any number of times.
public final class Bell: Sendable {
    private let hammer: Descriptor
    /// Readable once the bell was rung.
    package let rung: Descriptor

    /// - Throws: ``SystemError`` if the system provides no pipe.
    public init() throws(SystemError) {
        (rung, hammer) = try Descriptor.makePipe()
        rung.setNonBlocking()
        hammer.setNonBlocking()
    }

    /// Wakes the waiting thread, or ends its next wait at once.
    public func ring() {
        // A full pipe needs no more bytes.
        _ = hammer.send([0])
    }

    /// Resets the bell.
    package func still() {
        while case .bytes = rung.receive(upTo: 256) {}
    }
}

/// Output to a stream of this process, one whole text at a time.
public enum WholeOutput {
    /// Writes lines to standard error, safe for a terminal.
    public static func writeError(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
            PrintableText.visible($0) + "\n"
        }
        _ = send(Array(lines.joined().utf8), to: STDERR_FILENO)
    }

    /// Writes all bytes.
    ///
    /// - Returns: The error, if not all bytes could be written.
    public static func send(_ bytes: [UInt8], to descriptor: Int32) -> SystemError? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = Array(rest)
            let written = unsafe write(descriptor, chunk, chunk.count)
            if written > 0 {
                rest = rest.dropFirst(written)
            } else {
                let error = SystemError("write \(descriptor == STDERR_FILENO ? "standard error" : "standard output")")
                switch error.errno {
                case EINTR: continue
                case EAGAIN: awaitRoom(descriptor)
                default: return error
                }
            }
        }
        return nil
    }

    /// Waits until a non-blocking pipe has room again.
    private static func awaitRoom(_ descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&entry, 1, -1)
    }
}

/// A call to the operating system that failed.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The action that failed, as text: `bind a UDP socket`.
    public let action: String
    public let errno: Int32

    public init(_ action: String, errno: Int32 = currentErrno()) {
        self.action = action
        self.errno = errno
    }

    public var description: String {
        "cannot \(action): \(Self.text(errno)) (errno \(errno))"
    }

    /// A Boolean value that indicates whether nobody reads the pipe any more.
    package var isBrokenPipe: Bool { errno == EPIPE }

    /// Returns the system's text for an error number.
    public static func text(_ errno: Int32) -> String {
        guard let text = unsafe strerror(errno) else { return "error" }
        return unsafe String(cString: text)
    }

    public static func currentErrno() -> Int32 { threadErrno }

    /// Restores the thread's `errno` in a signal handler.
    static func setErrno(_ number: Int32) { threadErrno = number }
}

private var threadErrno: Int32 {
    get { errno }
    set { errno = newValue }
}
