import Meters
import TapCards
import TapWire

/// The engine with more and more services on its card: a block is read from the one in the middle.
enum ServiceGrowth {
    private static let sizes = [1, 3, 10, 30, 100, 300, 1_000]
    /// The first service, read and write without key; services count up in the upper ten bits of a code.
    private static let first = NodeCode(0x0049)

    static func growth() throws -> GrowthBenchmark.Growth {
        let runs: [TimedRun] = try sizes.map { size in
            let run = try workload(size).runner(.spans)
            return { rounds in
                let start = thread_nanoseconds()
                _ = run(rounds)
                return thread_nanoseconds() - start
            }
        }
        return GrowthBenchmark.Growth(name: "services", sizes: sizes, runs: runs, sampleTime: 5e6)
    }

    /// A block read from a card with a number of services.
    private static func workload(_ size: Int) -> Workload {
        let keys = FeliCaKeys(desVersion: 1)
        let services = (0..<size).map {
            FeliCaServiceDefinition(code($0), keys: keys, blocks: [BlockData([UInt8($0 & 0xFF)])])
        }
        let system = FeliCaSystemDefinition(
            code: .transit, keys: keys, areas: [.root(keys: keys)], services: services)
        let card = FeliCaCardDefinition(
            idm: BenchmarkCards.idm, pmm: PMm(0x0531_4345_4682_B7FF), systems: [system])
        let read = ReadWithoutEncryption.Request(
            idm: BenchmarkCards.idm, services: [code(size / 2)], blocks: [BlockListElement(blockNumber: 0)])
        return Workload("services", "Read of 1 block", .feliCa(card), [read.bytes])
    }

    private static func code(_ number: Int) -> NodeCode { NodeCode(first.rawValue + UInt16(number) << 6) }
}
