import Foundation
import TapDocument
import TapScenario
import TapYAML

/// The scenario files of the repository.
package enum ShippedScenarios {
    package static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appendingPathComponent("Scenarios")

    /// Paths below the folder, sorted.
    package static func paths(below part: String = "") -> [String] {
        let all = FileManager.default.enumerator(atPath: folder.appendingPathComponent(part).path)
        let names = (all?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".yaml") }
        return names.map { part.isEmpty ? $0 : "\(part)/\($0)" }.sorted()
    }

    /// The scenarios that load, including the ones whose expectations fail.
    package static let readable = paths().filter { !broken.contains($0) }

    /// The scenarios that do not load.
    package static let broken = [
        "bad-hex", "name-taken", "not-yet", "unknown-key", "unknown-name", "wrong-format",
    ].map { "negative/\($0).yaml" }

    package static func text(_ path: String) -> String {
        (try? String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)) ?? ""
    }
}

/// A scenario read from text.
package struct LoadedScenario {
    package private(set) var diagnostics = Diagnostics()
    package let scenario: Scenario?

    package init(
        _ text: String, name: String = "a.yaml", seed: UInt64? = nil, files: any ReferencedFiles = ShippedFiles(),
        parameters: Node = [:]
    ) {
        var options = ScenarioLoader.Options(files: files, seed: seed)
        if case .map(let map) = parameters, !map.entries.isEmpty { options.parameters = map }
        let loader = ScenarioLoader(reader: DocumentReaders.reader(for: name), options)
        scenario = loader.load(SourceFile(name: name, text: text), into: &diagnostics)
    }

    /// Loads the first of several files.
    package init(_ files: [(name: String, text: String)], parameters: Node = [:]) {
        let stored = StoredFiles(Dictionary(files.map { ($0.name, $0.text) }) { first, _ in first })
        self.init(files[0].text, name: files[0].name, files: stored, parameters: parameters)
    }

    package var first: ScenarioCase? { scenario?.cases.first }
}
