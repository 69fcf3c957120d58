import TapCards
import TapWire
import TestSupport
import Testing

@Suite struct `FeliCa chip catalogue` {
    @Test func `names and aliases are distinct, ignoring case`() {
        let names = FeliCaIC.catalogue.flatMap { [$0.name] + $0.aliases }.map { $0.lowercased() }
        #expect(Set(names).count == names.count)
    }

    @Test(
        arguments: [
            ("RC-S962", 0x20), ("rc-s915", 0x01), ("RC-SA00", 0x32), ("RC-SA00/1", 0x32), ("rc-sa00/2", 0x33),
            ("RC-S960", 0x0D), ("Octopus", 0x24), ("Mobile FeliCa 2.0", 0x10), ("Mobile FeliCa 4.1", 0x18),
        ] as [(String, UInt8)])
    func `a chip is found by name and alias`(_ name: String, _ code: UInt8) throws {
        let ic = try #require(FeliCaIC.named(name))
        #expect(ic.icCode == code)
    }

    @Test func `a chip is found by code, and its version by ROM type`() {
        #expect(FeliCaIC.coded(0x20)?.name == "RC-S962")
        #expect(FeliCaIC.coded(0x00)?.name == "RC-S914")
        #expect(FeliCaIC.coded(0x00, romType: 0x03)?.name == "RC-S914 export")
        #expect(FeliCaIC.coded(0x00, romType: 0x77)?.name == "RC-S914")
        #expect(FeliCaIC.coded(0xF1) == nil)
        #expect(FeliCaIC.named("NTAG215") == nil)
    }

    /// IC codes of FeliCa Standard chips.
    private static let codes: [UInt8] =
        [0x00, 0x01, 0x02, 0x06, 0x07, 0x08, 0x09, 0x0B, 0x0C, 0x0D] + Array(0x10...0x20)
        + [0x24, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x38, 0x3B, 0x3E, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x4B]
        + [0x50, 0x51, 0x52, 0xA2]

    @Test func `the catalogue contains exactly the published codes of FeliCa Standard chips`() {
        #expect(Set(FeliCaIC.catalogue.compactMap(\.icCode)) == Set(Self.codes))
    }

    @Test(arguments: FeliCaIC.catalogue)
    func `every chip has its own PMm and a profile that creates a card`(_ ic: FeliCaIC) throws {
        let pmm = try #require(ic.pmm.value)
        if let code = ic.icCode { #expect(pmm.icType == code) }
        #expect(ic.romTypes.isEmpty || ic.icCode == nil || ic.romTypes.contains(pmm.romType))
        var definition = CardS.definition
        definition.pmm = pmm
        definition.profile = ic.profile
        var card = try FeliCaCard(definition)
        #expect(try card.answer(Polling.self, Polling.Request(systemCode: .any))?.pmm == pmm)
        for line in ic.facts { #expect(line.fact.value != nil || line.fact.confidence == .unknown) }
    }

    @Test func `known facts set their switches, unknown facts leave the defaults`() throws {
        let ic = try #require(FeliCaIC.named("RC-S962"))
        #expect(ic.profile.maxWriteBlocks == 10)
        #expect(ic.profile.trailingBytes == .silence)
        #expect(ic.maxReadBlocks.confidence == .measured)
        #expect(ic.statusLocation.value == nil)
        #expect(ic.statusLocation.confidence == .unknown)
        #expect(ic.profile.statusLocation == FeliCaProfile().statusLocation)
    }

    @Test(arguments: [
        ("RC-S914", "maxReadBlocks", "12", Confidence.measured), ("RC-S914", "maxWriteBlocks", "8", .inferred),
        ("RC-S95x", "echoMax", "238", .measured), ("Octopus", "trailingBytes", "00 02 06", .measured),
        ("RC-S915", "pollingRequestCodes", "00 01", .measured), ("RC-S962", "PMm", "0120220427674EFF", .measured),
        ("RC-SA00/1", "PMm", "033242828247AAFF", .measured), ("RC-SA01/2", "PMm", "03350B82824483FF", .measured),
        ("Mobile FeliCa 4.1", "PMm", "01188B868FBECBFF", .measured),
        ("Apple Wallet", "PMm", "01168B868FBECBFF", .measured), ("RC-SA04/1", "PMm", "0136428247459AFF", .measured),
        ("RC-S914 export", "PMm", "03004B024F498A8A", .measured),
        ("RC-SA04/1", "product information", "36015106A1075400", .measured),
        ("RC-SA01/2", "product information", "35035006A1075400", .measured),
        ("Mobile FeliCa 4.1", "product information", "1801020308475001D7007720250110", .measured),
        ("RC-SA04/1", "option versions", "5.0.0", .measured), ("SD1", "option versions", "5.0.0", .inferred),
        ("Mobile FeliCa 4.1", "option versions", "5.0.0, 5.2.0", .measured),
        ("Mobile FeliCa 4.1", "performanceBytes", "0083", .inferred), ("RC-S915", "searchTime", "1800", .inferred),
        (
            "RC-SA20/1", "supportedCommands",
            "00 02 04 06 08 0A 0C 10 12 14 16 28 32 34 36 38 3A 3C 3E 40 42 44 46 48 52 54 56 58 5C 5E 78 80 82 84 86 88 "
                + "8E F000", .measured
        ),
        ("RC-S914 export", "supportedCommands", "00 02 04 06 08 10 12 14 16 80 82 84 86 88 8E", .measured),
    ])
    func `facts use the values of switches`(
        _ name: String, _ fact: String, _ value: String, _ confidence: Confidence
    ) throws {
        let line = try #require(FeliCaIC.named(name)?.facts.first { $0.title == fact })
        #expect(line.fact.value == value)
        #expect(line.fact.confidence == confidence)
        #expect(!line.fact.source.isEmpty)
    }

    @Test func `the source of an IC's PMm mentions its second PMm`() throws {
        let line = try #require(FeliCaIC.named("RC-SA01/2")?.facts.first { $0.title == "PMm" })
        #expect(line.fact.source.contains("0335428282468CFF"))
    }

    /// The options of Request Specification Version for each set of key ciphers.
    ///
    /// Sources: logs in pull requests 3228 (no option on a card without DES), 3247 and 3248 of Proxmark3.
    @Test(
        arguments: [
            ("RC-SA04/1", FeliCaKeys(), [0x8500]), ("RC-SA04/1", FeliCaKeys(aesVersion: 1), [0x8500]),
            ("RC-SA04/1", FeliCaKeys(desVersion: nil, aesVersion: 1), []),
            ("Mobile FeliCa 4.1", FeliCaKeys(), [0x8500, 0x8520]),
            ("Mobile FeliCa 4.1", FeliCaKeys(desVersion: nil, aesVersion: 1), [0, 0x8520]),
        ] as [(String, FeliCaKeys, [UInt16])])
    func `the option list agrees with the keys that Request Service v2 reports`(
        _ name: String, _ keys: FeliCaKeys, _ options: [UInt16]
    ) throws {
        let ic = try #require(FeliCaIC.named(name))
        var definition = CardS.definition
        (definition.profile, definition.chip) = (ic.profile, ic.reports)
        (definition.productInformation, definition.specificationVersion) = (nil, nil)
        for index in definition.systems.indices {
            definition.systems[index].keys = keys
            for area in definition.systems[index].areas.indices { definition.systems[index].areas[area].keys = keys }
            for service in definition.systems[index].services.indices {
                definition.systems[index].services[service].keys = keys
            }
        }
        var card = try FeliCaCard(definition)
        let versions = try #require(
            try card.answer(RequestSpecificationVersion.self, .init(idm: definition.idm))?.body)
        #expect(versions.basic == .init(0x8500) && versions.options.map(\.rawValue) == options)
        let listed = try #require(
            try card.answer(RequestServiceV2.self, .init(idm: definition.idm, nodes: [.system]))?.body)
        let hasDES = ![0x4F].contains(listed.identifier.rawValue)
        #expect(hasDES == (options.first ?? 0 != 0))
        let product = try #require(try card.answer(RequestProductInformation.self, .init(idm: definition.idm))?.body)
        #expect(product.data == ic.productInformation.value)
    }

    @Test func `the profile of the vectors is not a chip but is found like one`() throws {
        let ic = try #require(FeliCaIC.named("VECTOR-S"))
        #expect(ic.icCode == nil)
        #expect(ic.profile == FeliCaProfile())
        #expect(ic.pmm.value == CardS.definition.pmm)
        #expect(FeliCaIC.coded(0x0B)?.name == "RC-S95x")
    }
}
