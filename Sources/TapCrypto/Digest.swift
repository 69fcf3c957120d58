#if canImport(CommonCrypto)
    import CommonCrypto
#elseif Crypto
    import CLibCrypto
#endif

/// Digests of files, which let people check that they have the same file.
public enum Digest {
    /// SHA-256, 32 bytes; `nil` in a build without a crypto library.
    public static func sha256(_ bytes: [UInt8]) -> [UInt8]? {
        var digest = [UInt8](repeating: 0, count: 32)
        #if canImport(CommonCrypto)
            return unsafe CC_SHA256(bytes, CC_LONG(bytes.count), &digest) == nil ? nil : digest
        #elseif Crypto
            return unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil) == 1 ? digest : nil
        #else
            return nil
        #endif
    }
}
