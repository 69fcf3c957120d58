import TapTransports
import TapHost
import TapSystem
import TapField
import TestSupport
import Testing

/// Compares the private service with the installed pcscd and vpcd: the same program makes the same calls to both.
@Suite struct `PC/SC calls` {
    /// The number of parallel runs for each service.
    ///
    /// Most of the time is spent waiting for pcscd to look for cards.
    private static let lanes = 6

    @Test func `give the same results through the private service and pcscd, except for listed differences`() throws {
        let sequences = try CallTable.sequences()
        let calls = sequences.joined().split(separator: "\n").filter { !$0.hasPrefix("==") && !$0.hasPrefix("#") }
        #expect(sequences.count >= 40 && calls.count >= 120)
        let differences = Lock<[CallDifference]>([])
        let failures = Lock<[any Error]>([])
        let lanes = try (0..<Self.lanes).map { lane in
            let part = sequences.indices.filter { $0 % Self.lanes == lane }.map { sequences[$0] }.joined()
            return try BlockingThread {
                do {
                    let found = CallDifference.between(try throughInstalled(part), try throughOwn(part))
                    differences.withLock { $0 += found }
                } catch {
                    failures.withLock { $0.append(error) }
                }
            }
        }
        for lane in lanes { lane.join() }
        for error in failures.withLock({ $0 }) { throw error }
        let found = counted(differences.withLock { $0 })
        let listed = counted(try CallDifference.listed())
        for (difference, count) in found where listed[difference] != count {
            Issue.record("\(count) times, expected \(listed[difference] ?? 0):\n\(difference.text)")
        }
        for difference in listed.keys where found[difference] == nil {
            Issue.record("the listed difference no longer exists; remove it from the list:\n\(difference.text)")
        }
    }

    private func counted(_ differences: [CallDifference]) -> [CallDifference: Int] {
        Dictionary(differences.map { ($0, 1) }, uniquingKeysWith: +)
    }

    private func throughInstalled(_ table: String) throws -> [String] {
        let field = try VpcdField()
        return try CallTable.run(
            table, reader: field.pcscd.readers[0].name, socket: field.pcscd.socket, host: field.host)
    }

    private func throughOwn(_ table: String) throws -> [String] {
        let host = FieldHost(try World.withTwoCards())
        let transport = try PCSCTransport(host: host, readers: [ScriptedReader()])
        defer {
            transport.close()
            host.close()
        }
        let socket = try #require(transport.environment.first).value
        return try CallTable.run(table, reader: "\(ScriptedReader().name) 00 00", socket: socket, host: host)
    }
}
