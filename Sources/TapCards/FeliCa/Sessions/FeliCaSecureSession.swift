import TapCrypto
import TapWire

/// What an Authentication1 has begun: keys, nodes, and how far the packets have come.
///
/// A card has it from Mode1 on; ``FeliCaMode`` says whether the reader has proved that it knows the keys.
struct FeliCaSecureSession: Hashable, Sendable {
    let handshake: FeliCaHandshake
    let channel: FeliCaSecureChannel
    /// The reader's challenge, R1.
    private let readerChallenge: [UInt8]
    /// The card's challenge, R2.
    private let challenge: [UInt8]
    /// Block list elements refer to these by index.
    let nodes: [NodeCode]
    /// The last transaction number, of a command or the answer to it.
    var number: UInt16 = 0

    /// The session of a reader's challenge 1A and a challenge of the card.
    init(_ handshake: FeliCaHandshake, challenge1A: [UInt8], challenge: [UInt8], nodes: [NodeCode]) {
        self.handshake = handshake
        self.challenge = challenge
        self.nodes = nodes
        readerChallenge = handshake.openFromReader(challenge1A)
        channel = handshake.channel(challenge1: readerChallenge, challenge2: challenge)
    }

    var challenge1B: [UInt8] { handshake.sealByCard(readerChallenge) }
    var challenge2A: [UInt8] { handshake.sealByCard(challenge) }
    /// What the reader has to send to prove that it knows the keys.
    var challenge2B: [UInt8] { handshake.sealByReader(challenge) }

    var isDES: Bool { if case .des = handshake { true } else { false } }

    /// The content of a command, or `nil` where it is not for this session, is damaged or came before.
    ///
    /// A card answers with the next number, so there is none behind the last but one.
    func open(_ packet: Span<UInt8>) -> FeliCaSecurePayload? {
        guard packet.count > FeliCaPacket.minimumLength,
            let payload = channel.open(packet.array(FeliCaPacket.minimumLength..<packet.count), code: packet[1]),
            payload.number > number, payload.number < .max
        else { return nil }
        return payload
    }

    /// Appends the answer to a command.
    func write(_ payload: [UInt8], answering command: CommandCode, into buffer: inout FrameBuffer) {
        let body = channel.seal(payload, code: command.response.first, number: number)
        SecureFrame(code: command.response, body: body).write(into: &buffer)
    }

    /// The packet without encryption that says the same as the payload of a Read or Write.
    func plain(_ payload: FeliCaSecurePayload, as code: CommandCode, _ idm: IDm) -> [UInt8] {
        let nodes = [UInt8(truncatingIfNeeded: nodes.count)] + nodes.flatMap(\.bytes)
        // LEN means nothing here, since the lists of a session can be longer than those of a packet.
        return [0, code.first] + idm.rawValue.octets + nodes + payload.bytes
    }
}

extension NodeCode {
    /// As it travels, the low byte first.
    fileprivate var bytes: [UInt8] { [UInt8(truncatingIfNeeded: rawValue), UInt8(truncatingIfNeeded: rawValue >> 8)] }
}

/// Whether services that need authentication may be used.
enum FeliCaAccess: Hashable {
    case plain
    /// Inside a session that names them.
    case session
}

/// The keys of a node, and the area around it whose key changes them.
struct TemplateKeys: Hashable, Sendable {
    /// The DES key; zero where the definition states none.
    let des: UInt64
    /// Whether the DES key has 16 bytes, for which no computation is published.
    let isLongDES: Bool
    /// The AES key; zero where the definition states none.
    let aes: [UInt8]
    /// Index of the innermost area around the node; `nil` for the system and for areas in no other.
    let parent: Int?

    init(_ keys: FeliCaKeys, parent: Int?) {
        des = UInt64(octets: (keys.desKey ?? []).prefix(8))
        isLongDES = keys.desKey?.count == 16
        aes = keys.aesKey ?? Self.noKey
        self.parent = parent
    }

    private static let noKey = [UInt8](repeating: 0, count: 16)
}

/// The keys of a node that are no longer those of its template.
struct ChangedKeys: Hashable, Sendable {
    var des: VersionedKey<UInt64>?
    var aes: VersionedKey<[UInt8]>?
}

struct VersionedKey<Key: Hashable & Sendable>: Hashable, Sendable {
    let key: Key
    let version: UInt16
}
