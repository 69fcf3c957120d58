import TapCards
import TapWire

/// Frames that are sent repeatedly to a card.
struct Workload {
    let title: String
    let engine: any CardEngine
    let floor: () -> FloorCard
    let frames: Frames
}

/// Frames in one array, so that iterating over them costs next to nothing.
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

    subscript(index: Int) -> [UInt8] { Array(bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]) }
}

extension Workload {
    /// All workloads, in the order of the report.
    static func all() throws -> [Workload] { try feliCa() + ntag() }

    private static func feliCa() throws -> [Workload] {
        let definition = BenchmarkCards.transit
        let engine = try FeliCaCard(definition)
        let polling = Polling.Request(systemCode: .transit).bytes
        let service = RequestService.Request(idm: BenchmarkCards.idm, nodes: [BenchmarkCards.history]).bytes
        return [
            ("W1: Polling, Request Service, Read of 12 blocks", [polling, service, BenchmarkCards.read(0..<12)]),
            ("W2: Read of 1 block", [BenchmarkCards.read(0..<1)]),
            ("W6: Read from a missing service", [BenchmarkCards.read(0..<1, of: NodeCode(0x778B))]),
            ("WM: 1,024 mixed requests", mixedFrames()),
        ].map { Workload(title: $0, engine: engine, floor: { FloorCard(definition) }, frames: Frames($1)) }
    }

    private static func ntag() throws -> [Workload] {
        let (tag, protected) = (try BenchmarkCards.tag(), try BenchmarkCards.protectedTag())
        let password = PasswordAuthentication.Request(password: BenchmarkCards.password).bytes
        let userMemory = FastRead.Request(first: 0x04, last: 0x81).bytes
        let dump = stride(from: 0, to: 135, by: 4).map { ReadPages.Request(page: UInt8($0)).bytes }
        return [
            ("W3: READ", tag, [ReadPages.Request(page: 4).bytes]),
            ("W4: PWD_AUTH, FAST_READ of user memory", protected, [password, userMemory]),
            ("W5: 34 READs of all pages", tag, dump), ("WM-NTAG: 1,024 mixed commands", tag, mixedCommands()),
        ].map { title, tag, frames in
            Workload(title: title, engine: selected(tag), floor: { FloorCard(tag) }, frames: Frames(frames))
        }
    }

    /// A tag in ACTIVE.
    private static func selected(_ definition: NTAGDefinition) -> NTAGCard {
        var card = NTAGCard(definition)
        var context = CardContext(random: SeededGenerator(seed: 1))
        card.fieldRose()
        for frame in ReceivedFrame.selection(of: definition.uid) {
            _ = card.answer(frame.bytes, bitCount: frame.bitCount, context: &context)
        }
        return card
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
            case 3:
                let block = random.next(below: 8)
                let data = BlockData((0..<16).map { UInt8($0 ^ block) })
                return BenchmarkCards.write([data], to: [block], of: service)
            case 4: return BenchmarkCards.read(0..<1 + random.next(below: 13))
            default: return BenchmarkCards.read(0..<1 + random.next(below: 8), of: service)
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
