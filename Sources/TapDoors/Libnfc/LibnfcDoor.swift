import TapField
import TapReaders

/// The door for programs that drive a PN532 on a serial port, as libnfc does: a pseudo-terminal with a chip behind it.
///
/// The speed of the line means nothing, and answers go out at once.
public final class LibnfcDoor: Door {
    /// The word by which scenario files and reports speak of the door.
    public let name = "libnfc"
    private let host: FieldHost
    private let terminal: PseudoTerminal
    private let state: LibnfcSession.State
    private let thread: BlockingThread
    private let watcher: Int
    /// How long a thread has to come out of a call before it is interrupted once more.
    private static let interruptPause = Duration.milliseconds(1)

    /// Opens the door on a field.
    ///
    /// - Parameters:
    ///   - host: The field.
    ///   - reader: The number of the reader in the world of the host.
    /// - Throws: ``SystemError`` if the system gives no pseudo-terminal or thread.
    public init(host: FieldHost, reader: Int = 0) throws(SystemError) {
        let terminal = try PseudoTerminal()
        let state = LibnfcSession.State(bell: try Bell())
        let thread = try BlockingThread {
            var session = LibnfcSession(terminal, state, on: host, at: reader)
            session.run()
        }
        self.host = host
        self.terminal = terminal
        self.state = state
        self.thread = thread
        do {
            watcher = try host.watch { state.bell.ring() }
        } catch {
            state.close()
            Self.end(thread, state, terminal)
            throw error
        }
    }

    /// `LIBNFC_DEVICE`, which libnfc reads, and `TAPSIM_TTY`, the file, for programs that open a serial port themselves.
    public var environment: [(name: String, value: String)] {
        // libnfc asks for a speed.
        [("LIBNFC_DEVICE", "pn532_uart:\(terminal.path):115200"), ("TAPSIM_TTY", terminal.path)]
    }

    /// Whether a command for the chip has come.
    public var wasUsed: Bool { state.wasUsed }

    /// Whether a search of the chip stays open; all else of a client is seen in the field.
    public var activity: DoorActivity {
        var activity = DoorActivity()
        activity.isWaiting = state.isWaiting
        return activity
    }

    /// Hangs up and ends the thread of the door.
    public func close() {
        host.forget(watcher)
        state.close()
        Self.end(thread, state, terminal)
        terminal.close()
    }

    /// Ends the thread; one that sends more than a terminal keeps has to be let go of it piece by piece.
    private static func end(_ thread: BlockingThread, _ state: LibnfcSession.State, _ terminal: PseudoTerminal) {
        while !state.hasEnded {
            terminal.interrupt()
            BlockingThread.sleep(until: .now + interruptPause)
        }
        thread.join()
    }
}
