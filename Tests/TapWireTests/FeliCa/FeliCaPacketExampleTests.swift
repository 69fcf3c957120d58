import TapWire
import Testing

/// A packet as bytes and as a value.
struct PacketExample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let check: @Sendable () throws -> Void

    init<Packet: FrameValue>(_ name: String, _ hex: String, _ packet: Packet) {
        testDescription = name
        check = {
            let bytes = try Hex.bytes(hex)
            #expect(try Packet(parsing: bytes) == packet)
            #expect(Hex.text(packet.bytes) == Hex.text(bytes))
        }
    }
}

@Suite struct `FeliCa packet examples` {
    @Test(arguments: plain + lists + mobile)
    func `bytes and value are the same packet`(_ example: PacketExample) throws {
        try example.check()
    }

    private static let idm = IDm(0x0102_0304_0506_0708)
    private static let idmText = "0102030405060708"

    private static let plain: [PacketExample] = [
        PacketExample(
            "Polling", "06 00 0003 01 0F", Polling.Request(systemCode: .transit, requestCode: .systemCode, timeSlot: 15)
        ),
        PacketExample(
            "Polling response", "14 01 \(idmText) 0120220427674EFF 0003",
            Polling.Response(idm: idm, pmm: PMm(0x0120_2204_2767_4EFF), requestData: 3)),
        PacketExample("Request Response", "0A 04 \(idmText)", RequestResponse.Request(idm: idm)),
        PacketExample("Request Response in Mode2", "0B 05 \(idmText) 02", RequestResponse.Response(idm: idm, mode: 2)),
        PacketExample(
            "Search Service Code", "0C 0A \(idmText) 0201", SearchServiceCode.Request(idm: idm, index: 0x0102)),
        PacketExample(
            "Search Service Code, area", "0E 0B \(idmText) 0000 FEFF",
            SearchServiceCode.Response(idm: idm, node: .root, areaEnd: .lastService)),
        PacketExample(
            "Search Service Code, service", "0C 0B \(idmText) 0F09",
            SearchServiceCode.Response(idm: idm, node: NodeCode(0x090F))),
        PacketExample("Reset Mode", "0C 3E \(idmText) 0000", ResetMode.Request(idm: idm)),
        PacketExample("Reset Mode done", "0C 3F \(idmText) 0000", ResetMode.Response(idm: idm)),
        PacketExample("Echo", "06 F000 A1B2C3", Echo.Request(data: [0xA1, 0xB2, 0xC3])),
        PacketExample(
            "System status as felica-tool prints it", "12 39 \(idmText) 0000 01 04 01020304",
            GetSystemStatus.Response(idm: idm, body: .init(flag: 1, data: [1, 2, 3, 4]))),
        PacketExample(
            "Product information as felica-tool prints it",
            "1C 3B 01020304050607FF 0000 0F 1801020308475001D7007720250110",
            RequestProductInformation.Response(
                idm: IDm(0x0102_0304_0506_07FF),
                body: .init(data: [0x18, 1, 2, 3, 8, 0x47, 0x50, 1, 0xD7, 0, 0x77, 0x20, 0x25, 1, 0x10]))),
        PacketExample(
            "Specification version 5.0.0 with DES 4.1.2", "12 3D \(idmText) 0000 00 0085 01 1284",
            RequestSpecificationVersion.Response(
                idm: idm, body: .init(basic: .init(0x8500), options: [.init(0x8412)]))),
    ]

    private static let lists: [PacketExample] = [
        PacketExample(
            "Request Service of 090F and the system", "0F 02 \(idmText) 02 0F09 FFFF",
            RequestService.Request(idm: idm, nodes: [NodeCode(0x090F), .system])),
        PacketExample(
            "Key versions", "0F 03 \(idmText) 02 0400 FFFF",
            RequestService.Response(idm: idm, values: [4, RequestService.absent])),
        PacketExample(
            "Key versions with their kind as felica-tool prints them", "10 33 \(idmText) 0000 4F 01 0100",
            RequestServiceV2.Response(idm: idm, body: .init(identifier: .aes128, first: [1]))),
        PacketExample(
            "AES and DES key versions", "12 33 \(idmText) 0000 41 01 0100 0200",
            RequestServiceV2.Response(idm: idm, body: .init(identifier: .aesAndDES56, first: [1], second: [2]))),
        PacketExample(
            "Systems 0003 and FE00", "0F 0D \(idmText) 02 0003 FE00",
            RequestSystemCode.Response(idm: idm, systems: [.transit, .commonArea])),
        PacketExample(
            "Read of a block of 090F and block 256", "13 06 \(idmText) 01 0F09 02 8001 00 0001",
            ReadWithoutEncryption.Request(
                idm: idm, services: [NodeCode(0x090F)],
                blocks: [BlockListElement(blockNumber: 1), BlockListElement(blockNumber: 256)])),
        PacketExample(
            "Write with cashback", "20 08 \(idmText) 01 9310 01 9000 64000000 0000000000000000 00000003",
            WriteWithoutEncryption.Request(
                idm: idm, services: [NodeCode(0x1093)], blocks: [BlockListElement(accessMode: 1, blockNumber: 0)],
                data: [BlockData([0x64] + [UInt8](repeating: 0, count: 14) + [3])])),
        PacketExample(
            "Write refused", "0C 09 \(idmText) 01A5",
            WriteWithoutEncryption.Response(idm: idm, status: StatusFlags(1, .accessDenied))),
    ]

    private static let mobile: [PacketExample] = [
        PacketExample(
            "Block counts", "0F 0F \(idmText) 02 1400 0000",
            RequestBlockInformation.Response(idm: idm, values: [20, 0])),
        PacketExample(
            "Assigned and free blocks", "11 1F \(idmText) 0000 01 1400 0300",
            RequestBlockInformationEx.Response(idm: idm, body: .init(nodes: [.init(assigned: 20, free: 3)]))),
        PacketExample(
            "First packet of the codes below area 0", "0E 1A \(idmText) 0000 0100",
            RequestCodeList.Request(idm: idm, area: .root, packetIndex: 1)),
        PacketExample(
            "Codes", "17 1B \(idmText) 0000 01 01 4000 FF07 02 4800 4A00",
            RequestCodeList.Response(
                idm: idm,
                body: .init(
                    continueFlag: 1, areas: [.init(code: NodeCode(0x0040), end: NodeCode(0x07FF))],
                    services: [NodeCode(0x0048), NodeCode(0x004A)]))),
        PacketExample(
            "Parameters SRM2 and two-byte nodes", "12 20 \(idmText) 00000000 01 00 0000",
            SetParameter.Request(idm: idm, encryptionType: 1, packetType: 0)),
        PacketExample(
            "Area information", "10 25 \(idmText) 0000 4000 1234",
            GetAreaInformation.Response(idm: idm, body: .init(area: NodeCode(0x0040), data: 0x1234))),
        PacketExample(
            "Purse limits", "17 29 \(idmText) 0000 01 01 FFFFFF7F 00000000 00",
            GetNodeProperty.Response(idm: idm, body: .init(nodes: [.purseLimits(PurseLimits())]))),
        PacketExample(
            "No purse limits", "17 29 \(idmText) 0000 01 00 FFFFFFFF FFFFFFFF FF",
            GetNodeProperty.Response(idm: idm, body: .init(nodes: [.purseLimits(.disabled)]))),
        PacketExample(
            "MAC communication of two nodes", "0F 29 \(idmText) 0000 02 01 00",
            GetNodeProperty.Response(idm: idm, body: .init(nodes: [.macCommunication(1), .macCommunication(0)]))),
        PacketExample("Container property 1", "04 2E 0100", GetContainerProperty.Request(index: 1)),
        PacketExample("Container property", "03 2F 20", GetContainerProperty.Response(data: [0x20])),
        PacketExample("Get Container ID", "04 70 0000", GetContainerID.Request()),
        PacketExample(
            "Container ID as felica-tool prints it", "0A 71 6D696E656D6F6269",
            GetContainerID.Response(containerIDm: IDm(0x6D69_6E65_6D6F_6269))),
    ]

    @Test func `the container gives the phone model in ASCII`() throws {
        let bytes = try Hex.bytes("1A 23 \(Self.idmText) 0102030405 53482D3130304400000000")
        let response = try GetContainerIssueInformation.Response(parsing: bytes)
        #expect(response.information.bytes == [1, 2, 3, 4, 5] + Array("SH-100D".utf8) + [0, 0, 0, 0])
    }

    @Test func `a version prints its three digits`() {
        #expect(RequestSpecificationVersion.Version(0x8412).description == "4.1.2")
    }

    @Test func `an error answer to a read has no data`() throws {
        let bytes = try Hex.bytes("0D 07 \(Self.idmText) 01A8 00")
        #expect(parseError(ReadWithoutEncryption.Response.self, bytes)?.code == .wrongValue)
    }
}
