import Foundation
import TapSystem
import Testing

/// Independent runs at the same time.
@Suite struct `Private readers` {
    private static let count = 16

    @Test func `give each of sixteen concurrent runs its own reader and card`() throws {
        let folder = URL(fileURLWithPath: try TapSimProgram.file("meeting", "")).deletingLastPathComponent().path
        let client = try PCSCClient.compiled()
        // Each client waits until all are ready, so that all services exist when the first is looked up.
        let meet = "touch \"$1/$2.here\"; until [ $(ls \"$1\" | grep -c here) -eq \(Self.count) ]; do sleep 0.05; done"
        let results = ParallelResults()
        for number in 1...Self.count {
            let digits = number < 10 ? "0\(number)" : "\(number)"
            let words = ["sh", "-c", "\(meet); exec \"$0\"", client.command[0], folder, digits]
            let scenario = try Self.scenario(digits)
            let thread = Thread {
                results.add(digits, Result { try TapSim.run(["run", scenario, "--json", "--"] + words) })
            }
            thread.start()
        }
        for (digits, result) in results.wait(for: Self.count) {
            let outcome = try result.get()
            #expect(outcome.exitCode == 0, "\(outcome.output)")
            #expect(outcome.output.contains("reader Reader \(digits) 00 00\\n"))
            #expect(outcome.output.contains("UID 01010101010101\(digits)\\n"))
        }
    }

    private static func scenario(_ digits: String) throws -> String {
        try TapSimProgram.file(
            "\(digits).yaml",
            """
            format: 1
            reader: {model: storage-card, name: Reader \(digits)}
            cards: {card: {template: suica, idm: "01 01 01 01 01 01 01 \(digits)"}}
            expect: {counts: {felica.read: 0}}
            """)
    }
}

/// The results of threads.
private final class ParallelResults: @unchecked Sendable {
    private let condition = NSCondition()
    private var results: [(String, Result<CommandOutcome, any Error>)] = []

    func add(_ name: String, _ result: Result<CommandOutcome, any Error>) {
        condition.withLock {
            results.append((name, result))
            condition.signal()
        }
    }

    func wait(for count: Int) -> [(String, Result<CommandOutcome, any Error>)] {
        condition.withLock {
            while results.count < count { condition.wait() }
            return results
        }
    }
}
