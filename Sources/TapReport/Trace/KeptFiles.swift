import CRunPage
import TapDocument
import TapField
import TapJudge
import TapScenario

/// Where a case comes from, for what is kept of its run.
public struct CaseOrigin: Sendable {
    /// The name of its scenario.
    public let name: String
    /// Its file, if it has one.
    public let source: SourceFile?
    /// The version of TapSim, empty where it is not known.
    public let version: String

    public init(_ name: String, source: SourceFile? = nil, tapsim version: String = "") {
        self.name = name
        self.source = source
        self.version = version
    }
}

extension CaseResult {
    /// The files that are kept of the case, in the order of writing.
    public func files(from origin: CaseOrigin) -> [(name: String, text: String)] {
        let page = runNode(of: origin.name, source: origin.source, tapsim: origin.version)
        return [
            ("trace.jsonl", TraceLines(record).text),
            ("trace.html", RunPage.html(page)),
            ("client.out", record.client.standardOutput),
            ("client.err", record.client.standardError),
            ("resolved.json", JSONWriter.text(scenarioCase.resolved, .pretty) + "\n"),
            ("meta.json", JSONWriter.text(metaNode(of: origin.name, tapsim: origin.version), .pretty) + "\n"),
        ]
    }
}

/// The script that plays the reader of a run that was kept to a client, where there is no TapSim.
package enum ReplayScript {
    /// The name of its file, beside the `trace.jsonl` that it reads.
    package static let fileName = "replay.py"

    /// Whether it can play a run: a client of its own program, before a transport whose protocol it speaks.
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

    /// Its text, the same for every run: Python 3.8 with nothing but its standard library.
    package static var text: String { unsafe String(cString: replay_script()) }
}
