import Foundation
import TapCards
import TapWire

/// Measures the engine beside programs that people use for the same.
enum PeerBenchmark {
    /// The environment variable with the Python that has the modules of peers.
    private static let pythonVariable = "TAPSIM_BENCH_PYTHON"
    /// That Python.
    static let python = ProcessInfo.processInfo.environment[pythonVariable]
    private static let script = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../../../Peers/nfcpy_emulation.py").standardized.path
    /// How long a contestant runs in a round, in nanoseconds.
    private static let sampleTime = 2e7
    /// How many times as long the emulation of nfcpy shall take.
    private static let goal = Goal.atLeast(250)

    static func measure(into report: Report) throws {
        report.begin("Time of an exchange ÷ ours on spans, median of \(Stopwatch.roundCount) rounds")
        let name = "W1: the emulation of nfcpy ÷ ours"
        guard let python else {
            return report.addVoid(name, "\(pythonVariable) does not name a Python with nfcpy; see Tools/bench")
        }
        guard let workload = try Workload.all().first(where: { $0.name == "W1" }),
            case .feliCa(let definition) = workload.card
        else { fail("there is no workload W1 of a FeliCa card") }
        let peer = try Child([python, script] + arguments(definition, workload.frames))
        try checkAnswers(of: peer, workload, definition)
        let (ours, floor) = (try workload.runner(.spans), try workload.runner(.floor))
        let runs = [ours, ours, floor].map(EngineBenchmark.timed) + [{ peer.time($0) }]
        var stopwatch = Stopwatch(sampleTime: sampleTime)
        guard let result = stopwatch.compare(runs) else { return report.addVoid(name, Stopwatch.noise) }
        let remark = "ours \(Table.number(result.nanoseconds)) ns, ours ÷ ours \(Table.number(result.ratios[1]))"
        report.add(Row(name: name, goal: goal, value: result.ratios[3], remark: remark)) {
            let atMost = Table.number(result.ratios[3] / result.ratios[2])
            return ["plain C that parses and checks the same, and does nothing else, is \(atMost) times as fast as it"]
        }
    }

    private static func arguments(_ definition: FeliCaCardDefinition, _ frames: Frames) -> [String] {
        let system = definition.systems[0]
        let blocks = system.services.first { $0.code == BenchmarkCards.history }?.blocks ?? []
        let polling = Polling.Response(
            idm: definition.idm, pmm: definition.pmm, requestData: system.code.rawValue)
        let words = [
            Hex.text(Array(polling.bytes.dropFirst())), Hex.digits(BenchmarkCards.history.rawValue, width: 4),
            Hex.text(blocks.flatMap(\.bytes)),
        ]
        return words + (0..<frames.count).map { Hex.text(frames[$0]) }
    }

    /// Ends the program where the peer answers otherwise than ours; it knows no Request Service and is silent to it.
    private static func checkAnswers(
        of peer: Child, _ workload: Workload, _ definition: FeliCaCardDefinition
    ) throws {
        var card = try FeliCaCard(definition)
        let desk = Desk()
        for index in 0..<workload.frames.count {
            let frame = workload.frames[index]
            let ours = card.answer(frame, context: &desk.context)?.bytes ?? []
            let line = peer.nextLine()
            let theirs = line == "-" ? [] : try Hex.bytes(line)
            let isUnknown = frame[1] == RequestService.code.first && theirs.isEmpty
            guard theirs == ours || isUnknown else {
                fail("to \(Hex.text(frame)) the peer answers \(line), we \(Hex.text(ours))")
            }
        }
    }
}
