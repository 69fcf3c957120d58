import TapCrypto
import Testing

@Suite struct `Ciphers` {
    @Test func `are available in this build`() {
        #expect(BlockCiphers.isAvailable)
    }

    /// Source: NIST SP 800-17, table A.1 and the classic worked example of DES.
    @Test func `DES encrypts a block with one key`() {
        #expect(DES(0x1334_5779_9BBC_DFF1).encrypt(0x0123_4567_89AB_CDEF) == 0x85E8_1354_0F0A_B405)
        #expect(DES(0x1334_5779_9BBC_DFF1).decrypt(0x85E8_1354_0F0A_B405) == 0x0123_4567_89AB_CDEF)
    }

    @Test func `DES ignores the parity bits of a key`() {
        #expect(DES(0x1334_5779_9BBC_DFF1).encrypt(7) == DES(0x1235_5678_9ABD_DEF0).encrypt(7))
    }

    /// Source: NIST SP 800-67, appendix B.1.
    @Test func `triple DES with three keys encrypts the blocks of the standard`() {
        let des = DES(0x0123_4567_89AB_CDEF, 0x2345_6789_ABCD_EF01, 0x4567_89AB_CDEF_0123)
        let plain: [UInt64] = [0x5468_6520_7175_6663, 0x6B20_6272_6F77_6E20, 0x666F_7820_6A75_6D70]
        let cipher: [UInt64] = [0xA826_FD8C_E53B_855F, 0xCCE2_1C81_1225_6FE6, 0x68D5_C05D_D9B6_B900]
        #expect(plain.map(des.encrypt) == cipher)
        #expect(cipher.map(des.decrypt) == plain)
    }

    @Test func `triple DES with two keys uses the first key again`() {
        #expect(DES(1 << 8, 2 << 8).encrypt(3) == DES(1 << 8, 2 << 8, 1 << 8).encrypt(3))
    }

    @Test func `chained blocks round-trip`() {
        let des = DES(0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210)
        let blocks: [UInt64] = [1, 1, 2, 3]
        let chained = des.encryptCBC(blocks, iv: 5)
        #expect(chained[0] == des.encrypt(1 ^ 5))
        #expect(chained[1] == des.encrypt(1 ^ chained[0]))
        #expect(des.decryptCBC(chained, iv: 5) == blocks)
    }

    /// Source: FIPS 197, appendix C.1.
    @Test func `AES encrypts the block of the standard`() {
        let aes = AES128(key: Array(0..<16))
        #expect(aes.encrypt((0..<16).map { $0 << 4 | $0 }) == bytes(0x69C4_E0D8_6A7B_0430, 0xD8CD_B780_70B4_C55A))
    }

    /// Source: NIST SP 800-38A, appendix F.4.1.
    @Test func `OFB produces the key stream of the standard`() {
        let plain = bytes(0x6BC1_BEE2_2E40_9F96, 0xE93D_7E11_7393_172A, 0xAE2D_8A57_1E03_AC9C, 0x9EB7_6FAC_45AF_8E51)
        let cipher = bytes(0x3B3F_D92E_B72D_AD20, 0x3334_49F8_E83C_FB4A, 0x7789_508D_1691_8F03, 0xF53C_52DA_C54E_D825)
        let stream = Self.standard.keystream(iv: Array(0..<16), blocks: 2)
        #expect(zip(plain, stream).map { $0 ^ $1 } == cipher)
    }

    /// Source: NIST SP 800-38B, appendix D.1.
    @Test(arguments: [
        (0, bytes(0xBB1D_6929_E959_3728, 0x7FA3_7D12_9B75_6746)),
        (16, bytes(0x070A_16B4_6B4D_4144, 0xF79B_DD9D_D04A_287C)),
        (40, bytes(0xDFA6_6747_DE9A_E630, 0x30CA_3261_1497_C827)),
        (64, bytes(0x51F0_BEBF_7E3B_9D92, 0xFC49_7417_7936_3CFE)),
    ])
    func `CMAC matches the messages of the standard`(_ length: Int, _ mac: [UInt8]) {
        let message = bytes(
            0x6BC1_BEE2_2E40_9F96, 0xE93D_7E11_7393_172A, 0xAE2D_8A57_1E03_AC9C, 0x9EB7_6FAC_45AF_8E51,
            0x30C8_1C46_A35C_E411, 0xE5FB_C119_1A0A_52EF, 0xF69F_2445_DF4F_9B17, 0xAD2B_417B_E66C_3710)
        #expect(Self.standard.cmac(Array(message[..<length])) == mac)
    }

    private static let standard = AES128(key: bytes(0x2B7E_1516_28AE_D2A6, 0xABF7_1588_09CF_4F3C))
}

private func bytes(_ words: UInt64...) -> [UInt8] {
    words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) } }
}
