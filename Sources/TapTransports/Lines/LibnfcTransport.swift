import TapHost
import TapSystem
import TapField
import TapReaders
import TapWire

/// The transport for programs that drive a PN532 on a serial port, as libnfc does: a pseudo-terminal with a chip behind it.
///
/// The line speed has no effect; answers go out at once. A pseudo-terminal has no modem lines. On Linux each client finds the
/// chip in its power-up state, as with a ``PortTransport``.
public final class LibnfcTransport: Transport {
    public let name = "libnfc"
    private let host: FieldHost
    private let terminal: PseudoTerminal
    private let state: StreamState
    private let serving: ServingThread
    private let isServing: Lock<Bool>
    private let watcher: Int
    private let link: FixedLink?

    /// - Parameters:
    ///   - chip: The chip on the line, in its state after power-up.
    ///   - link: A path that links to the pseudo-terminal, for programs with a fixed path; removed with the transport.
    /// - Throws: ``SystemError`` if the system provides no pseudo-terminal or thread, or the path of the link is taken.
    public init(
        host: FieldHost, reader: Int = 0, chip: PN532 = PN532(), link: String? = nil
    ) throws(SystemError) {
        let terminal = try PseudoTerminal()
        self.link = try link.map { path throws(SystemError) in try FixedLink.make(path, to: terminal.path) }
        let state = try StreamState()
        let isServing = Lock(false)
        serving = try ServingThread { stopped in
            var isFirst = true
            var early: [UInt8] = []
            while let client = terminal.awaitClient(after: early, until: stopped) {
                isServing.withLock { $0 = true }
                if !isFirst { host.perform(at: reader) { $0.switchField(on: false) } }
                isFirst = false
                var session = StreamSession(
                    WiredPN532(chip), over: client, sharing: state, on: host, at: reader)
                session.run()
                early = client.leave()
                isServing.withLock { $0 = false }
            }
        }
        self.host = host
        self.terminal = terminal
        self.state = state
        self.isServing = isServing
        do {
            watcher = try host.watch { state.bell.ring() }
        } catch {
            state.close()
            serving.end()
            throw error
        }
    }

    /// `LIBNFC_DEVICE` for libnfc, and `TAPSIM_TTY`, the path, for programs that open a serial port themselves.
    public var environment: [(name: String, value: String)] {
        // libnfc requires a speed.
        [("LIBNFC_DEVICE", "pn532_uart:\(path):115200"), ("TAPSIM_TTY", path)]
    }

    public var address: String? { path }

    private var path: String { link?.path ?? terminal.path }

    /// A Boolean value that indicates whether a command for the chip has arrived.
    public var wasUsed: Bool { state.wasUsed }

    /// The open search of the chip, if any; the field shows everything else.
    public var activity: TransportActivity { TransportActivity(isSearching: state.isWaiting) }

    /// A Boolean value that indicates whether a client is being served, for tests.
    ///
    /// On macOS it stays `true` after the first client, since macOS does not report its end.
    var hasClient: Bool { isServing.withLock { $0 } }

    /// 1 while a program has the line open and uses it; 0 on macOS, which does not report when a program closes the line.
    public var clientCount: Int {
        #if os(Linux)
            hasClient && !terminal.isHungUp ? 1 : 0
        #else
            0
        #endif
    }

    public func close() {
        host.forget(watcher)
        state.close()
        serving.end()
        terminal.close()
        link?.remove()
    }
}
