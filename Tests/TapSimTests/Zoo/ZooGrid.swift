import TapSystem
import TapDocument
import Testing

/// The report of `tapsim fuzz` on a client of the zoo.
struct ZooGrid {
    /// A run of the systematic phase, or a failing run with arguments.
    struct Run: CustomStringConvertible {
        let fault: String
        /// The command or call at which the fault is injected, and its number among those of that name.
        let place: String
        let nth: Int
        let verdict: String
        let reason: String

        var description: String { "\(verdict) under \(fault) at \(place) \(nth): \(reason)" }

        /// Indicates whether the outcome is acceptable.
        var isOK: Bool { ["correct", "clear error", "not reached"].contains(verdict) }
    }

    let runs: [Run]

    /// Fuzzes a client.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - mistake: The bug to enable.
    ///   - options: The options of the command.
    ///   - timeout: The time for which it may be idle or repeat itself; on a busy machine a client may need
    ///     seconds.
    init(_ program: ZooProgram, _ mistake: String, _ options: [String], timeout: String = "12s") throws {
        let words =
            ["fuzz"] + program.subject + ["--json", "--trace", "off", "--jobs", "2", "--timeout", timeout] + options
            + ["--"]
        let outcome = try TapSim.run(words + program.command(mistake))
        let report = try #require(
            outcome.json?["cases"]?[0], "\(mistake): exit \(outcome.end)\n\(outcome.output)\n\(outcome.error)")
        let places = Dictionary(
            report["places"]?.items.map { (Self.number($0), $0) } ?? [], uniquingKeysWith: { first, _ in first })
        func run(_ node: Node, _ fault: String, at place: Node?) -> Run {
            Run(
                fault: fault, place: place?["is"]?.text ?? "", nth: Int(place?["nth"]?.text ?? "") ?? 0,
                verdict: node["verdict"]?.text ?? "", reason: node["reason"]?.text ?? "")
        }
        let systematic = report["runs"]?.items ?? []
        let named = report["guided"]?["findings"]?.items ?? []
        runs =
            systematic.map { run($0, $0["fault"]?.text ?? "", at: places[Self.number($0)]) }
            + named.map { node in
                let (fault, place) = Self.parts(of: node["name"]?.text ?? "")
                return run(node, fault, at: places[place.hasPrefix("c") ? "call \(place.dropFirst())" : place])
            }
        #expect(outcome.exitCode == (runs.allSatisfy(\.isOK) ? 0 : 1), "\(mistake)")
    }

    /// The fault and place of `rf.bytes:at=10:set=FF@5`.
    private static func parts(of name: String) -> (fault: String, place: String) {
        (String(name.prefix { $0 != ":" && $0 != "@" }), String(name.split(separator: "@").last ?? ""))
    }

    /// The identity of an exchange or a call.
    private static func number(_ node: Node) -> String {
        node["call"]?.text.map { "call \($0)" } ?? node["exchange"]?.text ?? ""
    }
}
