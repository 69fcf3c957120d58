import CRunPage
import TapDocument
import TapField
import TapJudge
import TapScenario

/// The origin of a case, for the saved files of its run.
public struct CaseOrigin: Sendable {
    public let name: String
    public let source: SourceFile?
    /// The version of TapSim; empty if it is unknown.
    public let version: String

    public init(_ name: String, source: SourceFile? = nil, tapsim version: String = "") {
        self.name = name
        self.source = source
        self.version = version
    }
}

extension CaseResult {
    /// Returns the page of the case.
    package func page(from origin: CaseOrigin) -> (name: String, text: String) {
        ("trace.html", RunPage.html(runNode(of: origin.name, source: origin.source, tapsim: origin.version)))
    }

    /// Returns the files saved for the case, in the order of writing.
    public func files(from origin: CaseOrigin) -> [(name: String, text: String)] {
        [
            ("trace.jsonl", TraceLines(record).text),
            page(from: origin),
            ("client.out", record.client.standardOutput),
            ("client.err", record.client.standardError),
            ("resolved.json", JSONWriter.text(scenarioCase.resolved, .pretty) + "\n"),
            ("meta.json", JSONWriter.text(metaNode(of: origin.name, tapsim: origin.version), .pretty) + "\n"),
        ]
    }
}

/// The script that replays the reader of a saved run to a client, on machines without TapSim.
package enum ReplayScript {
    /// The name of its file, next to the `trace.jsonl` that it reads.
    package static let fileName = "replay.py"

    /// Returns whether the script can replay a run: one over a transport whose protocol the script supports.
    package static func plays(_ record: RunRecord) -> Bool {
        !["usb", "felica-rs", "proxmark3"].contains(record.transportUsed)
            && !record.world.trace.events.contains { event in
                guard case .call(let call) = event.kind else { return false }
                return switch call.layer {
                case .usb, .port100: true
                default: false
                }
            }
    }

    /// The text of the script, the same for every run: Python 3.8 with only the standard library.
    package static var text: String { unsafe String(cString: replay_script()) }
}
