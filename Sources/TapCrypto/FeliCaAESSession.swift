/// Mutual authentication of a FeliCa card and a reader with AES keys, version 2: the encryption of challenges.
///
/// ```
/// S = 01 01 | 00 × 13 | 80, then S = AES_K(S) for the key K of each node; H = S xor individualisation code
/// ctx(p) = p (2) | 00 × 4 | IDm (8) | 01 00
/// α = AES_H(ctx(01 02))      β = AES_H(ctx(02 02)) xor (3C | 00 × 12)
/// 1A = AES_α(R1)             1B = AES_β(R1)             2A = AES_β(R2)             2B = AES_α(R2)
/// ```
/// R1 is the reader's challenge, R2 the card's, 3C four bytes that the card sends unencrypted. Source: FeliCa Card User's
/// Manual (Unofficial Edition), "mutual authentication v2"; felica-rs, whose test vectors this code reproduces.
public struct FeliCaAESHandshake: Hashable, Sendable {
    private let alpha: [UInt8]
    private let beta: [UInt8]
    /// Challenge 3C, four bytes.
    public let challenge3: [UInt8]

    /// - Parameters:
    ///   - keys: The keys of the nodes that have one, 16 bytes each.
    ///   - idm: The IDm of the system, byte 0 highest.
    ///   - challenge3: Challenge 3C, four bytes.
    ///   - individualisation: The individualization code of the card, 16 bytes.
    public init(keys: [[UInt8]], idm: UInt64, challenge3: [UInt8], individualisation: [UInt8] = Self.noCode) {
        let group = AES128(key: Self.xor(Self.groupKey(keys), individualisation))
        let context = { (purpose: [UInt8]) in purpose + [0, 0, 0, 0] + Octets.bytes([idm]) + [0x01, 0x00] }
        alpha = group.encrypt(context([0x01, 0x02]))
        beta = Self.xor(group.encrypt(context([0x02, 0x02])), challenge3)
        self.challenge3 = Array((challenge3 + [0, 0, 0, 0]).prefix(4))
    }

    /// The value for a card without an individualization code.
    public static let noCode = [UInt8](repeating: 0, count: 16)

    static func groupKey(_ keys: [[UInt8]]) -> [UInt8] {
        let start: [UInt8] = [0x01, 0x01] + Array(repeating: 0, count: 13) + [0x80]
        return keys.reduce(start) { AES128(key: $1).encrypt($0) }
    }

    /// The block, with its first bytes XORed with `other`.
    private static func xor(_ block: [UInt8], _ other: [UInt8]) -> [UInt8] {
        block.indices.map { $0 < other.count ? block[$0] ^ other[$0] : block[$0] }
    }

    /// Encrypts a challenge for sending by the reader: R1 as 1A, R2 as 2B.
    public func sealByReader(_ challenge: [UInt8]) -> [UInt8] { AES128(key: alpha).encrypt(challenge) }
    public func openFromReader(_ sealed: [UInt8]) -> [UInt8] { AES128(key: alpha).decrypt(sealed) }

    /// Encrypts a challenge for sending by the card: R1 as 1B, R2 as 2A.
    public func sealByCard(_ challenge: [UInt8]) -> [UInt8] { AES128(key: beta).encrypt(challenge) }
    public func openFromCard(_ sealed: [UInt8]) -> [UInt8] { AES128(key: beta).decrypt(sealed) }

    /// The keys α and β, for tests with known vectors.
    var keys: (alpha: [UInt8], beta: [UInt8]) { (alpha, beta) }
}

/// The secure packets of an AES session, as packed and opened by card and reader.
///
/// ```
/// LEN | code | transaction number (2, LE) | encrypted payload | encrypted MAC (8)
/// IV  = 01 | LEN | code | transaction number | transaction ID (6) | last three bytes of 3C | 00 00
/// B0  = 19 | IV without its first and its last two bytes | length of the payload (2, BE)
/// MAC = first 8 bytes of the CMAC of B0 ‖ payload
/// ```
/// Encryption uses output feedback; the MAC starts at a new keystream block. Source: FeliCa Card User's Manual (Unofficial
/// Edition), "secure communication v2"; felica-rs, whose test vectors this code reproduces.
public struct FeliCaAESSession: Hashable, Sendable {
    private let encryptionKey: [UInt8]
    private let macKey: [UInt8]
    /// The transaction ID, bytes 2 to 7 of R1.
    private let id: [UInt8]
    private let challenge3: [UInt8]

    static let macLength = 8
    /// The number of bytes for transaction number and MAC around a payload.
    static let overhead = 2 + macLength

    /// Creates a session from the challenges: R1 and R2 of 16 bytes each, and 3C of four bytes.
    public init(challenge1: [UInt8], challenge2: [UInt8], challenge3: [UInt8]) {
        let cipher = AES128(key: challenge2)
        let context = { (purpose: [UInt8]) in purpose + Array(repeating: 0, count: 12) + [0x01, 0x00] }
        self.init(
            encryptionKey: cipher.encrypt(context([0x01, 0x03])), macKey: cipher.encrypt(context([0x02, 0x03])),
            id: Array(challenge1.dropFirst(2).prefix(6)), challenge3: challenge3)
    }

    init(encryptionKey: [UInt8], macKey: [UInt8], id: [UInt8], challenge3: [UInt8]) {
        self.encryptionKey = encryptionKey
        self.macKey = macKey
        self.id = id
        self.challenge3 = challenge3
    }

    func seal(_ payload: [UInt8], code: UInt8, number: UInt16, mac: [UInt8]? = nil) -> [UInt8] {
        let vector = vector(payloadLength: payload.count, code, number)
        let mac = mac ?? self.mac(of: payload, vector)
        return [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
            + apply(vector, payload: payload, mac: mac).joined()
    }

    func open(_ body: [UInt8], code: UInt8) -> FeliCaSecurePayload? {
        guard body.count >= Self.overhead else { return nil }
        let number = UInt16(body[0]) | UInt16(body[1]) << 8
        let sealed = (payload: Array(body[2...].dropLast(Self.macLength)), mac: Array(body.suffix(Self.macLength)))
        let vector = vector(payloadLength: sealed.payload.count, code, number)
        let opened = apply(vector, payload: sealed.payload, mac: sealed.mac)
        guard opened[1] == mac(of: opened[0], vector) else { return nil }
        return FeliCaSecurePayload(number: number, bytes: opened[0], mac: opened[1])
    }

    private func vector(payloadLength: Int, _ code: UInt8, _ number: UInt16) -> [UInt8] {
        let length = UInt8(truncatingIfNeeded: 2 + Self.overhead + payloadLength)
        let numberBytes = [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
        return [0x01, length, code] + numberBytes + id + challenge3.suffix(3) + [0, 0]
    }

    private func mac(of payload: [UInt8], _ vector: [UInt8]) -> [UInt8] {
        let length = [UInt8(truncatingIfNeeded: payload.count >> 8), UInt8(truncatingIfNeeded: payload.count)]
        let first = [0x19] + vector[1...13] + length
        return Array(AES128(key: macKey).cmac(first + payload).prefix(Self.macLength))
    }

    /// Encrypts or decrypts payload and MAC.
    private func apply(_ vector: [UInt8], payload: [UInt8], mac: [UInt8]) -> [[UInt8]] {
        let blocks = (payload.count + 15) / 16
        let stream = AES128(key: encryptionKey).keystream(iv: vector, blocks: blocks + 1)
        return [zip(payload, stream).map { $0 ^ $1 }, zip(mac, stream[(16 * blocks)...]).map { $0 ^ $1 }]
    }
}
