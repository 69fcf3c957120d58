import TapCards
import TapWire

/// Every command of the FeliCa Lite-S engine without a session, and the ways in which Read and Write are refused.
enum LiteScripts {
    private static let (read, write) = (NodeCode(0x000B), NodeCode(0x0009))

    /// The scripts of a command; nil if it has none.
    static func scripts(of code: CommandCode) -> [AllocationScript] {
        switch code {
        case .polling:
            [
                AllocationScript("Lite-S: Polling", polling(.lite)),
                AllocationScript("Lite-S: Polling for NDEF", polling(.ndef)),
                AllocationScript("Lite-S: Polling of a missing system", polling(.transit), isAnswered: false),
            ]
        case .echo: [AllocationScript("Lite-S: Echo", Echo.Request(data: [1, 2, 3]).bytes)]
        case .readWithoutEncryption:
            [
                AllocationScript("Lite-S: Read, 4 blocks", reading([0, 1, 13, 14])),
                AllocationScript("Lite-S: Read, RC, ID, D_ID, SER_C", reading([0x80, 0x82, 0x83, 0x84])),
                AllocationScript("Lite-S: Read, SYS_C, CKV, CK, MC", reading([0x85, 0x86, 0x87, 0x88])),
                AllocationScript("Lite-S: Read, MAC, WCNT, STATE, CRC_CHECK", reading([0x81, 0x90, 0x92, 0xA0])),
                AllocationScript("Lite-S: Read, MAC_A without RC", reading([0, 0x91])),
                AllocationScript("Lite-S: Read, no block", reading([0x0F])),
                AllocationScript("Lite-S: Read, no service", reading([0], of: NodeCode(0x100B))),
                AllocationScript("Lite-S: Read, too many", reading([0, 1, 2, 3, 4])),
            ]
        case .writeWithoutEncryption:
            // MC stays as it is, so that no round meets a locked card; REG has no smaller A and B.
            [0, 14, 0x82, 0x84, 0x86, 0x87, 0x88, 0x92].map { block in
                AllocationScript("Lite-S: Write, block \(Hex.digits(block, width: 2))", writing([block]))
            } + [
                AllocationScript("Lite-S: Write, MAC_A without RC", writing([0, 0x91])),
                AllocationScript("Lite-S: Write, read only", writing([0x83])),
                AllocationScript("Lite-S: Write, too many", writing([0, 1, 2])),
            ]
        default: []
        }
    }

    private static func polling(_ system: SystemCode) -> [UInt8] {
        Polling.Request(systemCode: system, requestCode: .systemCode).bytes
    }

    private static func reading(_ blocks: [UInt16], of service: NodeCode = read) -> [UInt8] {
        ReadWithoutEncryption.Request(
            idm: BenchmarkCards.idm, services: [service], blocks: blocks.map { BlockListElement(blockNumber: $0) }
        ).bytes
    }

    private static func writing(_ blocks: [UInt16]) -> [UInt8] {
        let configuration = BenchmarkCards.lite.configurationBlock
        return WriteWithoutEncryption.Request(
            idm: BenchmarkCards.idm, services: [write], blocks: blocks.map { BlockListElement(blockNumber: $0) },
            data: blocks.map { $0 == 0x88 ? configuration : BlockData([1]) }
        ).bytes
    }
}
