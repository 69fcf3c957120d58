import TapWire
import TestSupport
import Testing

@Suite struct `Command and response APDUs` {
    @Test(arguments: [
        ("FF CA 00 00", CommandAPDU(ins: .getData)),
        ("FF CA 00 00 00", CommandAPDU(ins: .getData, expected: 0)),
        ("FF B0 00 04 10", CommandAPDU(ins: .readBinary, p2: 4, expected: 16)),
        ("FF D6 00 05 04 01 02 03 04", CommandAPDU(ins: .updateBinary, p2: 5, data: [1, 2, 3, 4])),
        ("FF A4 00 01 02 0F 09", CommandAPDU(ins: .selectService, p2: 0x01, data: [0x0F, 0x09])),
        ("FF 00 00 00 02 D4 02", CommandAPDU(ins: .acs, data: [0xD4, 0x02])),
        ("FF 00 48 00 00", CommandAPDU(ins: .acs, p1: 0x48, expected: 0)),
        ("FF FE 00 00 05 00 FF FF 01 00 00", CommandAPDU(ins: .sonyRaw, data: [0, 0xFF, 0xFF, 1, 0], expected: 0)),
        ("FF CA 00 00 00 01 00", CommandAPDU(ins: .getData, expected: 256)),
        ("FF D6 00 00 00 00 01 AA", CommandAPDU(ins: .updateBinary, data: [0xAA], isExtended: true)),
        (
            "FF C2 00 01 00 00 01 AA 00 00",
            CommandAPDU(ins: .transparent, p2: 1, data: [0xAA], expected: 0, isExtended: true)
        ),
        (
            "FF B0 00 00 06 01 0F 09 01 80 05 00",
            CommandAPDU(
                ins: .readBinary,
                data: FeliCaBlockSelection(
                    services: [NodeCode(0x090F)], blocks: [BlockListElement(blockNumber: 5)]
                ).bytes, expected: 0)
        ),
    ])
    func `have the bytes that the manuals show`(text: String, command: CommandAPDU) throws {
        let bytes = try Hex.bytes(text)
        #expect(command.bytes == bytes)
        #expect(try CommandAPDU(parsing: bytes) == command)
    }

    @Test(arguments: [
        "", "FF CA 00", "FF D6 00 04 04 01 02 03", "FF D6 00 04 04 01 02 03 04 05 06", "FF CA 00 00 00 01",
        "FF CA 00 00 00 00 00 00", "FF CA 00 00 00 00 02 01", "FF CA 00 00 01 AA 00 00",
    ])
    func `are rejected if Lc disagrees with their length`(text: String) throws {
        let bytes = try Hex.bytes(text)
        #expect(throws: WireError.self) { try CommandAPDU(parsing: bytes) }
    }

    @Test func `round-trip from random bytes`() throws {
        var random = TestRandom()
        for _ in 0..<TestScale.count(2_000) {
            var bytes = random.bytes(random.number(below: 20))
            if bytes.count > 5, random.oneIn(2) { bytes[4] = UInt8(bytes.count - 5 - random.number(below: 2)) }
            guard let command = try? CommandAPDU(parsing: bytes) else { continue }
            #expect(command.bytes == bytes, "seed \(TestSeed.value)")
        }
        for count in [0, 1, 255, 256, 65_535, 70_000] {
            for expected in [nil, 0, 1, 255, 256, 65_535, 70_000] as [Int?] {
                let command = CommandAPDU(ins: .transparent, data: random.bytes(count), expected: expected)
                #expect(try CommandAPDU(parsing: command.bytes) == command)
            }
        }
    }

    @Test func `end with a status word`() throws {
        let response = try ResponseAPDU(parsing: [0x01, 0x90, 0x00])
        #expect(response == ResponseAPDU([0x01]))
        #expect(response.status.isSuccess)
        #expect(StatusWord.exactly(7).bytes == [0x6C, 0x07])
        #expect(throws: WireError.self) { try ResponseAPDU(parsing: [0x90]) }
    }
}

@Suite struct `The ATR of a contactless card` {
    @Test(arguments: [
        (StorageCard.felica, "3B8F8001804F0CA0000003061100 3B 00000000 42", true),
        (StorageCard(.typeA, .felica212), "3B8F8001804F0CA00000030603F0 11 00000000 8A", true),
        (StorageCard(.typeA, .felica424), "3B8F8001804F0CA00000030603F0 12 00000000 89", true),
        (StorageCard.ultralight, "3B8F8001804F0CA0000003060300 03 00000000 68", false),
        (StorageCard(.typeA, .ultralightC), "3B8F8001804F0CA0000003060300 3A 00000000 51", false),
        (StorageCard(.typeA, .unknown), "3B8F8001804F0CA0000003060300 00 00000000 6B", false),
    ])
    func `names storage cards as PC/SC does`(card: StorageCard, text: String, isFeliCa: Bool) throws {
        let bytes = try Hex.bytes(text)
        #expect(ContactlessATR(card).bytes == bytes)
        let atr = try ContactlessATR(parsing: bytes)
        #expect(atr.storageCard == card)
        #expect(atr.isFeliCa == isFeliCa)
    }

    @Test func `identifies FeliCa in the form of SCM and Identiv readers as well`() throws {
        var bytes = try Hex.bytes("3B8C80010443FD 02FE112233445566 0A")
        bytes.append(bytes.dropFirst().reduce(0, ^))
        #expect(try ContactlessATR(parsing: bytes).isFeliCa)
    }

    @Test(arguments: [
        "", "3B", "3B800180", "3F8F8001", "3B6F00000080318065B0850300EF120FFF829000",
        "3B8F8001804F0CA000000306110 03B0000000043",
    ])
    func `is rejected if it is damaged or from a contact card`(text: String) throws {
        let bytes = try Hex.bytes(text)
        #expect(throws: WireError.self) { try ContactlessATR(parsing: bytes) }
    }
}

@Suite struct `Reader features and properties` {
    @Test func `features come with the control code that uses them`() throws {
        #expect(ControlCode(function: 3400).rawValue == 0x4200_0D48)
        #expect(ControlCode.vendorExchange.rawValue == 0x4200_0001)
        let features = [ReaderFeature(.escape, .escape), ReaderFeature(.properties, .properties)]
        let bytes = features.flatMap(\.bytes)
        #expect(bytes == (try Hex.bytes("130442000DAC 120442330012")))
        #expect(ReaderFeature.list(bytes + [0x12, 0x04]) == features)
    }

    @Test func `properties have their low byte first`() throws {
        let properties: [ReaderProperty] = [
            .vendor(0x054C), .product(0x0DC8), .maximumData(65_536), .other(tag: 9, [1]),
        ]
        let bytes = properties.flatMap(\.bytes)
        #expect(bytes == (try Hex.bytes("0B024C05 0C02C80D 0A0400000100 090101")))
        #expect(ReaderProperty.list(bytes + [0x0B, 0x02, 0x00]) == properties)
    }
}
