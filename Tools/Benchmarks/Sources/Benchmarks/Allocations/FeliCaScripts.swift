import TapCards
import TapWire

/// Every command of the FeliCa engine, and the ways in which the larger ones are refused.
enum FeliCaScripts {
    private static let idm = BenchmarkCards.idm
    private static let missing = NodeCode(0x778B)

    /// The scripts of a command; nil if it has none.
    static func scripts(of code: CommandCode) -> [AllocationScript] {
        switch code {
        case .readWithoutEncryption: reads
        case .writeWithoutEncryption: writes
        case .polling:
            [
                AllocationScript("Polling", Polling.Request(systemCode: .any, requestCode: .systemCode).bytes),
                AllocationScript("Polling, 16 slots", Polling.Request(systemCode: .any, timeSlot: 0x0F).bytes),
                AllocationScript(
                    "Polling of a missing system", Polling.Request(systemCode: .ndef).bytes, isAnswered: false),
            ]
        case .requestCodeList:
            [
                AllocationScript("Request Code List, first packet", codeList(.root, packet: 1)),
                AllocationScript("Request Code List, second packet", codeList(.root, packet: 2)),
                AllocationScript("Request Code List, beyond the last", codeList(.root, packet: 9)),
                AllocationScript("Request Code List, no area", codeList(missing, packet: 1)),
            ]
        case .getNodeProperty:
            [
                AllocationScript("Get Node Property, purse limits", property(.purseLimits, BenchmarkCards.purse)),
                AllocationScript("Get Node Property, MAC", property(.macCommunication, BenchmarkCards.history)),
                AllocationScript("Get Node Property, refused", property(.purseLimits, BenchmarkCards.history)),
            ]
        case .requestBlockInformationEx:
            [
                AllocationScript(
                    "Request Block Information Ex", nodes(RequestBlockInformationEx.self, [.root, .root])),
                AllocationScript(
                    "Request Block Information Ex, refused", nodes(RequestBlockInformationEx.self, [.root, missing])),
            ]
        default: simple(code).map { [AllocationScript(code.name, $0)] } ?? []
        }
    }

    private static func simple(_ code: CommandCode) -> [UInt8]? {
        let some: [NodeCode] = [.root, BenchmarkCards.history, missing, .system]
        return switch code {
        case .requestService: nodes(RequestService.self, some)
        case .requestServiceV2: nodes(RequestServiceV2.self, some)
        case .requestBlockInformation: nodes(RequestBlockInformation.self, some)
        case .requestResponse: RequestResponse.Request(idm: idm).bytes
        case .searchServiceCode: SearchServiceCode.Request(idm: idm, index: 1).bytes
        case .requestSystemCode: RequestSystemCode.Request(idm: idm).bytes
        case .getSystemStatus: GetSystemStatus.Request(idm: idm).bytes
        case .requestProductInformation: RequestProductInformation.Request(idm: idm).bytes
        case .requestSpecificationVersion: RequestSpecificationVersion.Request(idm: idm).bytes
        case .resetMode: ResetMode.Request(idm: idm).bytes
        case .getAreaInformation: GetAreaInformation.Request(idm: idm, area: NodeCode(0x0040)).bytes
        case .setParameter: SetParameter.Request(idm: idm, encryptionType: 0, packetType: 0).bytes
        case .getContainerIssueInformation: GetContainerIssueInformation.Request(idm: idm).bytes
        case .getContainerProperty: GetContainerProperty.Request(index: 0).bytes
        case .getContainerID: GetContainerID.Request().bytes
        case .echo: Echo.Request(data: [1, 2, 3]).bytes
        default: nil
        }
    }

    private static var reads: [AllocationScript] {
        let history = BenchmarkCards.history
        return [
            AllocationScript("Read Without Encryption, 12 blocks", read(history, 0..<12)),
            AllocationScript("Read Without Encryption, other system", read(BenchmarkCards.common, 0..<2, system: 1)),
            AllocationScript("Read Without Encryption, no service", read(missing, 0..<1)),
            AllocationScript("Read Without Encryption, no block", read(history, 19..<21)),
            AllocationScript("Read Without Encryption, too many", read(history, 0..<13)),
        ]
    }

    private static var writes: [AllocationScript] {
        let (cyclic, purse) = (BenchmarkCards.cyclic, BenchmarkCards.purse)
        let ones = BlockData(SIMD16(repeating: 1))
        // With an execution ID of its own each decrement counts.
        let payments = (1...2).map { BlockData([1] + Array(repeating: 0, count: 14) + [$0]) }
        return [
            AllocationScript("Write Without Encryption", write(BenchmarkCards.random, [.zero, ones])),
            AllocationScript("Write Without Encryption, cyclic", write(cyclic, [.zero]), write(cyclic, [ones])),
            AllocationScript(
                "Write Without Encryption, purse", write(purse, [payments[0]]), write(purse, [payments[1]])),
            AllocationScript("Write Without Encryption, read only", write(BenchmarkCards.history, [.zero])),
        ]
    }

    private static func nodes<Command: FeliCaCommand>(
        _ command: Command.Type, _ nodes: [NodeCode]
    ) -> [UInt8] where Command.Request == NodeListRequest<Command> {
        NodeListRequest<Command>(idm: idm, nodes: nodes).bytes
    }

    private static func codeList(_ area: NodeCode, packet: UInt16) -> [UInt8] {
        RequestCodeList.Request(idm: idm, area: area, packetIndex: packet).bytes
    }

    private static func property(_ type: GetNodeProperty.PropertyType, _ node: NodeCode) -> [UInt8] {
        GetNodeProperty.Request(idm: idm, type: type, nodes: [node, node]).bytes
    }

    private static func read(_ service: NodeCode, _ blocks: Range<UInt16>, system: Int = 0) -> [UInt8] {
        ReadWithoutEncryption.Request(
            idm: idm.ofSystem(system), services: [service], blocks: blocks.map { BlockListElement(blockNumber: $0) }
        ).bytes
    }

    /// Writes to block 0 of a cyclic service, else to block 0 and up.
    private static func write(_ service: NodeCode, _ data: [BlockData]) -> [UInt8] {
        WriteWithoutEncryption.Request(
            idm: idm, services: [service], blocks: data.indices.map { BlockListElement(blockNumber: UInt16($0)) },
            data: data
        ).bytes
    }
}
