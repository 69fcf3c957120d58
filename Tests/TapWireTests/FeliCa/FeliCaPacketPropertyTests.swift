import TapWire
import TestSupport
import Testing

/// A kind of packet with a generator of random values.
struct PacketKind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let check: @Sendable (inout TestRandom) throws -> Void

    init<Packet: FrameValue>(_ name: String, _ make: @escaping @Sendable (inout TestRandom) -> Packet) {
        testDescription = name
        check = { random in try expectPacketLaws(make(&random)) }
    }
}

@Suite struct `Every FeliCa packet` {
    @Test(arguments: requests + responses + mobilePackets + reports)
    func `round-trips and rejects missing or additional bytes`(_ kind: PacketKind) throws {
        var random = TestRandom(kind.testDescription)
        for _ in 0..<20 { try kind.check(&random) }
    }

    @Test func `that parses from noise prints the same noise`() {
        var random = TestRandom("noise")
        for _ in 0..<2_000 {
            var bytes = random.bytes(2 + random.number(below: 30))
            bytes[0] = UInt8(bytes.count)
            bytes[1] = RequestServiceV2.code.response.first
            if let packet = try? RequestServiceV2.Response(parsing: bytes) {
                #expect(packet.bytes == bytes, "seed \(TestSeed.value)")
            }
        }
    }

    private static let requests: [PacketKind] = [
        PacketKind("Polling") {
            Polling.Request(
                systemCode: SystemCode($0.any()), requestCode: Polling.RequestCode($0.any()), timeSlot: $0.any())
        },
        PacketKind("Request Service") {
            RequestService.Request(idm: $0.idm(), nodes: $0.list(upTo: 122) { $0.node() })
        },
        PacketKind("Request Response") { RequestResponse.Request(idm: $0.idm()) },
        PacketKind("Read Without Encryption") {
            ReadWithoutEncryption.Request(
                idm: $0.idm(), services: $0.list(upTo: 17) { $0.node() }, blocks: $0.list(upTo: 40) { $0.element() })
        },
        PacketKind("Write Without Encryption") {
            let blocks = $0.list(upTo: 10) { $0.element() }
            return WriteWithoutEncryption.Request(
                idm: $0.idm(), services: $0.list(upTo: 16) { $0.node() }, blocks: blocks, data: $0.blocks(blocks.count))
        },
        PacketKind("Search Service Code") { SearchServiceCode.Request(idm: $0.idm(), index: $0.any()) },
        PacketKind("Request System Code") { RequestSystemCode.Request(idm: $0.idm()) },
        PacketKind("Request Service v2") {
            RequestServiceV2.Request(idm: $0.idm(), nodes: $0.list(upTo: 32) { $0.node() })
        },
        PacketKind("Get System Status") { GetSystemStatus.Request(idm: $0.idm(), reserved: $0.any()) },
        PacketKind("Request Product Information") { RequestProductInformation.Request(idm: $0.idm()) },
        PacketKind("Request Specification Version") {
            RequestSpecificationVersion.Request(idm: $0.idm(), reserved: $0.any())
        },
        PacketKind("Reset Mode") { ResetMode.Request(idm: $0.idm(), reserved: $0.any()) },
        PacketKind("Echo") { Echo.Request(data: $0.bytes($0.number(below: 253))) },
    ]

    private static let responses: [PacketKind] = [
        PacketKind("Polling response") {
            Polling.Response(idm: $0.idm(), pmm: PMm($0.any()), requestData: $0.maybe { $0.any() })
        },
        PacketKind("Request Service response") {
            RequestService.Response(idm: $0.idm(), values: $0.list(upTo: 122) { $0.any() })
        },
        PacketKind("Request Response response") { RequestResponse.Response(idm: $0.idm(), mode: $0.any()) },
        PacketKind("Read Without Encryption response") {
            let status = $0.status()
            return ReadWithoutEncryption.Response(
                idm: $0.idm(), status: status, blocks: $0.blocks($0.number(below: 16)))
        },
        PacketKind("Write Without Encryption response") {
            WriteWithoutEncryption.Response(idm: $0.idm(), status: $0.status())
        },
        PacketKind("Search Service Code response") {
            SearchServiceCode.Response(idm: $0.idm(), node: $0.node(), areaEnd: $0.maybe { $0.node() })
        },
        PacketKind("Request System Code response") {
            RequestSystemCode.Response(idm: $0.idm(), systems: $0.list(upTo: 16) { SystemCode($0.any()) })
        },
        PacketKind("Reset Mode response") { ResetMode.Response(idm: $0.idm(), status: $0.status()) },
    ]

    private static let mobilePackets: [PacketKind] = [
        PacketKind("Request Block Information") {
            RequestBlockInformation.Request(idm: $0.idm(), nodes: $0.list(upTo: 32) { $0.node() })
        },
        PacketKind("Request Block Information response") {
            RequestBlockInformation.Response(idm: $0.idm(), values: $0.list(upTo: 32) { $0.any() })
        },
        PacketKind("Request Block Information Ex") {
            RequestBlockInformationEx.Request(idm: $0.idm(), nodes: $0.list(upTo: 32) { $0.node() })
        },
        PacketKind("Request Code List") {
            RequestCodeList.Request(idm: $0.idm(), area: $0.node(), packetIndex: $0.any())
        },
        PacketKind("Get Area Information") { GetAreaInformation.Request(idm: $0.idm(), area: $0.node()) },
        PacketKind("Get Node Property") {
            GetNodeProperty.Request(
                idm: $0.idm(), type: GetNodeProperty.PropertyType($0.any()), nodes: $0.list(upTo: 16) { $0.node() })
        },
        PacketKind("Set Parameter") {
            SetParameter.Request(
                idm: $0.idm(), encryptionType: $0.any(), packetType: $0.any(), reserved: $0.any() & ~0xFFFF_0000)
        },
        PacketKind("Set Parameter response") { SetParameter.Response(idm: $0.idm(), status: $0.status()) },
        PacketKind("Get Container Issue Information") {
            GetContainerIssueInformation.Request(idm: $0.idm(), reserved: $0.any())
        },
        PacketKind("Get Container Issue Information response") {
            GetContainerIssueInformation.Response(idm: $0.idm(), information: $0.blocks(1)[0])
        },
        PacketKind("Get Container Property") { GetContainerProperty.Request(index: $0.any()) },
        PacketKind("Get Container Property response") {
            GetContainerProperty.Response(data: $0.bytes($0.number(below: 254)))
        },
        PacketKind("Get Container ID") { GetContainerID.Request(reserved: $0.any()) },
        PacketKind("Get Container ID response") { GetContainerID.Response(containerIDm: $0.idm()) },
    ]

    /// Responses with status flags, with and without a report.
    private static let reports: [PacketKind] = [
        report("Request Service v2", RequestServiceV2.self) {
            let first: [UInt16] = $0.list(upTo: 32) { $0.any() }
            let second: [UInt16] = $0.number(below: 2) == 0 ? [] : first.map { ~$0 }
            return .init(identifier: .init($0.any()), first: first, second: second)
        },
        report("Request Code List", RequestCodeList.self) {
            .init(
                continueFlag: $0.any(), areas: $0.list(upTo: 30) { .init(code: $0.node(), end: $0.node()) },
                services: $0.list(upTo: 60) { $0.node() })
        },
        report("Request Block Information Ex", RequestBlockInformationEx.self) {
            .init(nodes: $0.list(upTo: 32) { .init(assigned: $0.any(), free: $0.any()) })
        },
        report("Get Area Information", GetAreaInformation.self) { .init(area: $0.node(), data: $0.any()) },
        report("Get Node Property, purse limits", GetNodeProperty.self) {
            .init(
                nodes: $0.list(upTo: 16) {
                    .purseLimits(PurseLimits(lower: $0.any(), upper: $0.any(), generation: $0.any()))
                })
        },
        report("Get Node Property, MAC communication", GetNodeProperty.self) {
            .init(nodes: $0.list(upTo: 16) { .macCommunication($0.any()) })
        },
        report("Get System Status", GetSystemStatus.self) {
            .init(flag: $0.any(), data: $0.bytes($0.number(below: 242)))
        },
        report("Request Product Information", RequestProductInformation.self) {
            .init(data: $0.bytes($0.number(below: 243)))
        },
        report("Request Specification Version", RequestSpecificationVersion.self) {
            .init(format: $0.any(), basic: .init($0.any()), options: $0.list(upTo: 6) { .init($0.any()) })
        },
    ]

    private static func report<Command, Body>(
        _ name: String, _: Command.Type, _ make: @escaping @Sendable (inout TestRandom) -> Body
    ) -> PacketKind where Command.Response == ReportResponse<Command, Body> {
        PacketKind("\(name) response") { random in
            ReportResponse<Command, Body>(
                idm: random.idm(), status: random.status(), body: random.maybe { make(&$0) })
        }
    }
}

extension TestRandom {
    fileprivate mutating func idm() -> IDm { IDm(any()) }
    fileprivate mutating func node() -> NodeCode { NodeCode(any()) }
    fileprivate mutating func status() -> StatusFlags { StatusFlags(pick([0x00, 0xFF, 0x01]), any(UInt8.self)) }

    fileprivate mutating func element() -> BlockListElement {
        BlockListElement(
            serviceOrder: any(), accessMode: any(), blockNumber: any() & pick([0x00FF, 0xFFFF]),
            isLong: number(below: 2) == 0)
    }

    fileprivate mutating func blocks(_ count: Int) -> [BlockData] {
        (0..<count).map { _ in BlockData(bytes(BlockData.byteCount)) }
    }

    fileprivate mutating func maybe<Value>(_ make: (inout TestRandom) -> Value) -> Value? {
        number(below: 3) == 0 ? nil : make(&self)
    }
}
