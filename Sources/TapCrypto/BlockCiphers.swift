#if canImport(CommonCrypto)
    import CommonCrypto
#elseif Crypto
    import CLibCrypto
#endif

/// The encryption library: libcrypto, or CommonCrypto on Apple systems.
///
/// A build without the package trait Crypto has no library, and a libcrypto may refuse DES. ``isAvailable`` is then false,
/// and nothing that uses keys may be created.
public enum BlockCiphers {
    public static let isAvailable =
        encipher(
            [0x8C, 0xA6, 0x4D, 0xE9, 0xC1, 0xB1, 0x23, 0xA7], .tripleDES, key: Array(repeating: 0, count: 24), .decrypt)
        == Array(repeating: 0, count: 8)
        && encipher(Array(repeating: 0, count: 16), .aes128, key: Array(repeating: 0, count: 16), .encrypt) != nil
}

extension BlockCiphers {
    enum Algorithm {
        case tripleDES
        case aes128
    }

    enum Direction: CInt {
        case decrypt = 0
        case encrypt = 1
    }

    /// The blocks of `data`, each encrypted or decrypted independently (ECB).
    ///
    /// - Precondition: ``isAvailable``.
    static func blocks(_ data: [UInt8], _ algorithm: Algorithm, key: [UInt8], _ direction: Direction) -> [UInt8] {
        guard let result = encipher(data, algorithm, key: key, direction) else {
            preconditionFailure("a cipher is used where BlockCiphers.isAvailable is false")
        }
        return result
    }
}

#if canImport(CommonCrypto)
    extension BlockCiphers {
        private static func encipher(
            _ data: [UInt8], _ algorithm: Algorithm, key: [UInt8], _ direction: Direction
        ) -> [UInt8]? {
            var result: [UInt8] = Array(repeating: 0, count: data.count)
            let count = result.count
            let status = unsafe CCCrypt(
                CCOperation(direction == .encrypt ? kCCEncrypt : kCCDecrypt),
                CCAlgorithm(algorithm == .aes128 ? kCCAlgorithmAES : kCCAlgorithm3DES), CCOptions(kCCOptionECBMode),
                key, key.count, nil, data, data.count, &result, count, nil)
            return Int(status) == kCCSuccess ? result : nil
        }
    }
#elseif Crypto
    extension BlockCiphers {
        private static func encipher(
            _ data: [UInt8], _ algorithm: Algorithm, key: [UInt8], _ direction: Direction
        ) -> [UInt8]? {
            guard let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
            defer { unsafe EVP_CIPHER_CTX_free(context) }
            let cipher = unsafe algorithm == .aes128 ? EVP_aes_128_ecb() : EVP_des_ede3_ecb()
            // libcrypto may write one block more than its input.
            var result: [UInt8] = Array(repeating: 0, count: data.count + 16)
            var length: CInt = 0
            guard unsafe EVP_CipherInit_ex(context, cipher, nil, key, nil, direction.rawValue) == 1,
                unsafe EVP_CIPHER_CTX_set_padding(context, 0) == 1,
                unsafe EVP_CipherUpdate(context, &result, &length, data, CInt(data.count)) == 1,
                Int(length) == data.count
            else { return nil }
            result.removeLast(result.count - data.count)
            return result
        }
    }
#else
    extension BlockCiphers {
        private static func encipher(
            _ data: [UInt8], _ algorithm: Algorithm, key: [UInt8], _ direction: Direction
        ) -> [UInt8]? { nil }
    }
#endif
