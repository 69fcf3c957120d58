import Foundation
import Meters
import TapCards

/// Measures what cards take of memory.
enum MemoryBenchmark {
    /// Cards that are held at once.
    static let cardCount = 100_000
    /// Bytes of a card that was not written to.
    private static let goal = Goal.atMost(64)

    static func measure(into report: Report) throws {
        report.begin("Memory of \(Table.count(cardCount)) cards of one template, and time with as many")
        if allocation_counter_works() {
            let felica = try FeliCaTemplate(BenchmarkCards.transit)
            add("FeliCa", report) { FeliCaCard(felica) }
            let tag = NTAGTemplate(try BenchmarkCards.tag())
            add("NTAG215", report) { NTAGCard(tag) }
        } else {
            report.addVoid("bytes of a card", "allocations can only be counted on Linux with glibc")
        }
        try ManyCards.measure(into: report)
        #if os(Linux)
            try LongService.measure(into: report)
        #endif
    }

    /// Adds how many bytes each of many cards takes in an array, with all it has to itself.
    private static func add<Card>(_ kind: String, _ report: Report, _ make: () -> Card) {
        let before = allocated_bytes()
        let cards = (0..<cardCount).map { _ in make() }
        let bytes = withExtendedLifetime(cards) { Double(allocated_bytes() - before) / Double(cardCount) }
        report.add(Row(name: "\(kind): bytes of a card as it was issued", goal: goal, value: bytes)) {
            ["\(MemoryLayout<Card>.stride) bytes are the value itself, the rest is memory it asks for"]
        }
    }
}
