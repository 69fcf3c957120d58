import ScenarioSupport
import TapCards
import TapDocument
import TapScenario
import TapWire
import TapYAML
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `Decoding a card` {
    static func felica(_ text: String) throws -> FeliCaCardDefinition {
        let (card, diagnostics) = CardDocument.card(text)
        guard case .felica(let template, _)? = card else { throw Failure(diagnostics.text()) }
        return template.definition
    }

    static func tag(_ text: String) throws -> NTAGDefinition {
        let (card, diagnostics) = CardDocument.card(text)
        guard case .ntag(let template)? = card else { throw Failure(diagnostics.text()) }
        return template.definition
    }

    struct Failure: Error {
        let text: String
        init(_ text: String) { self.text = text }
    }

    @Test func `derives PMm and limits from the IC, and identifiers from the seed`() throws {
        let ic = try #require(FeliCaIC.named("RC-S962"))
        let card = try Self.felica(#"ic: RC-S888, systems: {"0003": {services: {"090F": 20}}}"#)
        #expect(card.pmm == ic.pmm.value && card.profile == ic.profile)
        #expect(card.idm.rawValue >> 48 == 0x0112)
        #expect(card.systems[0].areas == [.root()])
        let tag = try Self.tag("ic: ntag213")
        #expect(tag.uid.bytes.first == 0x04 && tag.uid.bytes.count == 7 && tag.uid.bytes[3] != UID.cascadeTag)
        #expect(tag == (try NTAGDefinition(.ntag213, uid: tag.uid)))
    }

    @Test func `assigns shared blocks to their first service`() throws {
        let block = String(repeating: "5A", count: 16)
        let card = try Self.felica(
            #"ic: RC-S962, systems: {"0003": {services: {"1009": {}, "100B": {blocks: 2, data: ["\#(block)"]}}}}"#)
        #expect(card.systems[0].services.map(\.blocks.count) == [2, 0])
        #expect(card.systems[0].services[0].blocks == [BlockData(Array(repeating: 0x5A, count: 16)), .zero])
    }

    @Test func `overrides values of a template, and adds systems to it`() throws {
        let plain = try Self.felica("template: pasmo")
        let card = try Self.felica(
            """
            template: pasmo, systems: {"0003": {key_version: "0102", services: {"090F": 12}}, \
            "12FC": {services: {"000B": 4}}}
            """)
        #expect(card.systems.map(\.code) == [.transit, .commonArea, .ndef])
        #expect(card.systems[0].services.count == plain.systems[0].services.count)
        #expect(card.systems[0].keys.desVersion == 0x0102 && card.systems[0].issue == plain.systems[0].issue)
        let history = card.systems[0].services.first { $0.code == TransitServices.historyWithKey.code }
        #expect(history?.blocks == Array(repeating: .zero, count: 12))
    }

    @Test func `supports nodes without a key, and with keys for both ciphers`() throws {
        let key = String(repeating: "01", count: 16)
        let card = try Self.felica(
            #"ic: SD2, systems: {"0003": {key_version: none, aes_key: "\#(key)", services: {"090F": 20}}}"#)
        #expect(
            card.systems[0].keys == FeliCaKeys(desVersion: nil, aesVersion: 0, aesKey: Array(repeating: 1, count: 16)))
    }

    @Test func `keeps the Lock Control TLV of an NTAG213 before the message`() throws {
        let tag = try Self.tag(#"ic: NTAG213, ndef: [{uri: "tel:1"}]"#)
        #expect(tag.userMemory.prefix(14) == [1, 3, 0xA0, 0x0C, 0x34, 3, 6, 0xD1, 1, 2, 0x55, 5, 0x31, 0xFE])
    }

    @Test func `writes every kind of record`() throws {
        let tag = try Self.tag(
            """
            ic: NTAG216, ndef: [{uri: "https://example.com"}, {text: Hallo, lang: de, encoding: utf-16, id: x}, \
            {smart_poster: {uri: "https://example.com", title: Example, action: save, size: 5}}, \
            {mime: text/plain, body: plain}, {external: "example.com:x", payload: "01 02"}, \
            {absolute_uri: "urn:x"}, {tnf: 5, payload: "FF"}]
            """)
        let memory = Array(repeating: UInt8(0), count: Type2DataArea.firstAddress) + tag.userMemory
        let area = Type2DataArea(try CapabilityContainer(parsing: tag.capabilityContainer.bytes))
        var walker = TLVWalker(memory: memory, area: area)
        let placed = try #require(try walker.next())
        let message = try NDEFMessage(parsing: placed.block.value)
        let contents = try message.records.map { try $0.content }
        #expect(contents.count == 7 && contents[0] == .uri(NDEFURI("https://example.com")))
        #expect(contents[1] == .text(try NDEFText("Hallo", language: "de", encoding: .utf16)))
        #expect(message.records[1].id == Array("x".utf8))
        guard case .smartPoster(let poster) = contents[2] else { return #expect(Bool(false)) }
        #expect(try poster.action == .save && poster.titles.map(\.text) == ["Example"])
        #expect(contents[3] == .media(type: "text/plain", Array("plain".utf8)))
        #expect(contents[4] == .external(type: "example.com:x", [1, 2]) && contents[5] == .absoluteURI("urn:x"))
        #expect(contents[6] == .unknown([0xFF]))
    }

    @Test func `applies pages over earlier contents, and single bits over pages`() throws {
        let tag = try Self.tag(
            """
            ic: NTAG215, uid: "04 A2 3B 5C 6D 7E 80", static_locks: "0F E0", dynamic_locks: "01 00 0F", \
            ndef: "D0 00 00", pages: {4: "FF FF FF FF", 2: "00 48 00 00"}, \
            config: {cfg0: "00 00 00 04", strg_mod: true, cfglck: true, auth_failures: 2, \
            version: "00 53 04 02 01 00 11 03", mirror: {kind: uid, page: 8, byte: 2}}
            """)
        #expect(tag[page: 4] == PageData(0xFF, 0xFF, 0xFF, 0xFF) && tag[page: 2] == PageData(0, 0x48, 0x0F, 0xE0))
        #expect(tag.staticLocks.rawValue == 0xE00F && tag.dynamicLocks == DynamicLockBits(groups: 1, blockLocks: 0x0F))
        #expect(tag.configuration.cfg0 == PageData(0x64, 0, 8, 4) && tag.configuration.access.cfglck)
        #expect(tag.failedAuthentications == 2 && tag.version.vendor == 0x53)
    }

    @Test func `starts from a preset`() throws {
        let tag = try Self.tag(#"ic: NTAG215, uid: "04 A2 3B 5C 6D 7E 80", preset: locked_for_ever"#)
        let plain = try NTAGDefinition(.ntag215, uid: tag.uid)
        #expect(tag == NTAGPreset.lockedForEver.applied(to: plain))
    }

    @Test func `fills at most as many blocks as the largest card has`() {
        let services = (0..<40).map { #""\#(Hex.digits(0x1009 + 64 * $0, width: 4))": 65535"# }
        let text = #"ic: RC-S962, systems: {"0003": {services: {\#(services.joined(separator: ", "))}}}"#
        let (card, diagnostics) = CardDocument.card(text)
        #expect(card == nil && diagnostics.errorCount == 39)
    }
}
