import TapCards
import TapWire

/// A frame as a card receives it.
struct ReceivedFrame {
    let bytes: [UInt8]
    let bitCount: Int
    let integrity: FrameIntegrity

    init(_ bytes: [UInt8], bitCount: Int? = nil, integrity: FrameIntegrity = .good) {
        (self.bytes, self.bitCount, self.integrity) = (bytes, bitCount ?? bytes.count * 8, integrity)
    }

    /// REQA and a SELECT for each cascade level.
    static func selection(of uid: UID) -> [ReceivedFrame] {
        [.short(.reqa)]
            + zip([CascadeLevel.first, .second], uid.cascadeParts).map { ReceivedFrame(Select.Request($0, $1).bytes) }
    }

    static func short(_ frame: ShortFrame) -> ReceivedFrame {
        ReceivedFrame(frame.bytes, bitCount: TypeAFraming.shortFrameBits)
    }
}

/// Frames that start in an unpowered card, and the last one's expected result.
struct AllocationScript {
    let frames: [ReceivedFrame]
    var isAnswered = true

    var name: String { frames.map { Hex.text($0.bytes) }.joined(separator: ", ") }
}

extension AllocationScript {
    private static let idm = BenchmarkCards.idm
    private static let missing = NodeCode(0x778B)

    /// Every command of the FeliCa engine, and the ways in which it refuses the larger ones.
    static var feliCa: [AllocationScript] {
        let (history, purse) = (BenchmarkCards.history, BenchmarkCards.purse)
        let some: [NodeCode] = [.root, history, missing, .system]
        let ones = BlockData(SIMD16(repeating: 1))
        // Each decrement needs an execution ID of its own.
        let payments = (1...2).map { BlockData([1] + Array(repeating: 0, count: 14) + [$0]) }
        let frames = [
            Polling.Request(systemCode: .any, requestCode: .systemCode).bytes,
            Polling.Request(systemCode: .any, timeSlot: 0x0F).bytes,
            codeList(.root, 1), codeList(.root, 2), codeList(.root, 9), codeList(missing, 1),
            property(.purseLimits, purse), property(.macCommunication, history), property(.purseLimits, history),
            NodeListRequest<RequestBlockInformationEx>(idm: idm, nodes: [.root, .root]).bytes,
            NodeListRequest<RequestBlockInformationEx>(idm: idm, nodes: [.root, missing]).bytes,
            NodeListRequest<RequestService>(idm: idm, nodes: some).bytes,
            NodeListRequest<RequestServiceV2>(idm: idm, nodes: some).bytes,
            NodeListRequest<RequestBlockInformation>(idm: idm, nodes: some).bytes,
            RequestResponse.Request(idm: idm).bytes, SearchServiceCode.Request(idm: idm, index: 1).bytes,
            RequestSystemCode.Request(idm: idm).bytes, GetSystemStatus.Request(idm: idm).bytes,
            RequestProductInformation.Request(idm: idm).bytes, RequestSpecificationVersion.Request(idm: idm).bytes,
            ResetMode.Request(idm: idm).bytes, GetAreaInformation.Request(idm: idm, area: NodeCode(0x0040)).bytes,
            SetParameter.Request(idm: idm, encryptionType: 0, packetType: 0).bytes,
            GetContainerIssueInformation.Request(idm: idm).bytes, GetContainerProperty.Request(index: 0).bytes,
            GetContainerID.Request().bytes, Echo.Request(data: [1, 2, 3]).bytes,
            // Another system, no service, no block, too many blocks.
            BenchmarkCards.read(0..<12), BenchmarkCards.read(0..<2, of: BenchmarkCards.common, system: 1),
            BenchmarkCards.read(0..<1, of: missing), BenchmarkCards.read(19..<21), BenchmarkCards.read(0..<13),
            BenchmarkCards.write([.zero, ones], to: 0..<2, of: BenchmarkCards.random),
            BenchmarkCards.write([.zero], to: [0], of: history),
        ]
        let pairs = [([.zero, ones], BenchmarkCards.cyclic), (payments, purse)].map { blocks, service in
            AllocationScript(frames: blocks.map { ReceivedFrame(BenchmarkCards.write([$0], to: [0], of: service)) })
        }
        return frames.map { AllocationScript(frames: [ReceivedFrame($0)]) } + pairs
            + [silence(Polling.Request(systemCode: .ndef).bytes)]
    }

    private static func silence(_ frame: [UInt8]) -> AllocationScript {
        AllocationScript(frames: [ReceivedFrame(frame)], isAnswered: false)
    }

    private static func codeList(_ area: NodeCode, _ packet: UInt16) -> [UInt8] {
        RequestCodeList.Request(idm: idm, area: area, packetIndex: packet).bytes
    }

    private static func property(_ type: GetNodeProperty.PropertyType, _ node: NodeCode) -> [UInt8] {
        GetNodeProperty.Request(idm: idm, type: type, nodes: [node, node]).bytes
    }

    /// Every command of the FeliCa Lite-S engine without a session, and the ways in which it refuses Read and Write.
    static var lite: [AllocationScript] {
        let (readOnly, writable) = (NodeCode(0x000B), NodeCode(0x0009))
        func polling(_ system: SystemCode) -> [UInt8] {
            Polling.Request(systemCode: system, requestCode: .systemCode).bytes
        }
        func write(_ blocks: [Int]) -> [UInt8] {
            // MC stays as it is, so that the card is never locked; REG has no smaller A and B.
            let data = blocks.map { $0 == 0x88 ? BenchmarkCards.lite.configurationBlock : BlockData([1]) }
            return BenchmarkCards.write(data, to: blocks, of: writable)
        }
        let reads = [
            [0, 1, 13, 14], [0x80, 0x82, 0x83, 0x84], [0x85, 0x86, 0x87, 0x88], [0x81, 0x90, 0x92, 0xA0],
            // MAC_A without RC, no block, too many blocks.
            [0, 0x91], [0x0F], [0, 1, 2, 3, 4],
        ]
        let writes = [
            [0], [14], [0x82], [0x84], [0x86], [0x87], [0x88], [0x92],
            // MAC_A without RC, read only, too many blocks.
            [0, 0x91], [0x83], [0, 1, 2],
        ]
        let others = [
            polling(.lite), polling(.ndef), Echo.Request(data: [1, 2, 3]).bytes,
            BenchmarkCards.read([0], of: NodeCode(0x100B)),
        ]
        let frames = reads.map { BenchmarkCards.read($0, of: readOnly) } + writes.map(write) + others
        return frames.map { AllocationScript(frames: [ReceivedFrame($0)]) } + [silence(polling(.transit))]
    }

    /// Every command of the NTAG21x engine, the selection, and frames that it refuses.
    static func ntag(_ uid: UID) -> [AllocationScript] {
        let selection = ReceivedFrame.selection(of: uid)
        let reqa = [ReceivedFrame.short(.reqa)]
        let right = PasswordAuthentication.Request(password: BenchmarkCards.password).bytes
        let data = PageData(1, 2, 3, 4)
        let someBits = Anticollision.Request(.first, knownBits: 0x08, knownBitCount: 4)
        let anticollisions = zip([CascadeLevel.first, .second], selection.dropFirst()).flatMap { level, select in
            [ReceivedFrame(Anticollision.Request(level).bytes), select]
        }
        let commands: [[[UInt8]]] = [
            // Straight, rolled over, of no page.
            [ReadPages.Request(page: 4).bytes], [ReadPages.Request(page: 134).bytes],
            [ReadPages.Request(page: 200).bytes], [FastRead.Request(first: 0, last: 134).bytes],
            [WritePage.Request(page: 0x20, data: data).bytes], [WritePage.Request(page: 200, data: .zero).bytes],
            // Lock bytes.
            [WritePage.Request(page: 2, data: PageData(0, 0, 0, 0x80)).bytes],
            [CompatibilityWrite.Request(page: 0x20).bytes, CompatibilityWrite.Data(data).bytes],
            [CompatibilityWrite.Request(page: 0x20).bytes, right],
            [right], [PasswordAuthentication.Request(password: .zero).bytes], [ReadCounter.Request().bytes],
            [GetVersion.Request().bytes], [ReadSignature.Request().bytes],
        ]
        let selected =
            commands.map { $0.map { ReceivedFrame($0) } } + [
                [], [ReceivedFrame(HLTA.Request().bytes), .short(.wupa)], [ReceivedFrame([0xE0, 0x80])],
                [ReceivedFrame([0x30, 0x04], integrity: .badCRC)],
                [ReceivedFrame([0x30, 0x04], integrity: .badParity)],
            ]
        let unselected = [
            [], anticollisions, [ReceivedFrame(someBits.bytes, bitCount: someBits.bitCount)],
            [ReceivedFrame(ReadPages.Request(page: 0).bytes)],
        ]
        let silent = [
            selection + [ReceivedFrame(HLTA.Request().bytes)], selection + reqa,
            reqa + [ReceivedFrame([0x93, 0x70, 0, 0, 0, 0, 0])],
        ]
        return (selected.map { selection + $0 } + unselected.map { reqa + $0 }).map { AllocationScript(frames: $0) }
            + silent.map { AllocationScript(frames: $0, isAnswered: false) }
    }
}
