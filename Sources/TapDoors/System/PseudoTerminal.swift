#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A pseudo-terminal in raw mode: bytes that a client writes to a file are read here, and the other way round.
///
/// Clients may open and close the file as often as they like, and share it, as a serial port. One thread reads and writes
/// here, and waits in these calls.
///
/// The line never closes, so output stopped by one client (`tcflow`, XOFF) would stay stopped for the next. In packet mode
/// the system reports that, and the line is restarted at once.
final class PseudoTerminal: StreamConnection, Sendable {
    /// The file that clients open.
    let path: String
    /// Ready for reading when a client has written something.
    let descriptor: Descriptor
    /// Keeps the line from hanging up while no client has it open.
    private let line: Descriptor
    /// A copy of the descriptor's number, which costs a lock to ask for.
    private let number: Int32

    /// Most bytes of a path.
    private static let pathSize = 128

    /// Opens a terminal that this user alone may use.
    ///
    /// - Throws: ``SystemError`` if the system gives none.
    init() throws(SystemError) {
        var ends: (ours: Int32, clients: Int32) = (-1, -1)
        guard unsafe openpty(&ends.ours, &ends.clients, nil, nil, nil) == 0 else {
            throw SystemError("open a pseudo-terminal")
        }
        number = ends.ours
        descriptor = Descriptor(owning: ends.ours)
        line = Descriptor(owning: ends.clients)
        var path = [CChar](repeating: 0, count: Self.pathSize)
        var isOn: Int32 = 1
        guard unsafe ttyname_r(ends.clients, &path, path.count) == 0, fchmod(ends.clients, 0o600) == 0,
            Self.makeRaw(ends.clients), unsafe ioctl(ends.ours, Self.packetMode, &isOn) == 0
        else { throw SystemError("set up a pseudo-terminal") }
        self.path = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        line.setNonBlocking()
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

    /// Packet mode status: a client has stopped the line.
    private static let stopped: UInt8 = 0x04

    private static func makeRaw(_ line: Int32) -> Bool {
        var settings = termios()
        guard unsafe tcgetattr(line, &settings) == 0 else { return false }
        unsafe cfmakeraw(&settings)
        return unsafe tcsetattr(line, TCSANOW, &settings) == 0
    }

    func awaitBytes(into buffer: inout [UInt8]) -> Range<Int>? {
        while true {
            let count = unsafe read(number, &buffer, buffer.count)
            if count > 0 {
                if buffer[0] & Self.stopped != 0 { goOn() }
                return 1..<count
            }
            guard count < 0, SystemError.currentErrno() == EINTR else { return nil }
        }
    }

    /// Restarts a stopped line.
    private func goOn() {
        _ = tcflow(line.number, TCOON)
    }

    /// Sends bytes; a line is there without a client too.
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
                return unsafe write(number, rest.baseAddress, rest.count)
            }
            guard count >= 0 || SystemError.currentErrno() == EINTR else { break }
            sent += max(0, count)
        }
        return true
    }

    /// Wakes a thread that waits in a call; bytes on the line are lost.
    func interrupt() {
        let line = line.number
        goOn()
        _ = tcflush(line, TCIOFLUSH)
        _ = unsafe write(line, [0 as UInt8], 1)
    }

    /// Hangs up; no thread may be waiting in a call, and a second call does nothing.
    func close() {
        descriptor.shut()
        line.shut()
    }
}

/// A symbolic link at a path that a user has chosen; removed with its last reference at the latest.
final class FixedLink: Sendable {
    let path: String
    private let link: OwnFile
    private let cleanup: Int
    private let isThere = Lock(true)

    private init(made path: String, _ link: OwnFile, _ cleanup: Int) {
        (self.path, self.link, self.cleanup) = (path, link, cleanup)
    }

    /// Makes a link to a pseudo-terminal; a link to one that is gone, as an ended process leaves it, is replaced.
    ///
    /// There is no object before there is a link of ours, since its end removes what is at the path.
    ///
    /// - Throws: ``SystemError`` if something else is at the path, or its folder cannot hold the link.
    static func make(_ path: String, to target: String) throws(SystemError) -> FixedLink {
        if let old = RealPath.target(ofLink: path), folder(of: old) == folder(of: target), RealPath.of(path) == nil {
            _ = unsafe unlink(path)
        }
        let (link, cleanup) = try EndingCleanups.making {
            () throws(SystemError) -> (made: OwnFile, remove: @Sendable () -> Void) in
            guard unsafe symlink(target, path) == 0 else {
                let isTaken = SystemError.currentErrno() == EEXIST
                let advice = isTaken ? ", name another path or remove what is there" : ""
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

    func remove() {
        let wasThere = isThere.withLock { isThere in
            defer { isThere = false }
            return isThere
        }
        guard wasThere else { return }
        link.remove()
        EndingCleanups.forget(cleanup)
    }
}
