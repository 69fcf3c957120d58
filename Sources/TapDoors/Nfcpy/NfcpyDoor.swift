import TapField

/// The door for nfcpy's UDP driver: a socket on the loopback address at a free port.
///
/// Every user of the machine can send there, and the driver knows no word to say first: the door hears only sockets of
/// this user and of root.
public final class NfcpyDoor: Door {
    /// The word by which scenario files and reports speak of the door.
    public let name = "nfcpy"
    private let socket: LoopbackSocket
    private let stop: Descriptor
    private let used = Lock(false)
    private let thread = Lock<BlockingThread?>(nil)

    /// Opens the door on a field.
    ///
    /// - Parameters:
    ///   - host: The field.
    ///   - reader: The number of the reader in the world of the host.
    /// - Throws: ``SystemError`` if the system gives no socket or thread, or does not tell whose a socket is.
    public init(host: FieldHost, reader: Int = 0) throws(SystemError) {
        socket = try LoopbackSocket()
        try socket.checkOwners()
        let (reading, writing) = try Descriptor.makePipe()
        stop = writing
        let server = Server(socket: socket, stop: reading, host: host, reader: reader, used: used)
        let serving = try BlockingThread { server.run() }
        thread.withLock { $0 = serving }
    }

    /// `TAPSIM_NFCPY`, the path to give to `nfc.ContactlessFrontend`.
    public var environment: [(name: String, value: String)] {
        [("TAPSIM_NFCPY", "udp:127.0.0.1:\(socket.port)")]
    }

    /// Whether a datagram of nfcpy has come.
    public var wasUsed: Bool { used.withLock { $0 } }

    /// Closes the door and ends its thread.
    public func close() {
        stop.shut()
        thread.withLock { $0 }?.join()
    }
}

/// The loop of the door's thread.
private struct Server {
    let socket: LoopbackSocket
    let stop: Descriptor
    let host: FieldHost
    let reader: Int
    let used: Lock<Bool>
    /// What a sense that finds no card takes at least.
    ///
    /// So programs that do nothing but sense leave the machine time. Readers take longer.
    private static let senseTime = Duration.milliseconds(5)

    func run() {
        var core = NfcpyCore()
        var heard: LoopbackSocket.Peer?
        while true {
            let ready = Readiness.wait(for: [(socket.descriptor, .reading), (stop, .reading)], timeout: nil)
            if ready[1] { return }
            guard ready[0], let (datagram, peer) = socket.receive(upTo: NfcpyDatagram.maximumLength + 1) else {
                continue
            }
            switch socket.owner(of: peer) {
            case .user: heard = peer
            // A driver that is closed switches its field off last, and its socket may be closed before that is read.
            case .gone where peer == heard && NfcpyDatagram(datagram) == .fieldOff: break
            case .gone, .stranger: continue
            }
            core.receive(datagram)
            while let action = core.next() {
                used.withLock { $0 = true }
                switch action {
                case .exchange(let frame): core.finish(host.exchange(frame, at: reader))
                case .switchField(let on): host.perform(at: reader) { $0.switchField(on: on) }
                case .send(let bytes):
                    if bytes == NfcpyDatagram.fieldOff.bytes {
                        _ = Readiness.wait(for: [(stop, .reading)], timeout: Self.senseTime)
                    }
                    if !isPeerAhead { socket.send(bytes, to: peer) }
                }
            }
        }
    }

    /// Whether the next datagram is here already: then the driver has given up waiting for this answer, and would take
    /// it for the answer to what it sent since.
    private var isPeerAhead: Bool {
        Readiness.wait(for: [(socket.descriptor, .reading)], timeout: .zero)[0]
    }
}
