/// AES with a 16-byte key.
///
/// Source: FIPS 197.
public struct AES128: Hashable, Sendable {
    public static let byteCount = 16

    private let key: [UInt8]

    /// - Precondition: `key` has 16 bytes.
    public init(key: [UInt8]) {
        precondition(key.count == Self.byteCount, "an AES-128 key has 16 bytes, not \(key.count)")
        self.key = key
    }

    /// - Precondition: `block` has 16 bytes.
    public func encrypt(_ block: [UInt8]) -> [UInt8] {
        precondition(block.count == Self.byteCount, "an AES block has 16 bytes, not \(block.count)")
        return BlockCiphers.blocks(block, .aes128, key: key, .encrypt)
    }

    /// - Precondition: `block` has 16 bytes.
    public func decrypt(_ block: [UInt8]) -> [UInt8] {
        precondition(block.count == Self.byteCount, "an AES block has 16 bytes, not \(block.count)")
        return BlockCiphers.blocks(block, .aes128, key: key, .decrypt)
    }

    /// The output feedback (OFB) keystream for the first `blocks` blocks of a message.
    ///
    /// Source: NIST SP 800-38A.
    public func keystream(iv: [UInt8], blocks: Int) -> [UInt8] {
        var stream: [UInt8] = []
        var last = iv
        for _ in 0..<blocks {
            last = encrypt(last)
            stream += last
        }
        return stream
    }

    /// The CMAC of a message, 16 bytes.
    ///
    /// Source: NIST SP 800-38B.
    public func cmac(_ message: [UInt8]) -> [UInt8] {
        let whole = doubled(encrypt(Array(repeating: 0, count: Self.byteCount)))
        let lastStart = max(0, (message.count - 1) / Self.byteCount * Self.byteCount)
        var last = Array(message[lastStart...])
        let isWhole = last.count == Self.byteCount
        if !isWhole {
            last.append(0x80)
            last += Array(repeating: 0, count: Self.byteCount - last.count)
        }
        var mac: [UInt8] = Array(repeating: 0, count: Self.byteCount)
        for start in stride(from: 0, to: lastStart, by: Self.byteCount) {
            mac = encrypt(xor(mac, message[start..<start + Self.byteCount]))
        }
        return encrypt(xor(xor(mac, last), isWhole ? whole : doubled(whole)))
    }

    /// A block multiplied by two, as a polynomial over GF(2¹²⁸).
    private func doubled(_ block: [UInt8]) -> [UInt8] {
        var result = zip(block, block.dropFirst() + [0]).map { $0 << 1 | $1 >> 7 }
        if block[0] & 0x80 != 0 { result[Self.byteCount - 1] ^= 0x87 }
        return result
    }

    private func xor(_ left: [UInt8], _ right: some Sequence<UInt8>) -> [UInt8] { zip(left, right).map { $0 ^ $1 } }
}
