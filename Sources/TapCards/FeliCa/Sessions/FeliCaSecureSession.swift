import TapCrypto
import TapWire

/// The session begun by an Authentication1: keys, nodes and the transaction number.
///
/// A card has one from Mode1 on; ``FeliCaMode`` tells whether the reader has proved that it knows the keys.
struct FeliCaSecureSession: Hashable, Sendable {
    let handshake: FeliCaHandshake
    let channel: FeliCaSecureChannel
    /// The reader's challenge, R1.
    private let readerChallenge: [UInt8]
    /// The card's challenge, R2.
    private let challenge: [UInt8]
    /// The nodes that block list elements refer to by index.
    let nodes: [NodeCode]
    /// The last transaction number, of a command or of its answer.
    var number: UInt16 = 0

    /// Creates a session from the reader's challenge 1A and a challenge of the card.
    init(_ handshake: FeliCaHandshake, challenge1A: [UInt8], challenge: [UInt8], nodes: [NodeCode]) {
        self.handshake = handshake
        self.challenge = challenge
        self.nodes = nodes
        readerChallenge = handshake.openFromReader(challenge1A)
        channel = handshake.channel(challenge1: readerChallenge, challenge2: challenge)
    }

    var challenge1B: [UInt8] { handshake.sealByCard(readerChallenge) }
    var challenge2A: [UInt8] { handshake.sealByCard(challenge) }
    /// The value the reader must send to prove that it knows the keys.
    var challenge2B: [UInt8] { handshake.sealByReader(challenge) }

    var isDES: Bool { if case .des = handshake { true } else { false } }

    /// Decrypts a command; returns `nil` if it does not belong to this session, is damaged or has an old number.
    ///
    /// A card answers with the next number, so the highest number is never accepted.
    func open(_ packet: Span<UInt8>) -> FeliCaSecurePayload? {
        guard packet.count > FeliCaPacket.minimumLength,
            let payload = channel.open(packet.array(FeliCaPacket.minimumLength..<packet.count), code: packet[1]),
            payload.number > number, payload.number < .max
        else { return nil }
        return payload
    }

    func write(_ payload: [UInt8], answering command: CommandCode, into buffer: inout FrameBuffer) {
        let body = channel.seal(payload, code: command.response.first, number: number)
        SecureFrame(code: command.response, body: body).write(into: &buffer)
    }

    /// Returns the unencrypted packet equivalent to the payload of a Read or Write.
    func plain(_ payload: FeliCaSecurePayload, as code: CommandCode, _ idm: IDm) -> [UInt8] {
        let nodes = [UInt8(truncatingIfNeeded: nodes.count)] + nodes.flatMap(\.bytes)
        // LEN is unused here, because the lists of a session can be longer than those of a packet.
        return [0, code.first] + idm.rawValue.octets + nodes + payload.bytes
    }
}

extension NodeCode {
    /// The bytes in transmission order, low byte first.
    fileprivate var bytes: [UInt8] { [UInt8(truncatingIfNeeded: rawValue), UInt8(truncatingIfNeeded: rawValue >> 8)] }
}

/// The kind of access, which decides whether services that need authentication may be used.
enum FeliCaAccess: Hashable {
    case plain
    /// Inside a session that names the services.
    case session
}

/// The keys of a node, and the area around it whose key is used to change them.
struct TemplateKeys: Hashable, Sendable {
    /// The DES key; zero if the definition has none.
    let des: UInt64
    /// A Boolean value that indicates whether the DES key has 16 bytes, for which no algorithm is published.
    let isLongDES: Bool
    /// The AES key; zero if the definition has none.
    let aes: [UInt8]
    /// The index of the innermost area around the node; `nil` for the system and for areas outside all others.
    let parent: Int?

    init(_ keys: FeliCaKeys, parent: Int?) {
        des = UInt64(octets: (keys.desKey ?? []).prefix(8))
        isLongDES = keys.desKey?.count == 16
        aes = keys.aesKey ?? Self.noKey
        self.parent = parent
    }

    private static let noKey = [UInt8](repeating: 0, count: 16)
}

/// The keys of a node that differ from those of its template.
struct ChangedKeys: Hashable, Sendable {
    var des: VersionedKey<UInt64>?
    var aes: VersionedKey<[UInt8]>?
}

struct VersionedKey<Key: Hashable & Sendable>: Hashable, Sendable {
    let key: Key
    let version: UInt16
}
