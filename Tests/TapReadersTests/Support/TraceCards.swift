import TapCards
import TapWire

/// The cards of published client traces: an NTAG215 and a FeliCa card with two systems, both with a URI.
enum TraceCards {
    private static let message = "D1010C55046578616D706C652E6F7267"

    /// The card that a section names.
    static func card(of section: TranscriptSection) throws -> (name: String, engine: any CardEngine) {
        section.card == "TAG" ? try tag() : try felica()
    }

    /// UID 04A1B2C3D4E5F6, the URI https://example.org.
    static func tag() throws -> (name: String, engine: any CardEngine) {
        guard let uid = UID(try Hex.bytes("04A1B2C3D4E5F6")) else { throw WireError(.wrongLength, at: 0, in: "UID") }
        var tag = try NTAGDefinition(.ntag215, uid: uid)
        tag.userMemory = [0x03, 0x10] + (try Hex.bytes(message)) + [0xFE, 0x00]
        return ("tag", NTAGCard(tag))
    }

    /// IDm 02FE112233445566 with the systems 0003 and 12FC: blocks that count upward, and the URI.
    static func felica() throws -> (name: String, engine: any CardEngine) {
        let history = (0..<20).map { number in BlockData([0x20, UInt8(number)] + (0..<14).map { UInt8($0) }) }
        let attribute = try Hex.bytes("100C08000D000000000001000010 0042")
        let blocks = [attribute, try Hex.bytes(message), []].map { BlockData($0) }
        let transit = FeliCaSystemDefinition(
            code: .transit, areas: [.root()],
            services: [FeliCaServiceDefinition(NodeCode(0x090F), blocks: history)])
        let ndef = FeliCaSystemDefinition(
            code: .ndef, areas: [.root()],
            services: [FeliCaServiceDefinition(NodeCode(0x000B), blocks: blocks)])
        let definition = FeliCaCardDefinition(
            idm: IDm(0x02FE_1122_3344_5566), pmm: PMm(0x0120_2204_2767_4EFF), systems: [transit, ndef])
        return ("felica", try FeliCaCard(definition))
    }
}
