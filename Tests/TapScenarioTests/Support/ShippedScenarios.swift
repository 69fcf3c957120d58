import Foundation
import TapScenario
import TapYAML

/// The scenario files that come with the repository.
enum ShippedScenarios {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Scenarios")

    /// Paths below the folder, sorted.
    static func paths(below part: String = "") -> [String] {
        let all = FileManager.default.enumerator(atPath: folder.appendingPathComponent(part).path)
        let names = (all?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".yaml") }
        return names.map { part.isEmpty ? $0 : "\(part)/\($0)" }.sorted()
    }

    /// Those that have to load, and those whose expectations fail.
    static let readable = paths().filter { !broken.contains($0) }

    /// Those that do not load.
    static let broken = [
        "bad-hex", "not-yet", "unknown-key", "unknown-name", "wrong-format",
    ].map { "negative/\($0).yaml" }

    static func text(_ path: String) -> String {
        (try? String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)) ?? ""
    }
}

/// A scenario read from text.
struct LoadedScenario {
    private(set) var diagnostics = Diagnostics()
    let scenario: Scenario?

    init(_ text: String, name: String = "a.yaml", seed: UInt64? = nil) {
        let loader = ScenarioLoader(reader: DocumentReaders.reader(for: name))
        scenario = loader.load(SourceFile(name: name, text: text), seed: seed, into: &diagnostics)
    }

    var first: ScenarioCase? { scenario?.cases.first }
}
