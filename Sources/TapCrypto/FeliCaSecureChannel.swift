/// The content of a secure packet.
public struct FeliCaSecurePayload: Hashable, Sendable {
    public let number: UInt16
    /// The payload, including any padding in a DES session.
    public let bytes: [UInt8]
    /// The MAC, eight bytes.
    public let mac: [UInt8]
}

public enum FeliCaCipher: String, Hashable, Sendable, CaseIterable {
    case des
    case aes

    public var keyLength: Int { self == .des ? 8 : 16 }
}

/// Mutual authentication with either cipher.
public enum FeliCaHandshake: Hashable, Sendable {
    case des(FeliCaDESHandshake)
    case aes(FeliCaAESHandshake)

    public var challengeLength: Int { if case .des = self { 8 } else { 16 } }

    public func sealByReader(_ challenge: [UInt8]) -> [UInt8] {
        apply(challenge, { $0.sealByReader($1) }, { $0.sealByReader($1) })
    }

    public func openFromReader(_ sealed: [UInt8]) -> [UInt8] {
        apply(sealed, { $0.openFromReader($1) }, { $0.openFromReader($1) })
    }

    public func sealByCard(_ challenge: [UInt8]) -> [UInt8] {
        apply(challenge, { $0.sealByCard($1) }, { $0.sealByCard($1) })
    }

    public func openFromCard(_ sealed: [UInt8]) -> [UInt8] {
        apply(sealed, { $0.openFromCard($1) }, { $0.openFromCard($1) })
    }

    /// The channel for two challenges, the reader's first.
    public func channel(challenge1: [UInt8], challenge2: [UInt8]) -> FeliCaSecureChannel {
        switch self {
        case .des:
            .des(FeliCaDESSession(challenge1: Octets.first(challenge1), challenge2: Octets.first(challenge2)))
        case .aes(let handshake):
            .aes(
                FeliCaAESSession(
                    challenge1: challenge1, challenge2: challenge2, challenge3: handshake.challenge3))
        }
    }

    private func apply(
        _ block: [UInt8], _ des: (FeliCaDESHandshake, UInt64) -> UInt64,
        _ aes: (FeliCaAESHandshake, [UInt8]) -> [UInt8]
    ) -> [UInt8] {
        switch self {
        case .des(let handshake): Octets.bytes([des(handshake, Octets.first(block))])
        case .aes(let handshake): aes(handshake, block)
        }
    }
}

/// The secure packets of an authenticated session with either cipher.
///
/// A body is everything after LEN and code.
public enum FeliCaSecureChannel: Hashable, Sendable {
    case des(FeliCaDESSession)
    case aes(FeliCaAESSession)

    /// The length of the longest payload that fits a packet of 255 bytes.
    public var maximumPayload: Int { if case .des = self { 232 } else { 243 } }

    /// - Parameters:
    ///   - payload: At most ``maximumPayload`` bytes.
    ///   - mac: The eight-byte MAC to send. Default: the correct MAC.
    public func seal(_ payload: [UInt8], code: UInt8, number: UInt16, mac: [UInt8]? = nil) -> [UInt8] {
        switch self {
        case .des(let session): session.seal(payload, code: code, number: number, mac: mac.map(Octets.first))
        case .aes(let session): session.seal(payload, code: code, number: number, mac: mac)
        }
    }

    /// The content, or `nil` if the length, MAC or transaction ID is wrong.
    public func open(_ body: [UInt8], code: UInt8) -> FeliCaSecurePayload? {
        switch self {
        case .des(let session): session.open(body, code: code)
        case .aes(let session): session.open(body, code: code)
        }
    }
}

extension Octets {
    /// The first eight bytes.
    static func first(_ bytes: [UInt8]) -> UInt64 { blocks(bytes).first ?? 0 }
}
