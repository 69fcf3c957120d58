import TapCards
import TapField
import TapJudge
import TapScenario
import TapWire

/// Determines which of the sent commands the cards of a run could have refused: each command is repeated at its place, with
/// one byte changed at a time, and once more while the memory fails.
public struct RefusalProbe {
    /// The replacements for a byte: neighbouring values, extreme values, and values with other bits.
    private static let changes: [@Sendable (UInt8) -> UInt8] = [
        { $0 ^ 0x01 }, { $0 &+ 1 }, { $0 &- 1 }, { $0 ^ 0x80 }, { $0 ^ 0xFF }, { _ in 0x00 }, { _ in 0x7F },
        { _ in 0xFF },
    ]

    private let scenarioCase: ScenarioCase
    private let trace: Trace

    public init(_ scenarioCase: ScenarioCase, _ trace: Trace) {
        // Cards refuse by themselves, whatever faults the run had.
        self.scenarioCase = scenarioCase.disturbed(by: FaultPlan())
        self.trace = trace
    }

    /// The words of the refusals by command, in alphabetical order.
    public var refusals: [CommandName: [String]] {
        var found: [CommandName: Set<String>] = [:]
        let replay = TraceReplay(scenarioCase, trace)
        for exchange in trace.exchanges {
            guard let command = CommandName(of: exchange.command), command.layer != .selection, found[command] == nil
            else { continue }
            let world = (try? replay.field(after: exchange.number - 1)) ?? scenarioCase.makeWorld()
            found[command] = refusals(of: exchange.command, world)
        }
        return found.mapValues { $0.sorted() }
    }

    private func refusals(of command: RFFrame, _ world: World) -> Set<String> {
        var found: Set<String> = []
        for bytes in Self.variants(of: command.bytes) {
            found.formUnion([Self.refusal(RFFrame(command.technology, bytes), world)].compactMap(\.self))
        }
        var failing = world
        failing.context.isMemoryFailing = true
        return found.union([Self.refusal(command, failing)].compactMap(\.self))
    }

    /// Returns the frame itself, then with each byte after the length changed.
    private static func variants(of bytes: [UInt8]) -> [[UInt8]] {
        [bytes]
            + bytes.indices.dropFirst().flatMap { index in
                changes.map { change in
                    var changed = bytes
                    changed[index] = change(changed[index])
                    return changed
                }
            }
    }

    private static func refusal(_ frame: RFFrame, _ world: World) -> String? {
        var world = world
        world.trace = Trace()
        _ = world.exchange(frame, waiting: nil)
        guard let exchange = world.trace.exchanges.first, case .refused(let words) = ReceivedAnswer(exchange) else {
            return nil
        }
        return words
    }
}
