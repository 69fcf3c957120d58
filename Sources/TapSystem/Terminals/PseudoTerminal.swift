#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A pseudo-terminal in raw mode: bytes that a client writes to a file are read here, and vice versa.
///
/// Clients may open and close the file as often as they like. One thread serves them, one after another; clients that have the
/// file open at the same time count as one, as on a serial port.
///
/// Output stopped by one client (`tcflow`, XOFF) would stay stopped for the next. In packet mode the system reports that, and
/// the line is restarted at once.
package final class PseudoTerminal: Sendable {
    /// The file that clients open.
    package let path: String
    /// Readable when a client has written something; calls on it never block.
    let descriptor: Descriptor
    /// Keeps the line from hanging up while no client is served.
    ///
    /// While a client is served, on Linux, it is closed, so that the system reports when nobody has the file open any more.
    private let line: Lock<Descriptor?>

    /// The maximum length of a path in bytes.
    private static let pathSize = 128
    /// The pause before the file is reopened if the system has no descriptor for it.
    private static let retryPause = Duration.milliseconds(50)

    /// Opens a terminal that only this user may use.
    ///
    /// - Throws: ``SystemError`` if the system provides none.
    package init() throws(SystemError) {
        var ends: (ours: Int32, clients: Int32) = (-1, -1)
        guard unsafe openpty(&ends.ours, &ends.clients, nil, nil, nil) == 0 else {
            throw SystemError("open a pseudo-terminal")
        }
        descriptor = Descriptor(owning: ends.ours)
        let line = Descriptor(owning: ends.clients)
        self.line = Lock(line)
        var path = [CChar](repeating: 0, count: Self.pathSize)
        var isOn: Int32 = 1
        guard unsafe ttyname_r(ends.clients, &path, path.count) == 0, fchmod(ends.clients, 0o600) == 0,
            Self.makeRaw(ends.clients), unsafe ioctl(ends.ours, Self.packetMode, &isOn) == 0
        else { throw SystemError("set up a pseudo-terminal") }
        self.path = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        descriptor.setNonBlocking()
    }

    /// The request for packet mode, in which a status byte of the line precedes the bytes of clients.
    ///
    /// Source: tty_ioctl(2) of Linux; tty(4) of macOS, whose number is a macro that Swift does not see.
    private static var packetMode: UInt {
        #if canImport(Darwin)
            0x8004_7470
        #else
            UInt(TIOCPKT)
        #endif
    }

    private static func makeRaw(_ line: Int32) -> Bool {
        var settings = termios()
        guard unsafe tcgetattr(line, &settings) == 0 else { return false }
        unsafe cfmakeraw(&settings)
        return unsafe tcsetattr(line, TCSANOW, &settings) == 0
    }

    private func openLine() -> Descriptor? {
        let number = unsafe open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        return number >= 0 ? Descriptor(owning: number) : nil
    }

    /// Waits until a client does something with the line.
    ///
    /// - Parameter early: The bytes that the client has already written.
    /// - Returns: The client; `nil` once `stopped` is readable.
    package func awaitClient(after early: [UInt8], until stopped: Descriptor) -> TerminalClient? {
        if !early.isEmpty { return takeClient(after: early, until: stopped) }
        while true {
            let pause = line.withLock { $0 == nil } ? Self.retryPause : nil
            let descriptor = pause == nil ? descriptor : nil
            let ready = Readiness.wait(for: [(stopped, .reading), (descriptor, .reading)], timeout: pause)
            if ready[0] { return nil }
            if ready[1] { return takeClient(after: [], until: stopped) }
            if pause != nil { line.withLock { $0 = openLine() } }
        }
    }

    private func takeClient(after early: [UInt8], until stopped: Descriptor) -> TerminalClient {
        #if os(Linux)
            line.withLock { line in
                line?.shut()
                line = nil
            }
        #endif
        return TerminalClient(self, after: early, until: stopped)
    }

    #if os(Linux)
        /// A Boolean value that indicates whether nobody has the file open any more.
        package var isHungUp: Bool {
            var entry = pollfd(fd: descriptor.number, events: 0, revents: 0)
            return unsafe poll(&entry, 1, 0) > 0 && Int32(entry.revents) & Int32(POLLHUP) != 0
        }
    #endif

    /// Resets the line after a client: raw, running, with no answers for the next client.
    func renew() {
        let line = line.withLock { line in
            line = line ?? openLine()
            return line
        }
        guard let line else { return }
        _ = tcflush(line.number, TCIFLUSH)
        _ = Self.makeRaw(line.number)
        _ = tcflow(line.number, TCOON)
        // The reset changed the line's status; reading one byte consumes that change.
        var status: UInt8 = 0
        _ = unsafe read(descriptor.number, &status, 1)
    }

    /// Discards what clients have written.
    func dropInput() {
        _ = tcflush(descriptor.number, TCIFLUSH)
    }

    func restart() {
        if let line = line.withLock({ $0 }) ?? openLine() { _ = tcflow(line.number, TCOON) }
    }

    /// Hangs up; no thread may be waiting in a call, and a second call does nothing.
    package func close() {
        descriptor.shut()
        line.withLock { $0?.shut() }
    }
}

/// A symbolic link at a path chosen by a user; removed with its last reference at the latest.
package final class FixedLink: Sendable {
    package let path: String
    private let link: OwnFile
    private let cleanup: Int
    private let isThere = Lock(true)

    private init(made path: String, _ link: OwnFile, _ cleanup: Int) {
        (self.path, self.link, self.cleanup) = (path, link, cleanup)
    }

    /// Creates a link to a pseudo-terminal; replaces a link to a missing one, as left by an ended process.
    ///
    /// - Throws: ``SystemError`` if something else is at the path, or its folder cannot hold the link.
    package static func make(_ path: String, to target: String) throws(SystemError) -> FixedLink {
        if let old = RealPath.target(ofLink: path), folder(of: old) == folder(of: target), RealPath.of(path) == nil {
            _ = unsafe unlink(path)
        }
        let (link, cleanup) = try EndingCleanups.making {
            () throws(SystemError) -> (made: OwnFile, remove: @Sendable () -> Void) in
            guard unsafe symlink(target, path) == 0 else {
                let isTaken = SystemError.currentErrno() == EEXIST
                let advice = isTaken ? " (use another path or remove the existing file)" : ""
                throw SystemError("make the link \(path)\(advice)")
            }
            let link = OwnFile(at: path)
            return (link, { link.remove() })
        }
        return FixedLink(made: path, link, cleanup)
    }

    private static func folder(of path: String) -> Substring { path[..<(path.lastIndex(of: "/") ?? path.startIndex)] }

    deinit {
        remove()
    }

    package func remove() {
        let wasThere = isThere.withLock { isThere in
            defer { isThere = false }
            return isThere
        }
        guard wasThere else { return }
        link.remove()
        EndingCleanups.forget(cleanup)
    }
}
