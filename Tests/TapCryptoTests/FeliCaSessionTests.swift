@testable import TapCrypto
import Testing

/// Source: FeliCa Card User's Manual (Unofficial Edition) and felica-rs; DES values computed by a script.
@Suite struct `FeliCa session cryptography` {
    static let idm: UInt64 = 0x0101_0A10_2030_4050
    static let des = FeliCaDESHandshake(
        groupKeys: [0x1122_3344_5566_7788, 0xA0A1_A2A3_A4A5_A6A7, 0xB0B1_B2B3_B4B5_B6B7],
        userKeys: [0xC0C1_C2C3_C4C5_C6C7, 0xD0D1_D2D3_D4D5_D6D7], idm: idm)

    @Test func `DES keys give the group key and the challenges of the worked vector`() {
        let group = FeliCaDESHandshake.chain([0x1122_3344_5566_7788, 0xA0A1_A2A3_A4A5_A6A7, 0xB0B1_B2B3_B4B5_B6B7])
        #expect(group == 0x82D4_7199_DB0A_5963)
        let (r1, r2): (UInt64, UInt64) = (0x0102_0304_0506_0708, 0x1112_1314_1516_1718)
        #expect(Self.des.sealByReader(r1) == 0xC7C2_AAE4_EEDD_CC12)
        #expect(Self.des.sealByCard(r1) == 0x2E15_0C62_085A_7052)
        #expect(Self.des.sealByCard(r2) == 0x47E7_BF8B_31A9_7952)
        #expect(Self.des.sealByReader(r2) == 0x888B_9634_6D9A_E46F)
        #expect(Self.des.openFromReader(0xC7C2_AAE4_EEDD_CC12) == r1)
        #expect(Self.des.openFromCard(0x47E7_BF8B_31A9_7952) == r2)
    }

    @Test func `a key package works only with the keys and version it was created for`() {
        let (parent, old): (UInt64, UInt64) = (0xB0B1_B2B3_B4B5_B6B7, 0xC0C1_C2C3_C4C5_C6C7)
        let package = FeliCaKeyPackage(newKey: 0x1011_1213_1415_1617, version: 4, oldKey: old, parentKey: parent)
        #expect(package.bytes == hex("94F3A07134E6F7EDC543EE872892E8ED"))
        #expect(package.newKey(version: 4, oldKey: old, parentKey: parent) == 0x1011_1213_1415_1617)
        #expect(package.newKey(version: 5, oldKey: old, parentKey: parent) == nil)
        #expect(package.newKey(version: 4, oldKey: old, parentKey: old) == nil)
    }

    @Test(arguments: [
        (["00"], "3925042E238282F085BCEE62593C2385"), (["00", "100C"], "586A2E06EE16AA2C6AE5B6CDFF6A5039"),
        (["100C"], "651049AE89581DDC3F302EA4E4A0F911"), (["100C", "1012"], "5E86F6C0574EBAD952FAD9142E1AA6BB"),
        (["3111"], "94459E3640EDBCE4746D83EECE80C065"),
    ])
    func `AES keys give the group keys of the vectors`(_ keys: [String], _ group: String) {
        let keys = keys.map { Array(Array(repeating: hex($0), count: 16).joined().prefix(16)) }
        #expect(FeliCaAESHandshake.groupKey(keys) == hex(group))
    }

    @Test func `AES keys give the session keys of the worked vector`() {
        let zero = [UInt8](repeating: 0, count: 16)
        let handshake = FeliCaAESHandshake(keys: [zero], idm: Self.idm, challenge3: [0, 0, 0, 0])
        #expect(handshake.keys.alpha == hex("7982C9D0B5C68DB1970A56FBC34D160D"))
        #expect(handshake.keys.beta == hex("6AB5B6BF71E3631D640269C560B5FA55"))
    }

    @Test func `an AES packet is packed as the vector specifies`() {
        let zero = [UInt8](repeating: 0, count: 16)
        let session = FeliCaAESSession(
            encryptionKey: zero, macKey: zero, id: hex("5EC8B5971704"), challenge3: [0, 0, 0, 0])
        let payload = "0000000100000123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF"
        let body = session.seal(hex(payload), code: 0x48, number: 0xCF41)
        #expect(
            body
                == hex(
                    "41CFAE0D2F92B2259287E05646E140E5924EE27F79CB69A2047DA5F9353EED59E35FBC90A5D731D25A0FCDBDD6802174"))
    }

    @Test(arguments: [0, 1, 7, 8, 15, 16, 17, 100, 232])
    func `a packet packed by one side can be opened by the other`(_ count: Int) {
        let payload = (0..<count).map { UInt8($0) }
        let challenge = [UInt8](1...16)
        let aes = FeliCaAESHandshake(keys: [challenge], idm: Self.idm, challenge3: [1, 2, 3, 4])
        for channel in [FeliCaHandshake.des(Self.des), .aes(aes)].map({
            $0.channel(challenge1: challenge, challenge2: challenge)
        }) {
            let body = channel.seal(payload, code: 0x15, number: 0x0102)
            #expect(body.count + 2 <= 255)
            let opened = channel.open(body, code: 0x15)
            #expect(opened?.number == 0x0102)
            #expect(opened?.bytes.prefix(count) == payload[...])
            #expect(channel.open(body, code: 0x14) == nil)
            #expect(channel.open(Array(body.dropLast()), code: 0x15) == nil)
            for index in body.indices {
                var damaged = body
                damaged[index] ^= 1
                #expect(channel.open(damaged, code: 0x15) == nil)
            }
        }
    }
}

private func hex(_ text: String) -> [UInt8] {
    let digits = Array(text)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0 }
}
