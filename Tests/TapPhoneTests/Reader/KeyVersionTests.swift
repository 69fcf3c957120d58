import TapCards
import TapPhone
import TapWire
import TestSupport
import Testing

@Suite struct `Request Service v2 on a phone` {
    @Test(
        arguments: [
            (FeliCaKeys(desVersion: 0x0100), .des, 0x2F, [], ["0001"]),
            (FeliCaKeys(desVersion: 0x0100), .both, 0x2F, ["FFFF"], ["0001"]),
            (FeliCaKeys(desVersion: nil, aesVersion: 0x0102), .des, 0x4F, ["0201"], []),
            (FeliCaKeys(desVersion: 0x0100, aesVersion: 0x0102), .des, 0x41, ["0201"], ["0001"]),
        ] as [(FeliCaKeys, FeliCaProfile.EncryptionListOrder, UInt8, [String], [String])])
    func `returns the key versions of each kind separately`(
        keys: FeliCaKeys, order: FeliCaProfile.EncryptionListOrder, identifier: UInt8, aes: [String], des: [String]
    ) throws {
        var definition = CardS.definition
        definition.profile.supportedCommands = .aes
        definition.profile.encryptionListOrder = order
        definition.systems = [
            FeliCaSystemDefinition(
                code: .transit, keys: keys, areas: [.root(keys: keys)],
                services: [FeliCaServiceDefinition(NodeCode(0x090C), keys: keys, blocks: [.zero])])
        ]
        var bench = try PhoneBench.connected(try FeliCaCard(definition))
        let versions = try bench.reader.requestServiceV2([[0x0C, 0x09]], of: bench.tag, in: &bench.world)
        #expect(versions.encryptionIdentifier == identifier)
        #expect(versions.aes.map { Hex.text($0) } == aes)
        #expect(versions.des.map { Hex.text($0) } == des)
    }
}
