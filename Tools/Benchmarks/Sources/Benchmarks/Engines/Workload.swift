import TapCards
import TapWire

/// The card a workload runs on, by what makes it.
enum WorkloadCard {
    case feliCa(FeliCaCardDefinition)
    case ntag(NTAGDefinition)
}

/// Frames that are sent again and again, whatever the card has become by them.
struct Workload {
    /// A short name, for options.
    let name: String
    /// What is sent, for people.
    let title: String
    let card: WorkloadCard
    let frames: Frames

    init(_ name: String, _ content: String, _ card: WorkloadCard, _ frames: [[UInt8]]) {
        self.name = name
        title = "\(name): \(content)"
        self.card = card
        self.frames = Frames(frames)
    }
}

/// Frames one after another in one array, so that going through them costs next to nothing.
struct Frames {
    private(set) var bytes: [UInt8] = []
    private(set) var ends: [Int] = []

    init(_ frames: [[UInt8]]) {
        for frame in frames {
            bytes += frame
            ends.append(bytes.count)
        }
    }

    var count: Int { ends.count }

    /// The frame at an index.
    subscript(index: Int) -> [UInt8] {
        Array(bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]])
    }
}

extension Workload {
    /// All workloads, in the order of the table.
    static func all() throws -> [Workload] { try feliCa() + ntag() }

    private static func feliCa() -> [Workload] {
        let card = WorkloadCard.feliCa(BenchmarkCards.transit)
        let polling = Polling.Request(systemCode: .transit).bytes
        let service = RequestService.Request(idm: BenchmarkCards.idm, nodes: [BenchmarkCards.history]).bytes
        let missing = read(blocks: 1, of: NodeCode(0x778B))
        return [
            Workload("W1", "Polling, Request Service, Read of 12 blocks", card, [polling, service, read(blocks: 12)]),
            Workload("W2", "Read of 1 block", card, [read(blocks: 1)]),
            Workload("W6", "Read from a missing service", card, [missing]),
            Workload("WM", "1,024 mixed requests", card, mixedFrames()),
        ]
    }

    private static func ntag() throws -> [Workload] {
        let tag = WorkloadCard.ntag(try BenchmarkCards.tag())
        let protected = WorkloadCard.ntag(try BenchmarkCards.protectedTag())
        let password = PasswordAuthentication.Request(password: BenchmarkCards.password).bytes
        let dump = stride(from: 0, to: 135, by: 4).map { ReadPages.Request(page: UInt8($0)).bytes }
        return [
            Workload("W3", "READ", tag, [ReadPages.Request(page: 4).bytes]),
            Workload(
                "W4", "PWD_AUTH, FAST_READ of user memory", protected,
                [password, FastRead.Request(first: 0x04, last: 0x81).bytes]),
            Workload("W5", "34 READs of all pages", tag, dump),
            Workload("WM-NTAG", "1,024 mixed commands", tag, mixedCommands()),
        ]
    }

    private static func read(blocks count: Int, of service: NodeCode = BenchmarkCards.history) -> [UInt8] {
        ReadWithoutEncryption.Request(
            idm: BenchmarkCards.idm, services: [service],
            blocks: (0..<count).map { BlockListElement(blockNumber: UInt16($0)) }
        ).bytes
    }

    private static func write(block number: UInt16, of service: NodeCode = BenchmarkCards.random) -> [UInt8] {
        WriteWithoutEncryption.Request(
            idm: BenchmarkCards.idm, services: [service], blocks: [BlockListElement(blockNumber: number)],
            data: [BlockData((0..<16).map { UInt8($0) ^ UInt8(truncatingIfNeeded: number) })]
        ).bytes
    }

    /// Requests that branch prediction cannot learn: kind, service and number of blocks are drawn.
    private static func mixedFrames() -> [[UInt8]] {
        var random = SeededGenerator(seed: 1)
        return (0..<1_024).map { _ in
            let service = NodeCode(BenchmarkCards.random.rawValue + UInt16(random.next(below: 24)) << 6)
            switch random.next(below: 8) {
            case 0: return Polling.Request(systemCode: .transit, requestCode: .init(UInt8(random.next(below: 3)))).bytes
            case 1, 2:
                let nodes = (0...random.next(below: 4)).map { NodeCode(service.rawValue + UInt16($0) << 6) }
                return RequestService.Request(idm: BenchmarkCards.idm, nodes: nodes).bytes
            case 3: return write(block: UInt16(random.next(below: 8)), of: service)
            case 4: return read(blocks: 1 + random.next(below: 13))
            default: return read(blocks: 1 + random.next(below: 8), of: service)
            }
        }
    }

    /// Commands of an open tag, none of which ends its selection.
    private static func mixedCommands() -> [[UInt8]] {
        var random = SeededGenerator(seed: 1)
        return (0..<1_024).map { _ in
            let page = UInt8(4 + random.next(below: 126))
            switch random.next(below: 8) {
            case 0: return PasswordAuthentication.Request(password: BenchmarkCards.password).bytes
            case 1, 2: return WritePage.Request(page: page, data: PageData(page, 1, 2, 3)).bytes
            case 3, 4:
                return FastRead.Request(first: page, last: page + UInt8(random.next(below: 130 - Int(page)))).bytes
            default: return ReadPages.Request(page: UInt8(random.next(below: 135))).bytes
            }
        }
    }
}
