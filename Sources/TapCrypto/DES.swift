/// DES with one key, or triple DES with two or three keys; the parity bits of keys are ignored.
///
/// A block is a number, high byte first. Single DES is triple DES with the same key three times because newer libraries
/// support nothing else. Source: FIPS 46-3.
public struct DES: Hashable, Sendable {
    private let key: [UInt8]

    public init(_ key: UInt64) {
        self.init(key, key, key)
    }

    /// Creates two-key triple DES: encrypts with `key1`, decrypts with `key2` and encrypts with `key1`.
    public init(_ key1: UInt64, _ key2: UInt64) {
        self.init(key1, key2, key1)
    }

    public init(_ key1: UInt64, _ key2: UInt64, _ key3: UInt64) {
        key = Self.bytes([key1, key2, key3])
    }

    public func encrypt(_ block: UInt64) -> UInt64 { apply(.encrypt, [block])[0] }

    public func decrypt(_ block: UInt64) -> UInt64 { apply(.decrypt, [block])[0] }

    public func encryptCBC(_ blocks: [UInt64], iv: UInt64 = 0) -> [UInt64] {
        var last = iv
        return blocks.map { block in
            last = encrypt(block ^ last)
            return last
        }
    }

    public func decryptCBC(_ blocks: [UInt64], iv: UInt64 = 0) -> [UInt64] {
        zip(apply(.decrypt, blocks), [iv] + blocks).map { $0 ^ $1 }
    }

    private func apply(_ direction: BlockCiphers.Direction, _ blocks: [UInt64]) -> [UInt64] {
        let result = BlockCiphers.blocks(Self.bytes(blocks), .tripleDES, key: key, direction)
        return blocks.indices.map { index in
            result[8 * index..<8 * index + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    private static func bytes(_ blocks: [UInt64]) -> [UInt8] {
        blocks.flatMap { block in (0..<8).map { UInt8(truncatingIfNeeded: block >> UInt64(56 - 8 * $0)) } }
    }
}
