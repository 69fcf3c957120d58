import TapHost
import TapSystem
import TapField
import TapWire

/// The transport for nfcpy's UDP driver: a socket on the loopback address at a free port.
///
/// Every user of the machine can send to the port, and the driver cannot send a token, so the transport accepts only datagrams
/// from sockets of this user and of root.
public final class NfcpyTransport: Transport {
    public let name = "nfcpy"
    private let socket: LoopbackSocket
    private let owners: SocketOwners
    /// The driver that sent the last datagram.
    private let lastPeer = Lock<LoopbackSocket.Peer?>(nil)
    private let used = Lock(false)
    private let serving: ServingThread

    /// - Throws: ``SystemError`` if the system provides no socket or thread, or does not report the owners of sockets.
    public init(host: FieldHost, reader: Int = 0) throws(SystemError) {
        socket = try LoopbackSocket()
        owners = try socket.makeOwners()
        serving = try ServingThread { [socket, owners, lastPeer, used] stopped in
            Server(
                socket: socket, owners: owners, stop: stopped, host: host, reader: reader, sharedPeer: lastPeer,
                used: used
            ).run()
        }
    }

    /// `TAPSIM_NFCPY`, the path for `nfc.ContactlessFrontend`.
    public var environment: [(name: String, value: String)] {
        [("TAPSIM_NFCPY", "udp:127.0.0.1:\(socket.port)")]
    }

    public var address: String? { "\(socket.port)" }

    public var wasUsed: Bool { used.withLock { $0 } }

    /// 1 while the last driver has its socket open; 0 on macOS, which does not report that.
    public var clientCount: Int {
        #if os(Linux)
            lastPeer.withLock { $0 }.map { owners.owner(socket.question(about: $0)) } == .user ? 1 : 0
        #else
            0
        #endif
    }

    public func close() {
        serving.end()
    }
}

/// The loop of the transport's thread.
private struct Server {
    let socket: LoopbackSocket
    let owners: SocketOwners
    let stop: Descriptor
    let host: FieldHost
    let reader: Int
    let sharedPeer: Lock<LoopbackSocket.Peer?>
    let used: Lock<Bool>
    /// The minimum time of a sense that finds no card, so that a program that only senses leaves the machine time; real readers
    /// take longer.
    private static let senseTime = Duration.milliseconds(5)

    func run() {
        var core = NfcpyCore()
        var lastPeer: LoopbackSocket.Peer?
        var strangers = Strangers()
        while true {
            let ready = Readiness.wait(for: [(socket.descriptor, .reading), (stop, .reading)], timeout: nil)
            if ready[1] { return }
            guard ready[0], let (datagram, peer) = socket.receive(upTo: NfcpyDatagram.maximumLength + 1) else {
                continue
            }
            if strangers.contains(peer) { continue }
            switch owners.owner(socket.question(about: peer)) {
            case .user:
                // The next driver must find no state of a driver that has ended.
                if let last = lastPeer, last != peer, owners.owner(socket.question(about: last)) == .gone {
                    core = NfcpyCore()
                    host.perform(at: reader) { $0.switchField(on: false) }
                }
                lastPeer = peer
                sharedPeer.withLock { $0 = peer }
            // A closing driver switches its field off last, and its socket may be closed before that datagram is read.
            case .gone where peer == lastPeer && NfcpyDatagram(datagram) == .fieldOff: break
            case .gone: continue
            case .stranger:
                strangers.add(peer)
                continue
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

    /// A Boolean value that indicates whether the next datagram has arrived.
    ///
    /// The driver then no longer waits for this answer and would mistake it for the answer to that datagram.
    private var isPeerAhead: Bool {
        Readiness.wait(for: [(socket.descriptor, .reading)], timeout: .zero)[0]
    }
}

/// Recently seen strangers: in a flood, looking up the owner of each datagram would take longer than sending it.
private struct Strangers {
    /// The time after which a port is looked up again; it may now belong to this user.
    private static let memory = Duration.milliseconds(10)
    private static let maximum = 1024

    private var peers: Set<LoopbackSocket.Peer> = []
    private var end = ContinuousClock.now

    mutating func contains(_ peer: LoopbackSocket.Peer) -> Bool {
        guard !peers.isEmpty else { return false }
        if ContinuousClock.now >= end { peers = [] }
        return peers.contains(peer)
    }

    mutating func add(_ peer: LoopbackSocket.Peer) {
        if peers.isEmpty { end = .now + Self.memory }
        if peers.count < Self.maximum { peers.insert(peer) }
    }
}

/// The protocol of nfcpy's UDP driver, without input or output.
///
/// ``receive(_:)`` takes a datagram, ``next()`` returns the next action, and ``finish(_:)`` takes the result of an exchange.
/// The driver sends frames as a reader chip would. A silent card sends no datagram, and the driver's own timeout ends the wait.
/// Only a sense that finds no card, for which the driver would wait a whole second, is answered with `RFOFF`, which the driver
/// reads as a lost target. The same goes for senses for technologies that no card here has: all but type A at 106 kbit/s and
/// FeliCa.
struct NfcpyCore: Sendable {
    enum Action: Hashable, Sendable {
        /// Send a frame into the field and finish with the answer.
        case exchange(RFFrame)
        case switchField(on: Bool)
        /// Send bytes to the client.
        case send([UInt8])
    }

    private var actions: [Action] = []
    private var brty = ""
    private var isSensing = false
    /// A Boolean value that indicates whether a FeliCa card has answered since the field was last off.
    ///
    /// A Polling then comes from the program and is not a sense, so without an answer it ends like any other command.
    private var hasTarget = false

    /// Takes a datagram; ignores datagrams that are not nfcpy's.
    mutating func receive(_ bytes: [UInt8]) {
        switch NfcpyDatagram(bytes) {
        case nil: break
        case .fieldOff:
            hasTarget = false
            actions.append(.switchField(on: false))
        case .frame(let brty, let bytes):
            isSensing = isSense(brty: brty, bytes)
            self.brty = brty
            if let frame = Self.rfFrame(brty: brty, bytes) {
                actions.append(.exchange(frame))
            } else if isSensing {
                actions.append(.send(NfcpyDatagram.fieldOff.bytes))
            }
        }
    }

    mutating func next() -> Action? {
        actions.isEmpty ? nil : actions.removeFirst()
    }

    /// Sends the answer to an exchange, `nil` for silence; drops a damaged answer, as the chip's CRC check does.
    mutating func finish(_ answer: RFFrame?) {
        if let answer, answer.integrity == .good {
            if answer.technology.isFeliCa { hasTarget = true }
            actions.append(.send(NfcpyDatagram.frame(brty: brty, answer.bytes).bytes))
        } else if isSensing {
            actions.append(.send(NfcpyDatagram.fieldOff.bytes))
        }
    }

    /// Returns `true` if a frame is the first of a sense: REQA or WUPA, REQB, or a Polling while no target is known.
    private func isSense(brty: String, _ frame: [UInt8]) -> Bool {
        switch brty.last {
        case "A": Self.isCall(frame)
        case "B": frame.count == 3 && frame[0] == Self.typeBCall
        case "F": !hasTarget && (try? Polling.Request(parsing: frame)) != nil
        default: false
        }
    }

    private static func isCall(_ frame: [UInt8]) -> Bool {
        [ShortFrame.reqa.rawValue, ShortFrame.wupa.rawValue].map { [$0] }.contains(frame)
    }

    /// The first byte of REQB and WUPB (ISO/IEC 14443-3, type B).
    private static let typeBCall: UInt8 = 0x05

    private static func rfFrame(brty: String, _ frame: [UInt8]) -> RFFrame? {
        switch brty {
        case "106A":
            let bitCount = isCall(frame) ? TypeAFraming.shortFrameBits : frame.count * 8
            return RFFrame(.typeA106, frame, bitCount: bitCount)
        case "212F": return RFFrame(.felica212, frame)
        case "424F": return RFFrame(.felica424, frame)
        default: return nil
        }
    }
}

/// A datagram of nfcpy's UDP driver: `BRTY hex`, or `RFOFF` alone.
///
/// BRTY is a bit rate and technology such as `106A` or `212F`; frames are lower-case hex without CRC. Source: nfcpy
/// 1.0.4, driver `udp`, seen on the wire.
enum NfcpyDatagram: Hashable, Sendable {
    /// A frame, with the technology written as in the datagram.
    case frame(brty: String, [UInt8])
    /// The reader switches its field off.
    case fieldOff

    /// The maximum length of a datagram: a BRTY and the longest card frame in hex.
    static let maximumLength = 8 + 2 * FrameBuffer.capacity

    /// `nil` if the datagram is not nfcpy's.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumLength, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        if words == ["RFOFF"] {
            self = .fieldOff
        } else if words.count == 2, let frame = try? Hex.bytes(words[1]) {
            self = .frame(brty: String(words[0]), frame)
        } else {
            return nil
        }
    }

    var bytes: [UInt8] {
        switch self {
        case .fieldOff: Array("RFOFF".utf8)
        case .frame(let brty, let frame): Array("\(brty) \(Hex.text(frame).lowercased())".utf8)
        }
    }
}
