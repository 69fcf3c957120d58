#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A pseudo-terminal in raw mode: what a client writes to a file comes out here, and the other way round.
///
/// Clients may open the file and close it as often as they like, and hold it open together, as a serial port. One thread
/// reads and writes here, and waits in these calls.
///
/// The line never closes, so what a client has stopped (`tcflow`, XOFF) would stay stopped for those after it. In packet
/// mode the system tells of that, and the line goes on at once.
final class PseudoTerminal: Sendable {
    /// The file that clients open.
    let path: String
    /// Ready for reading when a client has written something.
    let descriptor: Descriptor
    /// Keeps the line from hanging up while no client has it open.
    private let line: Descriptor
    /// The number of the descriptor: asking it anew costs a lock for each call.
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

    /// Asks for packet mode: a byte before those of clients says what became of the line.
    ///
    /// Source: tty_ioctl(2) of Linux; tty(4) of macOS, whose number is a macro that Swift does not see.
    private static var packetMode: UInt {
        #if canImport(Darwin)
            0x8004_7470
        #else
            UInt(TIOCPKT)
        #endif
    }

    /// In packet mode: a client has stopped what clients write.
    private static let stopped: UInt8 = 0x04

    /// Lets bytes pass as they are, and at once.
    private static func makeRaw(_ line: Int32) -> Bool {
        var settings = termios()
        guard unsafe tcgetattr(line, &settings) == 0 else { return false }
        unsafe cfmakeraw(&settings)
        return unsafe tcsetattr(line, TCSANOW, &settings) == 0
    }

    /// Waits for bytes of clients.
    ///
    /// - Returns: Where in the buffer they are; `nil` where the system gives none any more.
    func receive(into buffer: inout [UInt8]) -> Range<Int>? {
        while true {
            let count = unsafe read(number, &buffer, buffer.count)
            if count > 0 {
                if buffer[0] & Self.stopped != 0 { goOn() }
                return 1..<count
            }
            guard count < 0, SystemError.currentErrno() == EINTR else { return nil }
        }
    }

    /// Lets clients write again, whatever one of them has stopped.
    private func goOn() {
        _ = tcflow(line.number, TCOON)
    }

    /// Sends bytes, and waits while clients have left too many unread.
    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
                return unsafe write(number, rest.baseAddress, rest.count)
            }
            guard count >= 0 || SystemError.currentErrno() == EINTR else { return }
            sent += max(0, count)
        }
    }

    /// Lets a thread go that waits in a call; what is on the line is lost.
    func interrupt() {
        let line = line.number
        goOn()
        _ = tcflush(line, TCIOFLUSH)
        _ = unsafe write(line, [0 as UInt8], 1)
    }

    /// Hangs up.
    ///
    /// Nobody may be waiting in a call. A second time it does nothing.
    func close() {
        descriptor.shut()
        line.shut()
    }
}
