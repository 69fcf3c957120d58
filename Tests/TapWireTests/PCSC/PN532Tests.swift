import TapWire
import TestSupport
import Testing

@Suite struct `PN532 packets` {
    @Test func `describe commands and answers`() throws {
        #expect(GetFirmwareVersion.Request().bytes == [0xD4, 0x02])
        #expect(GetFirmwareVersion.Response.pn532.bytes == (try Hex.bytes("D50332010607")))
        #expect(RFConfiguration.Request.field(1).bytes == (try Hex.bytes("D4320101")))
        let retries = RFConfiguration.Request.searchRetries(atr: 0, psl: 1, passive: 2)
        #expect(try RFConfiguration.Request(parsing: try Hex.bytes("D43205000102")) == retries)
        let registers: [PN532Register] = [.txMode, .rxMode, .manualRCV, .bitFraming]
        #expect(ReadRegister.Request(registers).bytes == (try Hex.bytes("D40663026303630D633D")))
        let write = WriteRegister.Request([WriteRegister.Entry(.txMode, 0), WriteRegister.Entry(.rxMode, 0x80)])
        #expect(try WriteRegister.Request(parsing: try Hex.bytes("D408 630200 630380")) == write)
        #expect(InDataExchange.Request(1, [0x30, 0x04]).bytes == (try Hex.bytes("D440013004")))
        let answer = InCommunicateThru.Response(.timeout)
        #expect(try InCommunicateThru.Response(parsing: try Hex.bytes("D54301")) == answer)
    }

    @Test func `list type A targets`() throws {
        let bytes = try Hex.bytes("D54B 01 01 0044 00 07 04A1B2C3D4E5F6")
        let response = try InListPassiveTarget.Response(parsing: bytes)
        let uid = try #require(UID([0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6]))
        let target = PN532Target(number: 1, .typeA(TypeATag(atqa: .ntag21x, sak: .complete, uid: uid)))
        #expect(try response.targets(.typeA) == [target])
        #expect(InListPassiveTarget.Response([target]).bytes == bytes)
        #expect(InListPassiveTarget.Request(.typeA).bytes == (try Hex.bytes("D44A0100")))
    }

    @Test func `list FeliCa targets`() throws {
        let polling = Polling.Request(systemCode: .any, requestCode: .systemCode)
        let request = InListPassiveTarget.Request(polling)
        #expect(request.bytes == (try Hex.bytes("D44A010100FFFF0100")))
        #expect(request.polling == polling)
        let bytes = try Hex.bytes("D54B 01 01 1401 02FE112233445566 0120220427674EFF 0003")
        let found = Polling.Response(
            idm: IDm(0x02FE_1122_3344_5566), pmm: PMm(0x0120_2204_2767_4EFF), requestData: 0x0003)
        let response = try InListPassiveTarget.Response(parsing: bytes)
        #expect(try response.targets(.felica212) == [PN532Target(number: 1, .felica(found, .felica212))])
        #expect(InListPassiveTarget.Response([PN532Target(number: 1, .felica(found, .felica212))]).bytes == bytes)
        let poll = InAutoPoll.Response(found: [(.felica212, PN532Target(number: 1, .felica(found, .felica212)))])
        #expect(poll.bytes == (try Hex.bytes("D561 01 11 15 01 1401 02FE112233445566 0120220427674EFF 0003")))
    }

    @Test func `are rejected by the type of another command`() {
        #expect(throws: WireError.self) { try InDataExchange.Request(parsing: [0xD4, 0x42, 0x01]) }
        #expect(throws: WireError.self) { try InDataExchange.Request(parsing: [0xD5, 0x41, 0x01]) }
        #expect(throws: WireError.self) { try PN532Packet.Answer(parsing: [0xD4, 0x42]) }
        #expect(throws: WireError.self) { try InListPassiveTarget.Response(parsing: [0xD5, 0x4B]) }
    }

    @Test func `round-trip from random bytes`() throws {
        var random = TestRandom()
        for _ in 0..<TestScale.count(2_000) {
            let code = random.pick([0x02, 0x06, 0x08, 0x32, 0x40, 0x42, 0x4A, 0x60] as [UInt8])
            let command = [0xD4, code] + random.bytes(random.number(below: 12))
            #expect(try PN532Packet.Command(parsing: command).bytes == command)
            #expect((try? ReadRegister.Request(parsing: command).bytes) ?? command == command)
            #expect((try? WriteRegister.Request(parsing: command).bytes) ?? command == command)
            #expect((try? RFConfiguration.Request(parsing: command).bytes) ?? command == command)
            #expect((try? InListPassiveTarget.Request(parsing: command).bytes) ?? command == command)
            #expect((try? InAutoPoll.Request(parsing: command).bytes) ?? command == command)
            let answer = [0xD5, 0x4B] + random.bytes(random.number(below: 30))
            let list = try? InListPassiveTarget.Response(parsing: answer)
            for modulation in [PN532Modulation.typeA, .felica212] {
                guard let targets = try? list?.targets(modulation) else { continue }
                #expect(InListPassiveTarget.Response(targets).bytes == answer, "seed \(TestSeed.value)")
            }
        }
    }
}
