/// Mutual authentication of a FeliCa card and a reader with DES keys: the encryption of challenges.
///
/// ```
/// group key  G = E_KareaN( … E_Karea1( Ksystem ))      areas in the order of the command
/// user key   U = E_KserviceM( … E_Kservice1( G ))      services in the order of the command that have a key
/// L = G xor IDm        α = E_L(U)        β = E_α(L)
/// 1A = T(α,L)(R1)      1B = T(L,β)(R1)   2A = T(L,β)(R2)   2B = T(α,L)(R2)
/// ```
/// E is single DES, T triple DES with two keys. R1 is the reader's challenge, R2 the card's. Source: FeliCa Card User's
/// Manual (Unofficial Edition), "mutual authentication"; felica-rs computes the same.
public struct FeliCaDESHandshake: Hashable, Sendable {
    private let l: UInt64
    private let alpha: UInt64
    private let beta: UInt64

    /// - Parameters:
    ///   - groupKeys: The system key, followed by the area keys.
    ///   - userKeys: The service keys.
    ///   - idm: The IDm of the system, byte 0 highest.
    public init(groupKeys: [UInt64], userKeys: [UInt64], idm: UInt64) {
        let group = Self.chain(groupKeys)
        let user = userKeys.reduce(group) { DES($1).encrypt($0) }
        l = group ^ idm
        alpha = DES(l).encrypt(user)
        beta = DES(alpha).encrypt(l)
    }

    /// The group key derived from a system key and area keys; zero without keys.
    static func chain(_ keys: [UInt64]) -> UInt64 {
        keys.dropFirst().reduce(keys.first ?? 0) { DES($1).encrypt($0) }
    }

    /// Encrypts a challenge for sending by the reader: R1 as 1A, R2 as 2B.
    public func sealByReader(_ challenge: UInt64) -> UInt64 { DES(alpha, l).encrypt(challenge) }
    public func openFromReader(_ sealed: UInt64) -> UInt64 { DES(alpha, l).decrypt(sealed) }

    /// Encrypts a challenge for sending by the card: R1 as 1B, R2 as 2A.
    public func sealByCard(_ challenge: UInt64) -> UInt64 { DES(l, beta).encrypt(challenge) }
    public func openFromCard(_ sealed: UInt64) -> UInt64 { DES(l, beta).decrypt(sealed) }
}

/// The secure packets of a DES session, as packed and opened by card and reader.
///
/// ```
/// LEN | code | CBC_R2( P ‖ MAC ), initialisation vector 0
/// P = transaction number (2, LE) | transaction ID (6) | payload | padding up to a multiple of 8: n bytes of value n
/// MAC = M, where M = LEN | code | 00 × 6 at first, then E_B(M) for each block B of P: the block is the key
/// ```
/// Source: FeliCa Card User's Manual (Unofficial Edition), "secure communication"; felica-rs computes the same.
public struct FeliCaDESSession: Hashable, Sendable {
    /// R2.
    private let key: UInt64
    /// The transaction ID, bytes 2 to 7 of R1.
    private let id: UInt64

    /// The number of bytes for transaction number, transaction ID and MAC around a payload.
    static let overhead = 16

    public init(challenge1: UInt64, challenge2: UInt64) {
        key = challenge2
        id = challenge1 & 0xFFFF_FFFF_FFFF
    }

    func seal(_ payload: [UInt8], code: UInt8, number: UInt16, mac: UInt64? = nil) -> [UInt8] {
        var plain = [UInt64(number.byteSwapped) << 48 | id]
        let missing = (8 - payload.count % 8) % 8
        plain += Octets.blocks(payload + Array(repeating: UInt8(missing), count: missing))
        plain.append(mac ?? Self.mac(of: plain[...], code: code))
        return Octets.bytes(DES(key).encryptCBC(plain))
    }

    func open(_ body: [UInt8], code: UInt8) -> FeliCaSecurePayload? {
        guard body.count >= Self.overhead, body.count % 8 == 0 else { return nil }
        let plain = DES(key).decryptCBC(Octets.blocks(body))
        guard let head = plain.first, head & 0xFFFF_FFFF_FFFF == id,
            plain.last == Self.mac(of: plain.dropLast(), code: code)
        else { return nil }
        return FeliCaSecurePayload(
            number: UInt16(truncatingIfNeeded: head >> 48).byteSwapped,
            bytes: Octets.bytes(Array(plain.dropFirst().dropLast())), mac: Octets.bytes(Array(plain.suffix(1))))
    }

    private static func mac(of blocks: ArraySlice<UInt64>, code: UInt8) -> UInt64 {
        let length = UInt8(truncatingIfNeeded: 2 + 8 * blocks.count + 8)
        return blocks.reduce(UInt64(length) << 56 | UInt64(code) << 48) { DES($1).encrypt($0) }
    }
}

/// The package with which a Write within a DES session changes the key of a node.
///
/// ```
/// P1 = E_parent(E_old(E_new(V))), V = 00 × 6 | new key version (2, LE)
/// P2 = E_parent(E_old(new))
/// ```
/// Parent is the key of the area that contains the node. Source: FeliCa Card User's Manual (Unofficial Edition), "key
/// change"; felica-rs computes the same.
public struct FeliCaKeyPackage: Hashable, Sendable {
    /// P1 and P2, 16 bytes.
    public let bytes: [UInt8]

    /// - Parameter bytes: P1 and P2; missing bytes count as zero.
    public init(_ bytes: [UInt8]) {
        self.bytes = Array((bytes + Array(repeating: 0, count: 16)).prefix(16))
    }

    public init(newKey: UInt64, version: UInt16, oldKey: UInt64, parentKey: UInt64) {
        let wrap = { (block: UInt64) in DES(parentKey).encrypt(DES(oldKey).encrypt(block)) }
        bytes = Octets.bytes([wrap(DES(newKey).encrypt(UInt64(version.byteSwapped))), wrap(newKey)])
    }

    /// The new key, or `nil` if the package does not match these keys and this version.
    public func newKey(version: UInt16, oldKey: UInt64, parentKey: UInt64) -> UInt64? {
        let blocks = Octets.blocks(bytes)
        let unwrap = { (block: UInt64) in DES(oldKey).decrypt(DES(parentKey).decrypt(block)) }
        let key = unwrap(blocks[1])
        return DES(key).decrypt(unwrap(blocks[0])) == UInt64(version.byteSwapped) ? key : nil
    }
}

/// Conversions between bytes and eight-byte blocks, high byte first.
enum Octets {
    /// Converts bytes to blocks, padding the last block with zeros.
    static func blocks(_ bytes: [UInt8]) -> [UInt64] {
        stride(from: 0, to: bytes.count, by: 8).map { start in
            (0..<8).reduce(0 as UInt64) { block, index in
                block << 8 | UInt64(start + index < bytes.count ? bytes[start + index] : 0)
            }
        }
    }

    static func bytes(_ blocks: [UInt64]) -> [UInt8] {
        blocks.flatMap { block in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: block >> UInt64($0)) }
        }
    }
}
