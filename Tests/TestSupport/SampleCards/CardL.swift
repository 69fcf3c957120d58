import TapCards
import TapWire

/// Sample card L: a FeliCa Lite-S with the NDEF sample of nfcpy and a test key.
public enum CardL {
    public static let idm = IDm(0x0102_0304_0506_0708)

    /// The password `0123456789abcdef` of nfcpy as a block.
    public static let cardKey = BlockData(hex("37363534333231306665646362613938"))

    /// The definition, which tests can change.
    public static var definition: FeliCaLiteDefinition { definition(.liteS) }

    public static func definition(_ model: FeliCaLiteDefinition.Model) -> FeliCaLiteDefinition {
        var card = FeliCaLiteDefinition(model, idm: idm, pmm: PMm(0x00F1_0000_0001_4300))
        for (number, content) in message.enumerated() { card.pads[number] = BlockData(hex(content)) }
        card.keyVersion = BlockData([0x01])
        card.cardKey = cardKey
        card.configurationBlock = BlockData(hex("FFFFFF0107"))
        return card
    }

    private static let message = [
        "10040100030000000000010000270040", "D10222537091010E55036E66632D666F",
        "72756D2E6F726751010C5402656E4E46", "4320466F72756D000000000000000000",
    ]

    private static func hex(_ text: String) -> [UInt8] {
        guard let bytes = try? Hex.bytes(text) else { fatalError("`\(text)` in sample card L is not hexadecimal") }
        return bytes
    }
}
